build-cs5/src/ftrace/owner.o: src/ftrace/owner.c src/ftrace/ftrace.h \
 src/ftrace/../list/list.h src/ftrace/../list/../dump/dump.h \
 src/ftrace/../list/../dump/../arch/arch.h \
 src/ftrace/../list/../dump/../arch/../otst.h \
 src/ftrace/../list/../dump/../arch/bytes.h \
 src/ftrace/../list/../dump/../otst.h
