/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CSV of Intel's pcm-iio: bytes per second of each part of a stack. The header
 * is repeated in each interval.
 */
#include "import/text.h"

#include "common/base/list.h"

#include <stdlib.h>
#include <string.h>

/* Columns of the place, then those of values. */
enum { SOCKET, NAME, PART, ROOT_PORT, FIRST_MEASURE };

static const char *const titles[] = {
    "Socket",   "Name",    "Part",    "Root Port",
    "IB write", "IB read", "OB read", "OB write",
};

static const char *const directions[] = {"inbound-write", "inbound-read",
                                         "outbound-read", "outbound-write"};

#define NOWHERE SIZE_MAX

struct pcm_iio {
	bool known;
	size_t column[ARRAY_LEN(titles)];
	size_t ncols;
	uint64_t interval;
};

static bool
take_header(struct text *t)
{
	struct pcm_iio *p = t->state;

	for (size_t i = 0; i < ARRAY_LEN(titles); i++) {
		p->column[i] = find_word(
		    titles[i], (const char *const *)t->word, t->nwords);
		if (p->column[i] == t->nwords)
			p->column[i] = NOWHERE;
	}
	p->known = p->column[SOCKET] != NOWHERE && p->column[NAME] != NOWHERE;
	p->ncols = t->nwords;
	p->interval++;
	return p->known;
}

/* "Socket0/IIO Stack 2 - PCIe1/Part0" */
static char *
device_of(const struct text *t)
{
	const struct pcm_iio *p = t->state;
	char *device = NULL;

	for (size_t i = SOCKET; i <= PART; i++) {
		if (p->column[i] != NOWHERE)
			xappend(&device, "/", "%s", t->word[p->column[i]]);
	}
	return device;
}

static void
take_direction(struct text *t, const char *device, size_t i)
{
	const struct pcm_iio *p = t->state;
	const size_t *at = p->column;
	struct result *r = &t->job->result;

	text_row(t, "pcm_iio", device);
	if (at[ROOT_PORT] != NOWHERE)
		text_set(t, "root_port", t->word[at[ROOT_PORT]]);
	result_u64(r, result_column(r, "seq"), p->interval);
	text_set(t, "direction", directions[i]);
	text_measure(t, "bandwidth_gbit_s", t->word[at[FIRST_MEASURE + i]],
	             "B/s");
	text_end_row(t);
}

static bool
take_line(struct text *t)
{
	const struct pcm_iio *p = t->state;
	char *device;

	text_split(t, ",");
	if (find_word("Socket", (const char *const *)t->word, t->nwords) <
	    t->nwords)
		return take_header(t);
	if (!p->known)
		return false;
	if (t->nwords != p->ncols)
		text_die(t, "%zu fields where the header has %zu", t->nwords,
		         p->ncols);
	device = device_of(t);
	for (size_t i = 0; i < ARRAY_LEN(directions); i++) {
		if (p->column[FIRST_MEASURE + i] != NOWHERE)
			take_direction(t, device, i);
	}
	free(device);
	return true;
}

static const char *const ignored[] = {
    "Intel(r) Performance",
    "This utility",
    "=====",
    "Processor",
    "Number of",
    "Max QPI",
    "Package",
    "IBRS",
    "STIBP",
    "INFO:",
    "Info:",
    NULL,
};

const struct importer pcm_iio_importer = {
    .name = "pcm-iio",
    .help = "pcm-iio of Intel's PCM, its csv",
    .take_line = take_line,
    .ignored = ignored,
    .state_size = sizeof(struct pcm_iio),
};
