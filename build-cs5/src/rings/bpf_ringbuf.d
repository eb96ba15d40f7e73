build-cs5/src/rings/bpf_ringbuf.o: src/rings/bpf_ringbuf.c \
 src/rings/bpf_ringbuf.h src/rings/../dump/dump.h \
 src/rings/../dump/../arch/arch.h src/rings/../dump/../arch/../otst.h \
 src/rings/../dump/../arch/bytes.h src/rings/../dump/../otst.h
