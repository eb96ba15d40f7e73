build-cs5/offline/main.o: offline/main.c offline/offline.h \
 offline/../src/otst.h offline/report/report.h \
 offline/report/../../src/otst.h
