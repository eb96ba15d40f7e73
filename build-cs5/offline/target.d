build-cs5/offline/target.o: offline/target.c offline/offline.h \
 offline/../src/otst.h
