build-cs5/src/catchers/registry.o: src/catchers/registry.c \
 src/catchers/registry.h src/catchers/../dump/dump.h \
 src/catchers/../dump/../arch/arch.h \
 src/catchers/../dump/../arch/../otst.h \
 src/catchers/../dump/../arch/bytes.h src/catchers/../dump/../otst.h
