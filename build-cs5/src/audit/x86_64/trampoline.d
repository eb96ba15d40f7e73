build-cs5/src/audit/x86_64/trampoline.o: src/audit/x86_64/trampoline.c \
 src/audit/x86_64/x86_64.h src/audit/x86_64/../expect.h \
 src/audit/x86_64/../../ftrace/ftrace.h \
 src/audit/x86_64/../../ftrace/../list/list.h \
 src/audit/x86_64/../../ftrace/../list/../dump/dump.h \
 src/audit/x86_64/../../ftrace/../list/../dump/../arch/arch.h \
 src/audit/x86_64/../../ftrace/../list/../dump/../arch/../otst.h \
 src/audit/x86_64/../../ftrace/../list/../dump/../arch/bytes.h \
 src/audit/x86_64/../../ftrace/../list/../dump/../otst.h \
 src/audit/x86_64/../../dump/image.h src/audit/x86_64/../../dump/dump.h \
 src/audit/x86_64/../audit.h src/audit/x86_64/../../probes/probes.h \
 src/audit/x86_64/../../probes/../bpf/bpf.h \
 src/audit/x86_64/../../probes/../bpf/../list/list.h \
 src/audit/x86_64/../../probes/../catchers/owner.h \
 src/audit/x86_64/../../probes/../catchers/../list/list.h \
 src/audit/x86_64/../../probes/../ftrace/tracing.h \
 src/audit/x86_64/../../probes/../ftrace/../list/list.h \
 src/audit/x86_64/../../probes/../list/list.h \
 src/audit/x86_64/../../dump/coverage.h
