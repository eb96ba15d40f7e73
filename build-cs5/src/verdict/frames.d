build-cs5/src/verdict/frames.o: src/verdict/frames.c \
 src/verdict/verdict.h src/verdict/../audit/audit.h \
 src/verdict/../audit/../probes/probes.h \
 src/verdict/../audit/../probes/../bpf/bpf.h \
 src/verdict/../audit/../probes/../bpf/../list/list.h \
 src/verdict/../audit/../probes/../bpf/../list/../dump/dump.h \
 src/verdict/../audit/../probes/../bpf/../list/../dump/../arch/arch.h \
 src/verdict/../audit/../probes/../bpf/../list/../dump/../arch/../otst.h \
 src/verdict/../audit/../probes/../bpf/../list/../dump/../arch/bytes.h \
 src/verdict/../audit/../probes/../bpf/../list/../dump/../otst.h \
 src/verdict/../audit/../probes/../catchers/owner.h \
 src/verdict/../audit/../probes/../catchers/../list/list.h \
 src/verdict/../audit/../probes/../ftrace/tracing.h \
 src/verdict/../audit/../probes/../ftrace/../list/list.h \
 src/verdict/../audit/../probes/../list/list.h \
 src/verdict/../audit/../dump/coverage.h \
 src/verdict/../audit/../dump/dump.h src/verdict/../where/where.h \
 src/verdict/../where/../ftrace/ftrace.h \
 src/verdict/../where/../ftrace/../list/list.h \
 src/verdict/../where/../dump/disassemble.h \
 src/verdict/../where/../dump/dump.h \
 src/verdict/../where/../traces/traces.h \
 src/verdict/../where/../traces/../stacks/stack.h \
 src/verdict/../where/../traces/../stacks/../probes/probes.h \
 src/verdict/../where/../traces/../stacks/../dump/task.h \
 src/verdict/../where/../traces/../stacks/../dump/dump.h
