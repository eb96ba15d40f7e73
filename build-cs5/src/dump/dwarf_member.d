build-cs5/src/dump/dwarf_member.o: src/dump/dwarf_member.c \
 src/dump/dwarf.h src/dump/engine.h src/dump/image.h src/dump/dump.h \
 src/dump/../arch/arch.h src/dump/../arch/../otst.h \
 src/dump/../arch/bytes.h src/dump/../otst.h
