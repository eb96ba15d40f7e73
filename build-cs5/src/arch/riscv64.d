build-cs5/src/arch/riscv64.o: src/arch/riscv64.c src/arch/arch.h \
 src/arch/../otst.h src/arch/bytes.h
