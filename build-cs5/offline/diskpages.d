build-cs5/offline/diskpages.o: offline/diskpages.c offline/diskpages.h \
 offline/offline.h offline/../src/otst.h
