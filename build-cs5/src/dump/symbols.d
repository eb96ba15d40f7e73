build-cs5/src/dump/symbols.o: src/dump/symbols.c src/dump/coverage.h \
 src/dump/dump.h src/dump/../arch/arch.h src/dump/../arch/../otst.h \
 src/dump/../arch/bytes.h src/dump/../otst.h src/dump/engine.h \
 src/dump/image.h src/dump/text_buffer.h
