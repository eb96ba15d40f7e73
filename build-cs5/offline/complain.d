build-cs5/offline/complain.o: offline/complain.c offline/offline.h \
 offline/../src/otst.h
