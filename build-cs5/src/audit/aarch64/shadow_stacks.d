build-cs5/src/audit/aarch64/shadow_stacks.o: \
 src/audit/aarch64/shadow_stacks.c src/audit/aarch64/aarch64.h \
 src/audit/aarch64/../../dump/image.h src/audit/aarch64/../../dump/dump.h \
 src/audit/aarch64/../../dump/../arch/arch.h \
 src/audit/aarch64/../../dump/../arch/../otst.h \
 src/audit/aarch64/../../dump/../arch/bytes.h \
 src/audit/aarch64/../../dump/../otst.h src/audit/aarch64/../expect.h \
 src/audit/aarch64/../../ftrace/ftrace.h \
 src/audit/aarch64/../../ftrace/../list/list.h \
 src/audit/aarch64/../../ftrace/../list/../dump/dump.h \
 src/audit/aarch64/../../dump/image.h src/audit/aarch64/../audit.h \
 src/audit/aarch64/../../probes/probes.h \
 src/audit/aarch64/../../probes/../bpf/bpf.h \
 src/audit/aarch64/../../probes/../bpf/../list/list.h \
 src/audit/aarch64/../../probes/../catchers/owner.h \
 src/audit/aarch64/../../probes/../catchers/../list/list.h \
 src/audit/aarch64/../../probes/../ftrace/tracing.h \
 src/audit/aarch64/../../probes/../ftrace/../list/list.h \
 src/audit/aarch64/../../probes/../list/list.h \
 src/audit/aarch64/../../dump/coverage.h
