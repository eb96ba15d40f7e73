build-cs5/src/verdict/memory.o: src/verdict/memory.c \
 src/verdict/../bpf/bpf.h src/verdict/../bpf/../list/list.h \
 src/verdict/../bpf/../list/../dump/dump.h \
 src/verdict/../bpf/../list/../dump/../arch/arch.h \
 src/verdict/../bpf/../list/../dump/../arch/../otst.h \
 src/verdict/../bpf/../list/../dump/../arch/bytes.h \
 src/verdict/../bpf/../list/../dump/../otst.h \
 src/verdict/../catchers/catcher.h src/verdict/../catchers/../list/list.h \
 src/verdict/../catchers/registry.h \
 src/verdict/../catchers/../dump/dump.h src/verdict/../catchers/owner.h \
 src/verdict/../traces/stap.h src/verdict/../traces/traces.h \
 src/verdict/../traces/../stacks/stack.h \
 src/verdict/../traces/../stacks/../probes/probes.h \
 src/verdict/../traces/../stacks/../probes/../bpf/bpf.h \
 src/verdict/../traces/../stacks/../probes/../catchers/owner.h \
 src/verdict/../traces/../stacks/../probes/../ftrace/tracing.h \
 src/verdict/../traces/../stacks/../probes/../ftrace/../list/list.h \
 src/verdict/../traces/../stacks/../probes/../list/list.h \
 src/verdict/../traces/../stacks/../dump/task.h \
 src/verdict/../traces/../stacks/../dump/dump.h \
 src/verdict/../traces/../catchers/stap.h \
 src/verdict/../traces/../catchers/../list/list.h src/verdict/verdict.h \
 src/verdict/../audit/audit.h src/verdict/../audit/../probes/probes.h \
 src/verdict/../audit/../dump/coverage.h \
 src/verdict/../audit/../dump/dump.h src/verdict/../where/where.h \
 src/verdict/../where/../ftrace/ftrace.h \
 src/verdict/../where/../ftrace/../list/list.h \
 src/verdict/../where/../dump/disassemble.h \
 src/verdict/../where/../dump/dump.h \
 src/verdict/../where/../traces/traces.h
