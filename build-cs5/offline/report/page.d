build-cs5/offline/report/page.o: offline/report/page.c \
 offline/report/report.h offline/report/../../src/otst.h
