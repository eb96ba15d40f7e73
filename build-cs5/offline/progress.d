build-cs5/offline/progress.o: offline/progress.c offline/offline.h \
 offline/../src/otst.h
