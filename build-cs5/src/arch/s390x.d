build-cs5/src/arch/s390x.o: src/arch/s390x.c src/arch/arch.h \
 src/arch/../otst.h src/arch/bytes.h
