/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts of nvidia-smi topo -m and -p2p: a table of GPUs, and of NICs in -m.
 * Blanks or bars, as of Markdown, are between its cells. Of rocm-smi --showtopo
 * and amd-smi topology: such tables below headings. And of CUDA, in the words
 * of p2pBandwidthLatencyTest: "Device=0 CANNOT Access Peer Device=1".
 */
#include "common/base/util.h"
#include "common/facts/facts.h"

#include <ctype.h>

/* The next cell of a line, in lower case; false without, or too long. */
static bool
next_cell(const char **line, char cell[BDF_MAX])
{
	size_t n;

	*line += strspn(*line, " |");
	n = strcspn(*line, " |");
	if (!n || n >= BDF_MAX)
		return false;
	for (size_t i = 0; i < n; i++)
		cell[i] = (char)tolower((unsigned char)(*line)[i]);
	cell[n] = '\0';
	*line += n;
	return true;
}

/* "gpu0", "nic1", "mlx5_0" */
static bool
is_name(const char *cell)
{
	size_t n = strlen(cell);

	return islower((unsigned char)*cell) &&
	       isdigit((unsigned char)cell[n - 1]) &&
	       n == strspn(cell, "abcdefghijklmnopqrstuvwxyz_0123456789");
}

static bool
is_gpu(const char *cell)
{
	return !strncmp(cell, "gpu", 3) && cell[3] &&
	       !cell[3 + strspn(cell + 3, "0123456789")];
}

/* "node", "nv12"; "ok"; NFACTS: none. */
static enum fact_kind
kind_of(const char *cell)
{
	static const char *const ways[] = {"pix",  "pxb", "phb",
	                                   "node", "sys", "soc"};
	static const char *const peers[] = {"ok", "cns", "gns", "tns",
	                                    "ns", "dr",  "u"};

	if (find_word(cell, ways, ARRAY_LEN(ways)) < ARRAY_LEN(ways) ||
	    (!strncmp(cell, "nv", 2) && isdigit((unsigned char)cell[2])))
		return FACT_WAY;
	return find_word(cell, peers, ARRAY_LEN(peers)) < ARRAY_LEN(peers)
	           ? FACT_PEER
	           : NFACTS;
}

/* The kind of a cell of AMD's table, as its heading says; NFACTS: unknown. */
static enum fact_kind
kind_below(enum fact_kind heading, char cell[BDF_MAX])
{
	static const char *const words[] = {"xgmi", "pcie"};
	static const char *const peers[] = {"enabled", "true", "disabled",
	                                    "false"};
	size_t peer = find_word(cell, peers, ARRAY_LEN(peers));
	bool known = false;

	if (heading == FACT_WAY)
		known =
		    find_word(cell, words, ARRAY_LEN(words)) < ARRAY_LEN(words);
	else if (heading == FACT_HOPS || heading == FACT_WEIGHT)
		known = *cell != '0' && !cell[strspn(cell, "0123456789")];
	else if (heading == FACT_PEER && peer < ARRAY_LEN(peers)) {
		known = true;
		snprintf(cell, BDF_MAX, "%s", peer < 2 ? "ok" : "ns");
	}
	return known ? heading : NFACTS;
}

/* "=== Hops between two GPUs ===", "HOPS TABLE:" */
static bool
take_heading(struct facts *facts, const char *line)
{
	static const struct {
		const char *words;
		enum fact_kind kind;
	} headings[] = {
	    {"Link Type between two GPUs", FACT_WAY},
	    {"Link accessibility between two GPUs", FACT_PEER},
	    {"Hops between two GPUs", FACT_HOPS},
	    {"Weight between two GPUs", FACT_WEIGHT},
	    {" between two GPUs", NFACTS},
	    {"LINK TYPE TABLE:", FACT_WAY},
	    {"ACCESS TABLE:", FACT_PEER},
	    {"HOPS TABLE:", FACT_HOPS},
	    {"WEIGHT TABLE:", FACT_WEIGHT},
	    {" TABLE:", NFACTS},
	};
	size_t i = 0;

	while (i < ARRAY_LEN(headings) && !strstr(line, headings[i].words))
		i++;
	if (i == ARRAY_LEN(headings) ||
	    (headings[i].kind == NFACTS && !facts->matrix.of_amd))
		return false;
	facts->matrix =
	    (struct fact_matrix){.of_amd = true, .heading = headings[i].kind};
	if (!facts->kind)
		facts->kind = "a topology of AMD without ways between GPUs: "
		              "no link; 'amd-smi topology' prints both";
	return true;
}

/* The name of a GPU, "gpu0": of the table, or as its address counts. */
static const char *
name_in(struct facts *facts, const char *cell, char name[BDF_MAX])
{
	char bdf[BDF_MAX];
	size_t gpu = 0;

	if (!parse_bdf(cell, bdf))
		return cell;
	while (gpu < AMD_GPUS - 1 && *facts->amd.bdf[gpu] &&
	       strcmp(facts->amd.bdf[gpu], bdf) != 0)
		gpu++;
	memcpy(facts->amd.bdf[gpu], bdf, BDF_MAX);
	snprintf(name, BDF_MAX, "gpu%zu", gpu);
	return name;
}

/* "GPU0 GPU1 NIC0 CPU Affinity NUMA Affinity"; of AMD, also addresses */
static bool
take_header(struct facts *facts, const char *line)
{
	bool of_amd = facts->matrix.of_amd && !facts->matrix.n;
	struct fact_matrix m = {.has_node = strstr(line, "NUMA Affinity"),
	                        .of_amd = of_amd,
	                        .heading = facts->matrix.heading};
	const char *at = line;
	char cell[BDF_MAX] = "", bdf[BDF_MAX];

	/* Tables that stand side by side name a GPU twice. */
	while (m.n < MATRIX && next_cell(&at, cell) &&
	       (!m.n || strcmp(cell, m.name[0]) != 0) &&
	       ((of_amd && parse_bdf(cell, bdf)) ||
	        (is_name(cell) && kind_of(cell) == NFACTS)))
		memcpy(m.name[m.n++], cell, BDF_MAX);
	at += strspn(at, " |");
	if (of_amd ? !m.n || *at
	           : !m.n || !is_gpu(m.name[0]) ||
	                 (m.n < 2 && !strstr(line, "CPU Affinity")) ||
	                 !strncmp(line + 4, " X ", 3))
		return false;
	facts->matrix = m;
	for (size_t i = 0; i < m.n; i++)
		name_in(facts, m.name[i], cell);
	if (!facts->kind)
		facts->kind = "nvidia-smi topo: classes of paths, no link";
	return true;
}

/* Whether it stands where a GPU meets itself. */
static bool
is_self(bool of_amd, const char *cell)
{
	static const char *const words[] = {"x",   "0",       "self",
	                                    "n/a", "enabled", "true"};
	size_t n = of_amd ? ARRAY_LEN(words) : 1;

	return find_word(cell, words, n) < n;
}

/* "GPU0 X PIX SYS 0-63 0 N/A": an end, its ways to all, its CPUs and node. */
static bool
take_row(struct facts *facts, const char *line)
{
	const struct fact_matrix *m = &facts->matrix;
	char self[BDF_MAX], cell[MATRIX][BDF_MAX] = {""}, value[BDF_MAX];
	char from[BDF_MAX], to[BDF_MAX];
	enum fact_kind kind[MATRIX];
	size_t own = 0, n = 0;

	if (!next_cell(&line, self))
		return false;
	while (own < m->n && strcmp(m->name[own], self) != 0)
		own++;
	for (; n < m->n && next_cell(&line, cell[n]); n++) {
		bool is_known = n == own && is_self(m->of_amd, cell[n]);

		kind[n] = m->of_amd ? kind_below(m->heading, cell[n])
		                    : kind_of(cell[n]);
		if (!is_known &&
		    (n == own || (kind[n] == NFACTS && !m->of_amd)))
			return false;
	}
	/* Pastes lose cells. */
	if (own == m->n || n < m->n)
		return false;
	for (size_t i = 0; i < n; i++) {
		for (char *c = cell[i]; *c; c++)
			*c = (char)toupper((unsigned char)*c);
		if (i != own && kind[i] != NFACTS)
			facts_add(facts, name_in(facts, self, from), kind[i],
			          m->of_amd ? FROM_AMD : FROM_MATRIX, "%s %s",
			          name_in(facts, m->name[i], to),
			          strcmp(cell[i], "SOC") ? cell[i] : "SYS");
	}
	if (m->has_node && next_cell(&line, value) && next_cell(&line, value) &&
	    !value[strspn(value, "0123456789")])
		facts_add(facts, self, FACT_NODE, FROM_MATRIX, "%s", value);
	return true;
}

/* "NIC0: mlx5_0" */
static bool
take_legend(struct facts *facts, const char *line)
{
	char name[BDF_MAX], of[BDF_MAX];
	size_t colon = strcspn(line, ":");

	if (strncmp(line, "NIC", 3) != 0 || line[colon] != ':' ||
	    !next_cell(&line, name))
		return false;
	name[strlen(name) - 1] = '\0';
	if (!facts->matrix.n || !is_name(name) || !next_cell(&line, of))
		return false;
	facts_add(facts, name, FACT_NAME, FROM_MATRIX, "%s", of);
	return true;
}

static bool
take_access(struct facts *facts, const char *line)
{
	char from[4], can[8], to[4], name[BDF_MAX];
	const char *at = strstr(line, "Device=");
	int n = at ? sscanf(at, "Device=%3[0-9] %7s Access Peer Device=%3[0-9]",
	                    from, can, to)
	           : 0;

	if (n < 2 || !strstr(at, " Access Peer") ||
	    (strcmp(can, "CAN") != 0 && strcmp(can, "CANNOT") != 0))
		return false;
	snprintf(name, sizeof name, "gpu%s", from);
	facts_add(facts, name, FACT_PEER, FROM_MATRIX, "%s%s %s",
	          n == 3 ? "gpu" : "any", n == 3 ? to : "",
	          can[3] ? "NS" : "OK");
	if (!facts->kind)
		facts->kind = "p2pBandwidthLatencyTest: no link; pcb-import "
		              "reads its numbers";
	return true;
}

bool
facts_take_matrix(struct facts *facts, const char *line)
{
	if (take_access(facts, line) || take_heading(facts, line))
		return true;
	return ((*line == 'G' || facts->matrix.of_amd) &&
	        take_header(facts, line)) ||
	       (facts->matrix.n &&
	        (take_row(facts, line) || take_legend(facts, line)));
}

bool
facts_deny_peer(const struct fact *fact)
{
	const char *cell = strchr(fact->value, ' ');

	return cell && strcmp(cell, " OK") != 0 && strcmp(cell, " U") != 0;
}

bool
facts_deny_peers(const struct facts *facts, const char *one, const char *other)
{
	const struct fact *f = facts_find(facts, one, FACT_PEER);

	for (; f; f = facts_next(facts, f)) {
		size_t n = strcspn(f->value, " ");

		if (facts_deny_peer(f) &&
		    ((n == strlen(other) && !strncmp(f->value, other, n)) ||
		     !strncmp(f->value, "any", n)))
			return true;
	}
	return false;
}
