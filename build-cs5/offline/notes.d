build-cs5/offline/notes.o: offline/notes.c offline/notes.h
