build-cs5/src/list/names.o: src/list/names.c src/list/list.h \
 src/list/../dump/dump.h src/list/../dump/../arch/arch.h \
 src/list/../dump/../arch/../otst.h src/list/../dump/../arch/bytes.h \
 src/list/../dump/../otst.h
