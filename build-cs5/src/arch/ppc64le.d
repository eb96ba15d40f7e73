build-cs5/src/arch/ppc64le.o: src/arch/ppc64le.c src/arch/arch.h \
 src/arch/../otst.h src/arch/bytes.h
