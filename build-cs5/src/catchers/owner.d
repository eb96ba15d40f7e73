build-cs5/src/catchers/owner.o: src/catchers/owner.c src/catchers/owner.h \
 src/catchers/../list/list.h src/catchers/../list/../dump/dump.h \
 src/catchers/../list/../dump/../arch/arch.h \
 src/catchers/../list/../dump/../arch/../otst.h \
 src/catchers/../list/../dump/../arch/bytes.h \
 src/catchers/../list/../dump/../otst.h src/catchers/stap.h
