build-cs5/offline/report/report.o: offline/report/report.c \
 offline/report/report.h offline/report/../../src/otst.h \
 offline/report/../offline.h offline/report/../../src/otst.h
