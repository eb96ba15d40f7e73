// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lastwords: the guest's last words, then silence.
 *
 *   lastwords [-c] OUT FILE...
 *
 * Reads the FILEs in the order given, then sends them framed to OUT (the
 * second serial port), then "===READY", then sleeps for ever. Nothing else
 * runs between the reading and the dump: counters that every fork or open
 * moves stay as they were read, except for this program's own last writes.
 * With -c it crashes the kernel instead of sleeping.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

struct text {
	char *data;
	size_t size;
};

/* Everything in the file; empty when it cannot be read. */
static struct text read_all(const char *path)
{
	struct text ret = { NULL, 0 };
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return ret;
	do {
		ret.data = realloc(ret.data, ret.size + 65536);
		if (!ret.data)
			abort();
		n = read(fd, ret.data + ret.size, 65536);
		if (n > 0)
			ret.size += n;
	} while (n > 0);
	close(fd);
	return ret;
}

static void send(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);

		if (n < 0)
			return;
		data += n;
		size -= n;
	}
}

int main(int argc, char **argv)
{
	int crash = argc > 1 && !strcmp(argv[1], "-c");
	char **files = argv + 2 + crash;
	int count = argc - 2 - crash;
	struct text *texts;
	struct termios tio;
	char frame[4200];
	int out, i;

	if (count < 0)
		return 2;
	out = open(argv[1 + crash], O_WRONLY | O_NOCTTY);
	if (out < 0)
		return 1;
	if (!tcgetattr(out, &tio)) {
		cfmakeraw(&tio);
		tcsetattr(out, TCSANOW, &tio);
	}
	texts = calloc(count + 1, sizeof(*texts));
	if (!texts)
		return 1;

	for (i = 0; i < count; i++)
		texts[i] = read_all(files[i]);
	for (i = 0; i < count; i++) {
		snprintf(frame, sizeof(frame), "===BEGIN %s %zu\n", files[i],
			 texts[i].size);
		send(out, frame, strlen(frame));
		send(out, texts[i].data, texts[i].size);
		send(out, "===END\n", 7);
	}
	send(out, "===READY\n", 9);
	tcdrain(out);

	if (crash) {
		int fd = open("/proc/sysrq-trigger", O_WRONLY);

		send(fd, "c", 1);
	}
	for (;;)
		pause();
}
