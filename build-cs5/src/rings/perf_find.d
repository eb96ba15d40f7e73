build-cs5/src/rings/perf_find.o: src/rings/perf_find.c \
 src/rings/perf_record.h src/rings/perf_buffer.h src/rings/../dump/dump.h \
 src/rings/../dump/../arch/arch.h src/rings/../dump/../arch/../otst.h \
 src/rings/../dump/../arch/bytes.h src/rings/../dump/../otst.h
