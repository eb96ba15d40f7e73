build-cs5/src/dump/layout.o: src/dump/layout.c src/dump/dump.h \
 src/dump/../arch/arch.h src/dump/../arch/../otst.h \
 src/dump/../arch/bytes.h src/dump/../otst.h
