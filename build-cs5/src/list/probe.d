build-cs5/src/list/probe.o: src/list/probe.c src/list/list.h \
 src/list/../dump/dump.h src/list/../dump/../arch/arch.h \
 src/list/../dump/../arch/../otst.h src/list/../dump/../arch/bytes.h \
 src/list/../dump/../otst.h
