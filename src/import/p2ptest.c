/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output of p2pBandwidthLatencyTest of the CUDA samples. */
#include "import/gpu_names.h"
#include "import/matrix.h"

#include "common/base/util.h"

#include <string.h>

/* Matrices by start and end of their headings; skipped without a bench. */
static const struct kind {
	const char *beginning, *ending;
	const char *bench;
	const char *unit;
	const char *measure;
	const char *p2p;
} kinds[] = {
    {"P2P Connectivity Matrix", "", NULL, NULL, NULL, NULL},
    {"Unidirectional P2P=Disabled", "Matrix (GB/s)", "p2p_bw", "GB/s",
     "bandwidth_gbit_s", "off"},
    {"Unidirectional P2P=Enabled", "Matrix (GB/s)", "p2p_bw", "GB/s",
     "bandwidth_gbit_s", "on"},
    {"Bidirectional P2P=Disabled", "Matrix (GB/s)", "p2p_bw_bidir", "GB/s",
     "bandwidth_gbit_s", "off"},
    {"Bidirectional P2P=Enabled", "Matrix (GB/s)", "p2p_bw_bidir", "GB/s",
     "bandwidth_gbit_s", "on"},
    {"P2P=Disabled Latency", "Matrix (us)", "p2p_latency", "us", "mean_ns",
     "off"},
    {"P2P=Enabled Latency", "Matrix (us)", "p2p_latency", "us", "mean_ns",
     "on"},
};

struct p2ptest {
	struct gpu_names gpus;
	struct matrix matrix;
	const struct kind *kind;
	const char *clock; /* for latencies: the clock */
};

static void
take_cell(struct text *t, const char *row, const char *column,
          const char *value)
{
	struct p2ptest *p = t->state;
	const char *device = gpu_name(t, &p->gpus, row);
	const char *peer = gpu_name(t, &p->gpus, column);

	if (!p->kind->bench)
		return;
	text_row(t, p->kind->bench, device);
	text_set(t, "peer", peer);
	text_set(t, "p2p", p->kind->p2p);
	if (p->clock)
		text_set(t, "timed_by", p->clock);
	text_measure(t, p->kind->measure, value, p->kind->unit);
	text_end_row(t);
}

static bool
ends_with(const char *text, const char *ending)
{
	size_t n = strlen(text), m = strlen(ending);

	return n >= m && !strcmp(text + n - m, ending);
}

static bool
take_heading(struct text *t)
{
	struct p2ptest *p = t->state;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (text_begins(t, kinds[i].beginning) &&
		    ends_with(t->line, kinds[i].ending)) {
			p->kind = &kinds[i];
			p->matrix.ncols = 0;
			p->clock = NULL;
			return true;
		}
	}
	return false;
}

static bool
take_labels(struct text *t)
{
	struct p2ptest *p = t->state;

	if (!p->kind)
		return false;
	if (!strcmp(t->word[0], "GPU"))
		p->clock = "gpu";
	else if (!strcmp(t->word[0], "CPU"))
		p->clock = "cpu";
	else if (strcmp(t->word[0], "D\\D") != 0)
		return false;
	matrix_begin(t, &p->matrix, 1);
	return true;
}

/* Parses the hexadecimal number behind a name. */
static bool
hex_after(const struct text *t, const char *name, unsigned *value)
{
	const char *at = strstr(t->line, name);

	if (!at)
		return false;
	at += strlen(name);
	return hex_numbers(at + strspn(at, " "), value, 1) == 1;
}

/* "Device: 0, NAME, pciBusID: 21, pciDeviceID: 0, pciDomainID:0" */
static bool
take_device(struct text *t)
{
	struct p2ptest *p = t->state;
	unsigned bus, device, domain;
	size_t number;

	if (!leading_number(text_after(t, "Device: "), &number) ||
	    !hex_after(t, "pciBusID:", &bus) ||
	    !hex_after(t, "pciDeviceID:", &device) ||
	    !hex_after(t, "pciDomainID:", &domain))
		return false;
	gpu_set(&p->gpus, number, domain, bus, device);
	return true;
}

static bool
take_line(struct text *t)
{
	struct p2ptest *p = t->state;

	if (text_begins(t, "Device: "))
		return take_device(t);
	return take_heading(t) || take_labels(t) ||
	       matrix_row(t, &p->matrix, take_cell);
}

static const char *const ignored[] = {
    "[P2P (Peer-to-Peer)",
    "[./p2p",
    "Device=",
    "***NOTE:",
    "So you can see",
    "NOTE:",
    "P2P Cliques",
    "[",
    NULL,
};

const struct importer p2ptest_importer = {
    .name = "p2ptest",
    .help = "p2pBandwidthLatencyTest of the CUDA samples",
    .take_line = take_line,
    .ignored = ignored,
    .state_size = sizeof(struct p2ptest),
};
