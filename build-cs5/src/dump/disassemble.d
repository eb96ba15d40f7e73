build-cs5/src/dump/disassemble.o: src/dump/disassemble.c \
 src/dump/disassemble.h src/dump/dump.h src/dump/../arch/arch.h \
 src/dump/../arch/../otst.h src/dump/../arch/bytes.h src/dump/../otst.h
