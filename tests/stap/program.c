// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * program.c - has a function that lab.stp probes.
 */
static volatile int worked;

__attribute__((noinline)) static void work(void)
{
	worked++;
}

int main(void)
{
	work();
	return worked != 1;
}
