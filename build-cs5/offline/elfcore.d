build-cs5/offline/elfcore.o: offline/elfcore.c offline/offline.h \
 offline/../src/otst.h offline/notes.h
