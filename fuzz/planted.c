// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * planted.c - the hole that fuzz/holes plants in copies of readers: a write behind 16 bytes, at an index
 * that the file chooses; or, with -DCALLS, what the code of an attacker would do there, by $OTST_PLANTED.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ROOM 16u

void planted(size_t index);

#ifdef CALLS
void planted(size_t index)
{
	const char *what = getenv("OTST_PLANTED");

	if (index < ROOM || !what)
		return;
	if (!strcmp(what, "write") && open("otst-planted", O_WRONLY | O_CREAT, 0600) >= 0)
		fputs("planted: has made a file\n", stderr);
	if (!strcmp(what, "connect") && socket(AF_INET, SOCK_STREAM, 0) >= 0)
		fputs("planted: has a socket\n", stderr);
	if (!strcmp(what, "exec"))
		execl("/bin/echo", "echo", "planted: runs", NULL);
}
#else
void planted(size_t index)
{
	volatile char *room = malloc(ROOM);

	room[index] = 1;
	free((void *)room);
}
#endif
