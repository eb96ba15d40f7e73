build-cs5/offline/live.o: offline/live.c offline/offline.h \
 offline/../src/otst.h
