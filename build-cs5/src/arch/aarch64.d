build-cs5/src/arch/aarch64.o: src/arch/aarch64.c src/arch/arch.h \
 src/arch/../otst.h
