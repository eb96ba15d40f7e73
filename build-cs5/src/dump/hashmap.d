build-cs5/src/dump/hashmap.o: src/dump/hashmap.c src/dump/dump.h \
 src/dump/../arch/arch.h src/dump/../arch/../otst.h \
 src/dump/../arch/bytes.h src/dump/../otst.h
