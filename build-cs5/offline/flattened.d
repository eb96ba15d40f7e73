build-cs5/offline/flattened.o: offline/flattened.c offline/offline.h \
 offline/../src/otst.h
