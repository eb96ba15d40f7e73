build-cs5/src/ftrace/hist_trigger.o: src/ftrace/hist_trigger.c \
 src/ftrace/event_file.h src/ftrace/tracing.h src/ftrace/../list/list.h \
 src/ftrace/../list/../dump/dump.h \
 src/ftrace/../list/../dump/../arch/arch.h \
 src/ftrace/../list/../dump/../arch/../otst.h \
 src/ftrace/../list/../dump/../arch/bytes.h \
 src/ftrace/../list/../dump/../otst.h
