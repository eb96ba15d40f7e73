// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * readings: what the guest's kernel said before a dump and still says after it.
 *
 *   readings NAME ASK TELL PATH...
 *
 * Reads every file below the PATHs, asks for a dump on ASK, "===DUMP NAME", waits for a line
 * on TELL, and reads them again. Prints, framed for tests/lab/boot, those that said the same
 * both times, and as the file "unsteady" the names of the others.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

struct reading {
	char *path;
	char *text;
	size_t size;
};

static struct reading *readings;
static size_t count;

/* Files that block or consume, and those that are the same in every dump of a kernel. */
static const char *const unread[] = {
	"trace_pipe",
	"trace_pipe_raw",
	"snapshot_raw",
	"free_buffer",
	"timerlat_fd",
	"user_events_data",
	"options",
	"format",
	"README",
	"available_filter_functions",
	"available_filter_functions_addrs",
	"header_event",
	"header_page",
};

static int is_unread(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(unread) / sizeof(*unread); i++)
		if (!strcmp(name, unread[i]))
			return 1;
	return 0;
}

/* 0, or -1 when the file cannot be read to its end */
static int read_file(const char *path, char **text, size_t *size)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK);
	size_t room = 0;
	ssize_t n = -1;

	*text = NULL;
	*size = 0;
	if (fd < 0)
		return -1;
	do {
		if (room - *size < 4096) {
			room = room ? room * 2 : 8192;
			*text = realloc(*text, room);
			if (!*text)
				abort();
		}
		n = read(fd, *text + *size, room - *size);
		*size += n > 0 ? n : 0;
	} while (n > 0);
	close(fd);
	*text = realloc(*text, *size + 1);
	return n ? -1 : 0;
}

/* 700 folders that only differ by name: those of open() stand for all */
static int is_alike(const char *folder, const char *name)
{
	size_t n = strlen(folder), end = strlen("/events/syscalls");

	return n >= end && !strcmp(folder + n - end, "/events/syscalls") &&
	       !strncmp(name, "sys_", 4) && !strstr(name, "open");
}

static void read_below(const char *path);

static void read_folder(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	char *below;

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || is_unread(entry->d_name) ||
		    is_alike(path, entry->d_name))
			continue;
		if (asprintf(&below, "%s/%s", path, entry->d_name) < 0)
			abort();
		read_below(below);
		free(below);
	}
	if (dir)
		closedir(dir);
}

static void read_below(const char *path)
{
	struct reading one = { 0 };
	struct stat st;

	if (lstat(path, &st))
		return;
	if (S_ISDIR(st.st_mode)) {
		read_folder(path);
		return;
	}
	if (!S_ISREG(st.st_mode) || !(st.st_mode & 0444))
		return;
	if (read_file(path, &one.text, &one.size)) {
		free(one.text);
		return;
	}
	one.path = strdup(path);
	readings = realloc(readings, (count + 1) * sizeof(one));
	if (!readings)
		abort();
	readings[count++] = one;
}

static int open_port(const char *path)
{
	int fd = open(path, O_RDWR | O_NOCTTY);
	struct termios tio;

	if (fd >= 0 && !tcgetattr(fd, &tio)) {
		cfmakeraw(&tio);
		tcsetattr(fd, TCSANOW, &tio);
	}
	return fd;
}

static void have_dump(const char *name, const char *ask, const char *tell)
{
	int asked = open_port(ask), told = open_port(tell);
	char c = 0;

	dprintf(asked, "===DUMP %s\n", name);
	tcdrain(asked);
	while (c != '\n')
		if (read(told, &c, 1) != 1)
			break;
	close(asked);
	close(told);
}

static void print_frame(const char *name, const char *text, size_t size)
{
	printf("===BEGIN %s %zu\n", name, size);
	fwrite(text, 1, size, stdout);
	printf("===END\n");
}

/* Both times the same, or a line of @unsteady. */
static void compare_again(const struct reading *r, FILE *unsteady)
{
	size_t size;
	char *text;

	if (read_file(r->path, &text, &size) || size != r->size || memcmp(text, r->text, size))
		fprintf(unsteady, "%s\n", r->path);
	else
		print_frame(r->path, text, size);
	free(text);
}

int main(int argc, char **argv)
{
	char *names = NULL;
	size_t i, size = 0;
	FILE *unsteady;
	int arg;

	if (argc < 5)
		return 2;
	for (arg = 4; arg < argc; arg++)
		read_below(argv[arg]);
	have_dump(argv[1], argv[2], argv[3]);
	unsteady = open_memstream(&names, &size);
	for (i = 0; i < count; i++)
		compare_again(&readings[i], unsteady);
	fclose(unsteady);
	print_frame("unsteady", names, size);
	return fflush(stdout) ? 1 : 0;
}
