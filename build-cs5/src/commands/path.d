build-cs5/src/commands/path.o: src/commands/path.c src/commands/../otst.h
