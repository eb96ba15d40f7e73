build-cs5/src/dump/task.o: src/dump/task.c src/dump/task.h \
 src/dump/dump.h src/dump/../arch/arch.h src/dump/../arch/../otst.h \
 src/dump/../arch/bytes.h src/dump/../otst.h
