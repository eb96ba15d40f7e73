build-cs5/src/audit/ppc64le/barriers.o: src/audit/ppc64le/barriers.c \
 src/audit/ppc64le/ppc64le.h src/audit/ppc64le/../../dump/image.h \
 src/audit/ppc64le/../../dump/dump.h \
 src/audit/ppc64le/../../dump/../arch/arch.h \
 src/audit/ppc64le/../../dump/../arch/../otst.h \
 src/audit/ppc64le/../../dump/../arch/bytes.h \
 src/audit/ppc64le/../../dump/../otst.h src/audit/ppc64le/../expect.h \
 src/audit/ppc64le/../../ftrace/ftrace.h \
 src/audit/ppc64le/../../ftrace/../list/list.h \
 src/audit/ppc64le/../../ftrace/../list/../dump/dump.h \
 src/audit/ppc64le/../../dump/image.h src/audit/ppc64le/../audit.h \
 src/audit/ppc64le/../../probes/probes.h \
 src/audit/ppc64le/../../probes/../bpf/bpf.h \
 src/audit/ppc64le/../../probes/../bpf/../list/list.h \
 src/audit/ppc64le/../../probes/../catchers/owner.h \
 src/audit/ppc64le/../../probes/../catchers/../list/list.h \
 src/audit/ppc64le/../../probes/../ftrace/tracing.h \
 src/audit/ppc64le/../../probes/../ftrace/../list/list.h \
 src/audit/ppc64le/../../probes/../list/list.h \
 src/audit/ppc64le/../../dump/coverage.h
