build-cs5/src/arch/arch.o: src/arch/arch.c src/arch/arch.h \
 src/arch/../otst.h
