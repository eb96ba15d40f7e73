build-cs5/src/arch/pagetable.o: src/arch/pagetable.c src/arch/arch.h \
 src/arch/../otst.h src/arch/bytes.h
