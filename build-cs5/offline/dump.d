build-cs5/offline/dump.o: offline/dump.c offline/offline.h \
 offline/../src/otst.h offline/notes.h
