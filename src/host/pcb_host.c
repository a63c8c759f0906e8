/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/pcb_host.h"

#include "common/base/intmath.h"
#include "common/base/util.h"
#include "common/sim/choice.h"
#include "common/sim/host.h"
#include "common/sim/link.h"

#include <stdlib.h>

#define PAGE_BYTES 4096                /* no request crosses it, 2.2.7 */
#define TIMES      (UINT64_C(1) << 62) /* so that no sum overflows */

struct pcb_host {
	struct sim_choice choice;
	struct sim_params params;
	struct sim_link link;
	struct sim_host host;
	uint64_t random;
	uint64_t time; /* of the last transaction */
	bool at_root;
};

struct pcb_host *
pcb_host_open(const struct pcb_host_setup *setup)
{
	struct pcb_host *h = xcalloc(1, sizeof *h);

	h->choice.profile = setup->profile;
	for (const char *const *o = setup->options; o && *o; o++) {
		const char *why = sim_choice_add_setting(&h->choice, *o);

		if (why)
			die("'%s': %s", *o, why);
	}
	sim_choice_load(&h->choice, &h->params);
	h->random = setup->seed;
	h->at_root = setup->at_root;
	sim_link_make(&h->link, &h->params, true);
	sim_host_make(&h->host, &h->params, &h->random);
	sim_host_prepare(&h->host, CACHE_COLD, LINE, false);
	pcb_host_set_random(h, setup->seed);
	return h;
}

void
pcb_host_close(struct pcb_host *host)
{
	sim_link_free(&host->link);
	sim_host_free(&host->host);
	sim_params_free(&host->params);
	sim_choice_free(&host->choice);
	free(host);
}

void
pcb_host_prepare(struct pcb_host *host, enum pcb_host_cache cache,
                 uint64_t window, bool remote)
{
	static const enum cache states[] = {
	    [PCB_HOST_COLD] = CACHE_COLD,
	    [PCB_HOST_THRASHED] = CACHE_THRASHED,
	    [PCB_HOST_WARM] = CACHE_HOST_WARM,
	    [PCB_HOST_DEVICE_WARM] = CACHE_DEVICE_WARM,
	};

	sim_host_prepare(&host->host, states[cache], window, remote);
	pcb_host_idle(host);
}

void
pcb_host_flush(struct pcb_host *host)
{
	sim_cache_flush(&host->host.llc);
}

void
pcb_host_idle(struct pcb_host *host)
{
	sim_link_idle(&host->link);
	sim_host_idle(&host->host);
	host->time = 0;
}

const char *
pcb_host_check(const struct pcb_host *host,
               const struct pcb_host_transaction *t)
{
	if (t->size < 1 || t->size > PAGE_BYTES)
		return "a transaction has 1 to 4096 bytes";
	if (t->address >= MEMORY || t->address + t->size > MEMORY)
		return "the host has addresses below 2^40";
	if (host->at_root && t->address % PAGE_BYTES + t->size > PAGE_BYTES)
		return "a request must not cross a page of 4096 bytes";
	if (t->time < host->time)
		return "its time is before that of the last transaction";
	return t->time < TIMES ? NULL : "times are below 2^62 ps";
}

static struct pcb_host_answer
take_read(struct pcb_host *h, const struct pcb_host_transaction *t)
{
	struct sim_link *link = &h->link;
	struct pcb_host_answer answer = {0};
	struct tlp_walk walk;
	struct sim_read read;

	tlp_walk_read(&walk, &link->rules, t->address, t->size);
	while (sim_link_next_read(link, &walk, &read)) {
		uint64_t arrived = sim_link_request(link, &read, t->time);
		uint64_t ready =
		    sim_host_read(&h->host, read.address, read.length, arrived);
		uint64_t start = sim_link_reply(link, &read, ready);

		if (!answer.first)
			answer.first =
			    start +
			    sim_link_wire(link, min_u64(read.length, LINE) +
			                            link->rules.completion);
		answer.last = link->down;
	}
	return answer;
}

static struct pcb_host_answer
take_write(struct pcb_host *h, const struct pcb_host_transaction *t)
{
	struct sim_link *link = &h->link;
	struct pcb_host_answer answer = {0};
	struct tlp_walk walk;
	struct tlp tlp;

	tlp_walk_write(&walk, &link->writes, t->address, t->size);
	while (tlp_next(&walk, &tlp)) {
		answer.first = sim_link_write(link, &tlp, t->time);
		answer.last = sim_host_write(&h->host, tlp.address, tlp.length,
		                             answer.first);
		sim_link_return(link, &tlp,
		                answer.last + h->params.number[SIM_UPDATE]);
	}
	return answer;
}

static struct pcb_host_answer
take_at_root(struct pcb_host *h, const struct pcb_host_transaction *t)
{
	struct pcb_host_answer answer;

	if (t->write) {
		answer.first = t->time;
		answer.last =
		    sim_host_write(&h->host, t->address, t->size, t->time);
		return answer;
	}
	answer.first = sim_host_read(&h->host, t->address, t->size, t->time);
	answer.last = answer.first;
	return answer;
}

struct pcb_host_answer
pcb_host_take(struct pcb_host *host, const struct pcb_host_transaction *t)
{
	host->time = t->time;
	if (host->at_root)
		return take_at_root(host, t);
	return t->write ? take_write(host, t) : take_read(host, t);
}

uint64_t
pcb_host_random(const struct pcb_host *host)
{
	return host->random;
}

void
pcb_host_set_random(struct pcb_host *host, uint64_t state)
{
	host->random = state;
}
