build-cs5/src/arch/x86_64.o: src/arch/x86_64.c src/arch/arch.h \
 src/arch/../otst.h src/arch/bytes.h src/arch/x86_64.h
