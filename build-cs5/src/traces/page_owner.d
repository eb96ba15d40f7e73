build-cs5/src/traces/page_owner.o: src/traces/page_owner.c \
 src/traces/page_owner.h src/traces/../dump/dump.h \
 src/traces/../dump/../arch/arch.h src/traces/../dump/../arch/../otst.h \
 src/traces/../dump/../arch/bytes.h src/traces/../dump/../otst.h
