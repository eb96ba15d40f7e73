build-cs5/offline/livesyms.o: offline/livesyms.c offline/offline.h \
 offline/../src/otst.h
