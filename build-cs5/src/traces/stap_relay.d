build-cs5/src/traces/stap_relay.o: src/traces/stap_relay.c \
 src/traces/stap.h src/traces/traces.h src/traces/../stacks/stack.h \
 src/traces/../stacks/../probes/probes.h \
 src/traces/../stacks/../probes/../bpf/bpf.h \
 src/traces/../stacks/../probes/../bpf/../list/list.h \
 src/traces/../stacks/../probes/../bpf/../list/../dump/dump.h \
 src/traces/../stacks/../probes/../bpf/../list/../dump/../arch/arch.h \
 src/traces/../stacks/../probes/../bpf/../list/../dump/../arch/../otst.h \
 src/traces/../stacks/../probes/../bpf/../list/../dump/../arch/bytes.h \
 src/traces/../stacks/../probes/../bpf/../list/../dump/../otst.h \
 src/traces/../stacks/../probes/../catchers/owner.h \
 src/traces/../stacks/../probes/../catchers/../list/list.h \
 src/traces/../stacks/../probes/../ftrace/tracing.h \
 src/traces/../stacks/../probes/../ftrace/../list/list.h \
 src/traces/../stacks/../probes/../list/list.h \
 src/traces/../stacks/../dump/task.h src/traces/../stacks/../dump/dump.h \
 src/traces/../catchers/stap.h src/traces/../catchers/../list/list.h
