build-cs5/src/dump/text_buffer.o: src/dump/text_buffer.c \
 src/dump/text_buffer.h src/dump/dump.h src/dump/../arch/arch.h \
 src/dump/../arch/../otst.h src/dump/../arch/bytes.h src/dump/../otst.h
