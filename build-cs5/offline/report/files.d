build-cs5/offline/report/files.o: build-cs5/offline/report/files.c \
 offline/report/report.h offline/report/../../src/otst.h
