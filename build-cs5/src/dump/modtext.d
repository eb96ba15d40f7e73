build-cs5/src/dump/modtext.o: src/dump/modtext.c src/dump/debug.h \
 src/dump/engine.h src/dump/image.h src/dump/dump.h \
 src/dump/../arch/arch.h src/dump/../arch/../otst.h \
 src/dump/../arch/bytes.h src/dump/../otst.h
