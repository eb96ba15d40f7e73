build-cs5/src/dump/prototype_btf.o: src/dump/prototype_btf.c \
 src/dump/engine.h src/dump/image.h src/dump/dump.h \
 src/dump/../arch/arch.h src/dump/../arch/../otst.h \
 src/dump/../arch/bytes.h src/dump/../otst.h
