build-cs5/offline/report/json.o: offline/report/json.c \
 offline/report/report.h offline/report/../../src/otst.h
