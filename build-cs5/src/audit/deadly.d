build-cs5/src/audit/deadly.o: src/audit/deadly.c \
 src/audit/../ftrace/ftrace.h src/audit/../ftrace/../list/list.h \
 src/audit/../ftrace/../list/../dump/dump.h \
 src/audit/../ftrace/../list/../dump/../arch/arch.h \
 src/audit/../ftrace/../list/../dump/../arch/../otst.h \
 src/audit/../ftrace/../list/../dump/../arch/bytes.h \
 src/audit/../ftrace/../list/../dump/../otst.h \
 src/audit/../traces/traces.h src/audit/../traces/../stacks/stack.h \
 src/audit/../traces/../stacks/../probes/probes.h \
 src/audit/../traces/../stacks/../probes/../bpf/bpf.h \
 src/audit/../traces/../stacks/../probes/../bpf/../list/list.h \
 src/audit/../traces/../stacks/../probes/../catchers/owner.h \
 src/audit/../traces/../stacks/../probes/../catchers/../list/list.h \
 src/audit/../traces/../stacks/../probes/../ftrace/tracing.h \
 src/audit/../traces/../stacks/../probes/../ftrace/../list/list.h \
 src/audit/../traces/../stacks/../probes/../list/list.h \
 src/audit/../traces/../stacks/../dump/task.h \
 src/audit/../traces/../stacks/../dump/dump.h src/audit/expect.h \
 src/audit/../dump/image.h src/audit/../dump/dump.h src/audit/audit.h \
 src/audit/../probes/probes.h src/audit/../dump/coverage.h
