// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * map_ring: map one cpu's ring buffer as a reader would, read some
 * sub-buffers, and keep it mapped.
 *
 *   map_ring TRACE_PIPE_RAW COUNT
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* linux/trace_mmap.h, which older systems do not have */
#define TRACE_MMAP_IOCTL_GET_READER _IO('R', 0x20)

int main(int argc, char **argv)
{
	int count = argc == 3 ? atoi(argv[2]) : 0;
	int fd = argc == 3 ? open(argv[1], O_RDONLY | O_NONBLOCK) : -1;
	void *meta;

	if (fd < 0) {
		perror("map_ring: open");
		return 1;
	}
	meta = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, 0);
	if (meta == MAP_FAILED) {
		perror("map_ring: mmap");
		return 1;
	}
	while (count-- > 0)
		if (ioctl(fd, TRACE_MMAP_IOCTL_GET_READER))
			perror("map_ring: get reader");
	for (;;)
		pause();
}
