build-cs5/src/audit/s390x/trampolines.o: src/audit/s390x/trampolines.c \
 src/audit/s390x/s390x.h src/audit/s390x/../../dump/image.h \
 src/audit/s390x/../../dump/dump.h \
 src/audit/s390x/../../dump/../arch/arch.h \
 src/audit/s390x/../../dump/../arch/../otst.h \
 src/audit/s390x/../../dump/../arch/bytes.h \
 src/audit/s390x/../../dump/../otst.h src/audit/s390x/../expect.h \
 src/audit/s390x/../../ftrace/ftrace.h \
 src/audit/s390x/../../ftrace/../list/list.h \
 src/audit/s390x/../../ftrace/../list/../dump/dump.h \
 src/audit/s390x/../../dump/image.h src/audit/s390x/../audit.h \
 src/audit/s390x/../../probes/probes.h \
 src/audit/s390x/../../probes/../bpf/bpf.h \
 src/audit/s390x/../../probes/../bpf/../list/list.h \
 src/audit/s390x/../../probes/../catchers/owner.h \
 src/audit/s390x/../../probes/../catchers/../list/list.h \
 src/audit/s390x/../../probes/../ftrace/tracing.h \
 src/audit/s390x/../../probes/../ftrace/../list/list.h \
 src/audit/s390x/../../probes/../list/list.h \
 src/audit/s390x/../../dump/coverage.h
