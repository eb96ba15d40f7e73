build-cs5/src/catchers/allie.o: src/catchers/allie.c \
 src/catchers/catcher.h src/catchers/../list/list.h \
 src/catchers/../list/../dump/dump.h \
 src/catchers/../list/../dump/../arch/arch.h \
 src/catchers/../list/../dump/../arch/../otst.h \
 src/catchers/../list/../dump/../arch/bytes.h \
 src/catchers/../list/../dump/../otst.h src/catchers/registry.h \
 src/catchers/../dump/dump.h
