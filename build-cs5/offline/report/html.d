build-cs5/offline/report/html.o: offline/report/html.c \
 offline/report/report.h offline/report/../../src/otst.h
