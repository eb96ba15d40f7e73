build-cs5/src/output/trigger.o: src/output/trigger.c \
 src/output/../dump/text_buffer.h src/output/../dump/dump.h \
 src/output/../dump/../arch/arch.h src/output/../dump/../arch/../otst.h \
 src/output/../dump/../arch/bytes.h src/output/../dump/../otst.h \
 src/output/trigger.h src/output/../traces/hist.h \
 src/output/../traces/traces.h src/output/../traces/../stacks/stack.h \
 src/output/../traces/../stacks/../probes/probes.h \
 src/output/../traces/../stacks/../probes/../bpf/bpf.h \
 src/output/../traces/../stacks/../probes/../bpf/../list/list.h \
 src/output/../traces/../stacks/../probes/../bpf/../list/../dump/dump.h \
 src/output/../traces/../stacks/../probes/../catchers/owner.h \
 src/output/../traces/../stacks/../probes/../catchers/../list/list.h \
 src/output/../traces/../stacks/../probes/../ftrace/tracing.h \
 src/output/../traces/../stacks/../probes/../ftrace/../list/list.h \
 src/output/../traces/../stacks/../probes/../list/list.h \
 src/output/../traces/../stacks/../dump/task.h \
 src/output/../traces/../stacks/../dump/dump.h \
 src/output/../traces/../ftrace/event_file.h \
 src/output/../traces/../ftrace/tracing.h
