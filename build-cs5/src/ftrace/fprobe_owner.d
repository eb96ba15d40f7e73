build-cs5/src/ftrace/fprobe_owner.o: src/ftrace/fprobe_owner.c \
 src/ftrace/../catchers/owner.h src/ftrace/../catchers/../list/list.h \
 src/ftrace/../catchers/../list/../dump/dump.h \
 src/ftrace/../catchers/../list/../dump/../arch/arch.h \
 src/ftrace/../catchers/../list/../dump/../arch/../otst.h \
 src/ftrace/../catchers/../list/../dump/../arch/bytes.h \
 src/ftrace/../catchers/../list/../dump/../otst.h src/ftrace/ftrace.h \
 src/ftrace/../list/list.h
