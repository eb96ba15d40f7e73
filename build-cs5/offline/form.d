build-cs5/offline/form.o: offline/form.c offline/offline.h \
 offline/../src/otst.h
