build-cs5/src/catchers/registry_fields.o: src/catchers/registry_fields.c \
 src/catchers/registry.h src/catchers/../dump/dump.h \
 src/catchers/../dump/../arch/arch.h \
 src/catchers/../dump/../arch/../otst.h \
 src/catchers/../dump/../arch/bytes.h src/catchers/../dump/../otst.h
