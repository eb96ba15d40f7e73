build-cs5/src/catchers/stap_link.o: src/catchers/stap_link.c \
 src/catchers/stap.h src/catchers/../list/list.h \
 src/catchers/../list/../dump/dump.h \
 src/catchers/../list/../dump/../arch/arch.h \
 src/catchers/../list/../dump/../arch/../otst.h \
 src/catchers/../list/../dump/../arch/bytes.h \
 src/catchers/../list/../dump/../otst.h
