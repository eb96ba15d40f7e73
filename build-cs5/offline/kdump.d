build-cs5/offline/kdump.o: offline/kdump.c offline/diskpages.h \
 offline/offline.h offline/../src/otst.h
