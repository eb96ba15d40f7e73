build-cs5/src/bpf/holders.o: src/bpf/holders.c src/bpf/../dump/task.h \
 src/bpf/../dump/dump.h src/bpf/../dump/../arch/arch.h \
 src/bpf/../dump/../arch/../otst.h src/bpf/../dump/../arch/bytes.h \
 src/bpf/../dump/../otst.h src/bpf/bpf.h src/bpf/../list/list.h \
 src/bpf/../list/../dump/dump.h
