build-cs5/src/dump/idr.o: src/dump/idr.c src/dump/dump.h \
 src/dump/../arch/arch.h src/dump/../arch/../otst.h \
 src/dump/../arch/bytes.h src/dump/../otst.h
