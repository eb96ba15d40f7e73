build-cs5/offline/diskguard.o: offline/diskguard.c offline/offline.h \
 offline/../src/otst.h offline/diskpages.h offline/notes.h
