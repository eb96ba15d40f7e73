build-cs5/offline/inflate.o: offline/inflate.c offline/diskpages.h \
 offline/offline.h offline/../src/otst.h
