build-cs5/offline/report/records.o: offline/report/records.c \
 offline/report/report.h offline/report/../../src/otst.h
