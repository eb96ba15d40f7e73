build-cs5/src/ftrace/tracer.o: src/ftrace/tracer.c \
 src/ftrace/../list/list.h src/ftrace/../list/../dump/dump.h \
 src/ftrace/../list/../dump/../arch/arch.h \
 src/ftrace/../list/../dump/../arch/../otst.h \
 src/ftrace/../list/../dump/../arch/bytes.h \
 src/ftrace/../list/../dump/../otst.h src/ftrace/tracing.h
