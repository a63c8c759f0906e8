/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a network simulator has to add for the host: frames arrive at a card at
 * full rate, each of them needs a descriptor from memory before it can be
 * written there, and the card holds so many frames that wait for one.
 *
 *     cc -o network network.c -lpcb-host -lcsv -ljansson -lm
 *     ./network sim:e5-2630v4-iommu iotlb=16
 */
#include <pcb_host.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FRAMES  2000
#define FRAME   128   /* bytes */
#define EVERY   29600 /* ps from frame to frame at 40 Gbit/s */
#define SLOTS   24    /* frames that the card holds */
#define RING    256   /* descriptors, of 16 bytes */
#define BUFFERS (UINT64_C(1) << 24)

static struct pcb_host_answer
take(struct pcb_host *host, uint64_t time, uint64_t address, uint64_t size,
     bool write)
{
	struct pcb_host_transaction t = {time, address, size, write};
	const char *why = pcb_host_check(host, &t);

	if (why)
		fprintf(stderr, "network: %s\n", why);
	return pcb_host_take(host, &t);
}

/*
 * Transactions must come in the order of their times: the write of a frame
 * goes out with the first frame that arrives after its descriptor.
 */
int
main(int argc, char *argv[])
{
	struct pcb_host_setup setup = {.seed = 1};
	uint64_t ready[SLOTS] = {0}, waited = 0, dropped = 0;
	struct pcb_host *host;

	if (argc > 1 && strncmp(argv[1], "sim:", 4) == 0)
		setup.profile = argv[1] + 4;
	if (argc > 2)
		setup.options = (const char *const *)&argv[2];
	host = pcb_host_open(&setup);
	for (uint64_t i = 0; i < FRAMES; i++) {
		uint64_t now = i * EVERY, slot = 0;
		struct pcb_host_answer descriptor;

		for (uint64_t k = 0; k < SLOTS; k++) {
			if (ready[k] && ready[k] <= now) {
				take(host, now, BUFFERS + i % RING * 4096,
				     FRAME, true);
				ready[k] = 0;
			}
		}
		while (slot < SLOTS && ready[slot])
			slot++;
		if (slot == SLOTS) {
			dropped++;
			continue;
		}
		descriptor = take(host, now, i % RING * 16, 16, false);
		ready[slot] = descriptor.last;
		waited += descriptor.last - now;
	}
	pcb_host_close(host);
	printf("%" PRIu64 " of %d frames dropped; a descriptor took %" PRIu64
	       " ns on average\n",
	       dropped, FRAMES, waited / (FRAMES - dropped) / 1000);
	return 0;
}
