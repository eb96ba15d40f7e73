build-cs5/offline/machine.o: offline/machine.c offline/offline.h \
 offline/../src/otst.h
