build-cs5/src/output/file.o: src/output/file.c src/output/file.h \
 src/output/../dump/dump.h src/output/../dump/../arch/arch.h \
 src/output/../dump/../arch/../otst.h src/output/../dump/../arch/bytes.h \
 src/output/../dump/../otst.h
