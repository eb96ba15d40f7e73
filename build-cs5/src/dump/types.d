build-cs5/src/dump/types.o: src/dump/types.c src/dump/coverage.h \
 src/dump/dump.h src/dump/../arch/arch.h src/dump/../arch/../otst.h \
 src/dump/../arch/bytes.h src/dump/../otst.h src/dump/engine.h \
 src/dump/image.h
