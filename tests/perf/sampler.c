// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sampler: perf buffers in every state, and what is in them.
 *
 *   sampler ADDRESS
 *
 * Opens events that sample with callchains into buffers that are left unread, half
 * read, wrapped many times, written backward, overwritten; sets hardware
 * breakpoints on its own memory and on the kernel's vfs_mkdir(), at ADDRESS; makes
 * the module perf_wide fill an AUX area and keep a thread in its callchain. When
 * all is off it prints what it reads from its own mappings, one line per record,
 * decoded here and by no other code, and stays, so that a dump has it all.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COMMON                                                                          \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU)
#define EVERYTHING                                                                               \
	(COMMON | PERF_SAMPLE_ADDR | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_ID | \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_RAW | PERF_SAMPLE_REGS_USER |  \
	 PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |                    \
	 PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR)
#define FORMAT_ALL                                                             \
	(PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED | \
	 PERF_FORMAT_TOTAL_TIME_RUNNING)
#define MOST_EVENTS 32

#ifdef __x86_64__
#define REGISTERS   0xff0fffu	 /* all but the segments */
#define INSTRUCTION sizeof(long) /* a breakpoint's length */
#else
#ifdef __riscv
#define REGISTERS 0xffffffffu
#else
#define REGISTERS ((UINT64_C(1) << 33) - 1)
#endif
#define INSTRUCTION HW_BREAKPOINT_LEN_4
#endif

/* what is done with a buffer while it fills */
enum use { UNREAD, HALF, DRAINED, OVERWRITTEN, BACKWARD };

struct event {
	const char *name;
	int fd;
	uint64_t id;
	struct perf_event_attr attr;
};

struct buffer {
	const char *name;
	enum use use;
	struct event *event;
	struct perf_event_mmap_page *page;
	const uint8_t *data;
	uint64_t size;
	uint64_t seen; /* printed up to here */
	uint64_t records;
};

static struct event events[MOST_EVENTS];
static unsigned int nr_events;
static struct buffer buffers[MOST_EVENTS];
static unsigned int nr_buffers;
static volatile uint64_t watched;
static size_t page_size;

static struct event *open_event(const char *name, struct perf_event_attr attr, int pid, int cpu)
{
	struct event *e = &events[nr_events];

	attr.size = sizeof(attr);
	attr.disabled = 1;
	e->fd = (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, 0);
	if (e->fd < 0) {
		printf("refused %s %s\n", name, strerror(errno));
		return NULL;
	}
	e->name = name;
	e->attr = attr;
	if (ioctl(e->fd, PERF_EVENT_IOC_ID, &e->id))
		perror("id");
	nr_events++;
	return e;
}

static void map_buffer(struct event *e, enum use use, size_t pages)
{
	struct buffer *b = &buffers[nr_buffers];
	bool readonly = use == OVERWRITTEN || use == BACKWARD;

	if (!e)
		return;
	b->page = mmap(NULL, (pages + 1) * page_size, PROT_READ | (readonly ? 0 : PROT_WRITE),
		       MAP_SHARED, e->fd, 0);
	if (b->page == MAP_FAILED) {
		printf("refused %s buffer %s\n", e->name, strerror(errno));
		return;
	}
	b->name = e->name;
	b->use = use;
	b->event = e;
	b->data = (const uint8_t *)b->page + page_size;
	b->size = pages * page_size;
	nr_buffers++;
}

/* ---- what is in a record ---- */

static struct event *event_of(uint64_t id)
{
	for (unsigned int i = 0; i < nr_events; i++) {
		if (events[i].id == id)
			return &events[i];
	}
	return NULL;
}

static uint64_t word(const uint8_t *rec, unsigned int i)
{
	uint64_t v;

	memcpy(&v, rec + 8 * i, 8);
	return v;
}

static uint32_t half(const uint8_t *rec, unsigned int i)
{
	uint32_t v;

	memcpy(&v, rec + 4 * i, 4);
	return v;
}

/* each event has IDENTIFIER, IP, TID, TIME and CPU; its sample_type says what else */
static void print_sample(const struct event *e, const uint8_t *rec)
{
	uint64_t type = e->attr.sample_type, n;
	unsigned int i = 1;

	i += 1; /* identifier */
	printf(" ip %" PRIx64, word(rec, i++));
	printf(" pid %u tid %u", half(rec, 2 * i), half(rec, 2 * i + 1));
	printf(" time %" PRIu64, word(rec, ++i));
	i++;
	i += !!(type & PERF_SAMPLE_ADDR) + !!(type & PERF_SAMPLE_ID) +
	     !!(type & PERF_SAMPLE_STREAM_ID);
	printf(" cpu %u", half(rec, 2 * i++));
	i += !!(type & PERF_SAMPLE_PERIOD);
	if (type & PERF_SAMPLE_READ)
		i += 3 + 2 * (unsigned int)word(rec, i); /* FORMAT_ALL */
	printf(" chain");
	if (type & PERF_SAMPLE_CALLCHAIN) {
		for (n = word(rec, i++); n; n--)
			printf(" %" PRIx64, word(rec, i++));
	}
}

static void print_record(struct buffer *b, uint64_t at, const char *state)
{
	struct perf_event_header h;
	static uint64_t words[8192];
	uint8_t *rec = (uint8_t *)words;
	struct event *e;
	uint16_t i;

	memcpy(&h, b->data + (at & (b->size - 1)), sizeof(h));
	for (i = 0; i < h.size; i++)
		rec[i] = b->data[(at + i) & (b->size - 1)];
	printf("record %s %" PRIu64 " %s type %u size %u", b->name, at, state, h.type, h.size);
	if (h.type == PERF_RECORD_SAMPLE) {
		e = event_of(word(rec, 1));
		printf(" event %s", e ? e->name : "?");
		if (e)
			print_sample(e, rec);
	}
	printf("\n");
	b->records++;
}

static uint16_t size_at(const struct buffer *b, uint64_t at)
{
	struct perf_event_header h;

	memcpy(&h, b->data + (at & (b->size - 1)), sizeof(h));
	return h.size;
}

static uint64_t head_of(const struct buffer *b)
{
	return __atomic_load_n(&b->page->data_head, __ATOMIC_ACQUIRE);
}

/* print all that is new; give its space back to the kernel when @consume */
static void follow(struct buffer *b, const char *state, uint64_t end, bool consume)
{
	if (head_of(b) - b->seen > b->size) {
		printf("missed %s\n", b->name);
		b->seen = head_of(b);
		return;
	}
	while (b->seen < end) {
		uint16_t size = size_at(b, b->seen);

		if (!size)
			break;
		print_record(b, b->seen, state);
		b->seen += size;
	}
	if (consume)
		__atomic_store_n(&b->page->data_tail, b->seen, __ATOMIC_RELEASE);
}

static void while_filling(struct buffer *b)
{
	uint64_t head = head_of(b);

	if (b->use == OVERWRITTEN)
		follow(b, "overwrite", head, false);
	else if (b->use == DRAINED && head - b->seen > b->size / 2)
		follow(b, "consumed", b->seen + b->size / 4, true);
}

/* newest first, up to the record that the newest one overwrote */
static void print_backward(struct buffer *b)
{
	uint64_t at = head_of(b), limit = at + b->size;

	if (0 - at < b->size)
		limit = 0;
	while (at != limit && size_at(b, at) && size_at(b, at) <= limit - at) {
		print_record(b, at, "overwrite");
		at += size_at(b, at);
	}
}

static void finish(struct buffer *b)
{
	uint64_t head = head_of(b);

	if (b->use == BACKWARD) {
		print_backward(b);
	} else {
		if (b->use == HALF)
			follow(b, "consumed", head / 2, true);
		follow(b, b->use == OVERWRITTEN ? "overwrite" : "unread", head, false);
	}
	printf("buffer %s head %" PRIu64 " tail %" PRIu64 " size %" PRIu64 " records %" PRIu64 "\n",
	       b->name, head, (uint64_t)b->page->data_tail, b->size, b->records);
}

/* ---- work to sample ---- */

static __attribute__((noinline)) unsigned int recurse(unsigned int depth, unsigned int work)
{
	volatile unsigned int sum = depth;

	for (unsigned int i = 0; i < work; i++)
		sum += i;
	return depth ? recurse(depth - 1, work) + sum : sum;
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void work(double seconds)
{
	double end = now() + seconds;
	int n = 0, i;

	prctl(PR_SET_NAME, "sampler-works");
	while (now() < end) {
		recurse(10, 2000);
		usleep(300);
		close(open("/proc/self/status", O_RDONLY));
		for (i = 0; i < (int)nr_buffers; i++)
			while_filling(&buffers[i]);
		if (n++ == 20)
			prctl(PR_SET_NAME, "sampler-late");
	}
}

/* ---- events ---- */

static int number_in(const char *path)
{
	FILE *f = fopen(path, "r");
	int n = -1;

	if (!f || fscanf(f, "%d", &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

static struct perf_event_attr tracepoint(const char *name, uint64_t sample_type)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", name);
	return (struct perf_event_attr){ .type = PERF_TYPE_TRACEPOINT,
					 .config = (uint64_t)number_in(path),
					 .sample_period = 1,
					 .sample_type = sample_type };
}

static struct perf_event_attr clock_event(uint64_t sample_type)
{
	return (struct perf_event_attr){ .type = PERF_TYPE_SOFTWARE,
					 .config = PERF_COUNT_SW_CPU_CLOCK,
					 .sample_period = 2000000,
					 .sample_type = sample_type };
}

static struct perf_event_attr kprobe(const char *function)
{
	return (struct perf_event_attr){
		.type = (uint32_t)number_in("/sys/bus/event_source/devices/kprobe/type"),
		.sample_period = 1,
		.sample_type = COMMON | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW,
		.config1 = (uintptr_t)function
	};
}

/* with a second event that has other fields in the same buffer */
static void open_shared(void)
{
	struct event *first = open_event("kprobe", kprobe("hrtimer_nanosleep"), -1, 0);
	struct event *second =
		open_event("exits",
			   tracepoint("raw_syscalls/sys_exit",
				      COMMON | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_PERIOD),
			   -1, 0);

	map_buffer(first, HALF, 512);
	if (first && second && ioctl(second->fd, PERF_EVENT_IOC_SET_OUTPUT, first->fd))
		printf("refused exits output %s\n", strerror(errno));
}

static void open_everything(void)
{
	struct perf_event_attr attr = tracepoint("sched/sched_switch", EVERYTHING);

	attr.read_format = FORMAT_ALL;
	attr.sample_regs_user = attr.sample_regs_intr = REGISTERS;
	attr.sample_stack_user = 512;
	map_buffer(open_event("everything", attr, -1, 0), UNREAD, 128);
}

static void open_own(void)
{
	struct perf_event_attr attr = clock_event(COMMON | PERF_SAMPLE_CALLCHAIN);

	attr.comm = attr.task = attr.sample_id_all = 1;
	attr.sample_period = 1000000;
	map_buffer(open_event("own", attr, 0, -1), UNREAD, 64);
}

static void open_all(void)
{
	struct perf_event_attr switches =
		tracepoint("sched/sched_switch", COMMON | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW);
	struct perf_event_attr backward = switches;

	backward.write_backward = 1;
	map_buffer(open_event("clock0", clock_event(COMMON | PERF_SAMPLE_CALLCHAIN), -1, 0), UNREAD,
		   256);
	map_buffer(open_event("clock1",
			      clock_event(COMMON | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_PERIOD), -1,
			      1),
		   HALF, 256);
	map_buffer(open_event("small", switches, -1, 0), DRAINED, 4);
	map_buffer(open_event("over", switches, -1, 0), OVERWRITTEN, 16);
	map_buffer(open_event("back0", backward, -1, 0), BACKWARD, 4);
	map_buffer(open_event("back1", backward, -1, 1), BACKWARD, 256);
	open_shared();
	open_everything();
	open_own();
}

static void switch_all(unsigned long on)
{
	for (unsigned int i = 0; i < nr_events; i++) {
		if (ioctl(events[i].fd, on, 0))
			perror(events[i].name);
	}
}

/* ---- hardware breakpoints ---- */

static void open_breakpoint(const char *name, uint64_t addr, uint32_t type, int pid, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = type,
		.bp_addr = addr,
		.bp_len = type == HW_BREAKPOINT_X ? INSTRUCTION : HW_BREAKPOINT_LEN_4,
	};
	struct event *e = open_event(name, attr, pid, cpu);

	if (e && ioctl(e->fd, PERF_EVENT_IOC_ENABLE, 0))
		perror(name);
}

static void breakpoints(uint64_t function)
{
	unsigned int first = nr_events, i;
	uint64_t count;

	open_breakpoint("own-write", (uintptr_t)&watched, HW_BREAKPOINT_W, 0, -1);
	open_breakpoint("kernel-own", function, HW_BREAKPOINT_X, 0, -1);
	open_breakpoint("kernel-cpu0", function, HW_BREAKPOINT_X, -1, 0);
	open_breakpoint("kernel-cpu1", function, HW_BREAKPOINT_X, -1, 1);
	for (i = 0; i < 3; i++)
		watched = i;
	mkdir("/run/sampler-1", 0700);
	mkdir("/run/sampler-2", 0700);
	for (i = first; i < nr_events; i++) {
		count = 0;
		if (read(events[i].fd, &count, sizeof(count)) != sizeof(count))
			perror(events[i].name);
		printf("breakpoint %s id %" PRIu64 " addr %" PRIx64 " type %u len %u count %" PRIu64
		       "\n",
		       events[i].name, events[i].id, (uint64_t)events[i].attr.bp_addr,
		       events[i].attr.bp_type, (unsigned int)events[i].attr.bp_len, count);
	}
}

/* ---- what the module has ---- */

#define AUX_PAGES 4

static void open_aux(void)
{
	struct perf_event_attr attr = {
		.type = (uint32_t)number_in("/sys/bus/event_source/devices/perf_wide/type"),
	};
	struct event *e = open_event("aux", attr, -1, 0);
	struct perf_event_mmap_page *page;

	if (!e)
		return;
	page = mmap(NULL, 2 * page_size, PROT_READ | PROT_WRITE, MAP_SHARED, e->fd, 0);
	if (page == MAP_FAILED) {
		printf("refused aux buffer %s\n", strerror(errno));
		return;
	}
	page->aux_offset = 2 * page_size;
	page->aux_size = AUX_PAGES * page_size;
	if (mmap(NULL, AUX_PAGES * page_size, PROT_READ | PROT_WRITE, MAP_SHARED, e->fd,
		 (off_t)(2 * page_size)) == MAP_FAILED) {
		printf("refused aux area %s\n", strerror(errno));
		return;
	}
	ioctl(e->fd, PERF_EVENT_IOC_ENABLE, 0);
	page->aux_tail = 400;
	ioctl(e->fd, PERF_EVENT_IOC_DISABLE, 0);
	printf("aux size %zu head %" PRIu64 " tail %" PRIu64 "\n", AUX_PAGES * page_size,
	       (uint64_t)page->aux_head, (uint64_t)page->aux_tail);
}

/* the first system call of a new process is its last */
static void get_stuck(void)
{
	struct perf_event_attr attr =
		tracepoint("raw_syscalls/sys_enter", COMMON | PERF_SAMPLE_CALLCHAIN);
	cpu_set_t last;
	struct event *e;

	CPU_ZERO(&last);
	CPU_SET(1, &last);
	if (fork())
		return;
	prctl(PR_SET_NAME, "sampler-stuck");
	sched_setaffinity(0, sizeof(last), &last);
	e = open_event("stuck", attr, 0, -1);
	if (e)
		ioctl(e->fd, PERF_EVENT_IOC_ENABLE, 0);
	getppid();
	_exit(1);
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc != 2)
		return 2;
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	/* no file is written during sampling: that would be sampled, too */
	setvbuf(stdout, malloc(64 << 20), _IOFBF, 64 << 20);
	open_all();
	switch_all(PERF_EVENT_IOC_ENABLE);
	work(2.5);
	switch_all(PERF_EVENT_IOC_DISABLE);
	for (i = 0; i < nr_buffers; i++)
		finish(&buffers[i]);
	for (i = 0; i < nr_events; i++)
		printf("event %s id %" PRIu64 "\n", events[i].name, events[i].id);
	breakpoints(strtoull(argv[1], NULL, 16));
	open_aux();
	printf("pid %d\nready\n", (int)getpid());
	fflush(stdout);
	get_stuck();
	for (;;)
		pause();
}
