build-cs5/src/audit/riscv64/classes.o: src/audit/riscv64/classes.c \
 src/audit/riscv64/../../ftrace/ftrace.h \
 src/audit/riscv64/../../ftrace/../list/list.h \
 src/audit/riscv64/../../ftrace/../list/../dump/dump.h \
 src/audit/riscv64/../../ftrace/../list/../dump/../arch/arch.h \
 src/audit/riscv64/../../ftrace/../list/../dump/../arch/../otst.h \
 src/audit/riscv64/../../ftrace/../list/../dump/../arch/bytes.h \
 src/audit/riscv64/../../ftrace/../list/../dump/../otst.h \
 src/audit/riscv64/riscv64.h src/audit/riscv64/../../dump/image.h \
 src/audit/riscv64/../../dump/dump.h src/audit/riscv64/../expect.h \
 src/audit/riscv64/../../ftrace/ftrace.h \
 src/audit/riscv64/../../dump/image.h src/audit/riscv64/../audit.h \
 src/audit/riscv64/../../probes/probes.h \
 src/audit/riscv64/../../probes/../bpf/bpf.h \
 src/audit/riscv64/../../probes/../bpf/../list/list.h \
 src/audit/riscv64/../../probes/../catchers/owner.h \
 src/audit/riscv64/../../probes/../catchers/../list/list.h \
 src/audit/riscv64/../../probes/../ftrace/tracing.h \
 src/audit/riscv64/../../probes/../ftrace/../list/list.h \
 src/audit/riscv64/../../probes/../list/list.h \
 src/audit/riscv64/../../dump/coverage.h
