build-cs5/src/events/format_fields.o: src/events/format_fields.c \
 src/events/plan.h src/events/../dump/text_buffer.h \
 src/events/../dump/dump.h src/events/../dump/../arch/arch.h \
 src/events/../dump/../arch/../otst.h src/events/../dump/../arch/bytes.h \
 src/events/../dump/../otst.h src/events/events.h \
 src/events/../dump/dump.h
