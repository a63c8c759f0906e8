/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/device_table.h"

#include "common/cli/option_table.h"
#include "doctor/devices.h"

#include <math.h>

/* "low", the name of a finding, or "". */
static const char *
verdict_of(const struct device *e)
{
	if (e->way[e->worst].gbit_s > 0)
		return e->needs && !device_is_low(e)
		           ? "no bound"
		           : verdict_names[e->way[e->worst].verdict];
	return e->finding ? e->finding : "";
}

static char *
link_text(const struct link *link, bool sleeps)
{
	return link->bus == BUS_PCIE
	           ? xasprintf("gen%ux%u%s", link->gen, link->lanes,
	                       sleeps ? " z" : "")
	           : xstrdup("");
}

static char *
could_text(const struct device *e)
{
	char *link = link_text(&e->links.could, false), *text;

	if (!e->needs)
		return link;
	text = xasprintf(">=%s", link);
	free(link);
	return text;
}

/* The link of a limit, "whole" without one, "" unknown. */
static char *
boot_text(const struct device *e)
{
	if (!e->boot)
		return xstrdup("");
	return strncmp(e->boot, "gen", 3)
	           ? xstrdup("whole")
	           : xasprintf("%.*s", (int)strcspn(e->boot, " "), e->boot);
}

static char *
number_text(double gbit_s)
{
	return gbit_s > 0 ? xasprintf("%.*f", gbit_s < 80 ? 2 : 1, gbit_s / 8)
	                  : xstrdup("");
}

enum {
	NAME,
	ADDRESS,
	NOW,
	COULD,
	BOOT,
	TO,
	FROM,
	PEER,
	BOUND,
	SHARE,
	VERDICT,
	NCELLS
};
static const char *const heads[NCELLS] = {
    "device", "address", "link now", "could", "at boot", "to",
    "from",   "peer",    "bound",    "share", "verdict"};

static void
fill_cells(const struct devices *all, const struct device *e,
           char *cell[static NCELLS])
{
	const struct measure *w = &e->way[e->worst];
	double share = share_of(w);
	bool has_bound = w->gbit_s > 0 && (!e->needs || device_is_low(e));

	cell[NAME] = xstrdup(machine_name(all->m, e->node));
	cell[ADDRESS] = xstrdup(e->f ? doctor_short_bdf(e->f) : "");
	cell[NOW] = link_text(&e->links.now, e->links.sleeps);
	cell[COULD] = could_text(e);
	cell[BOOT] = boot_text(e);
	for (size_t k = 0; k < NWAYS; k++)
		cell[TO + k] = number_text(e->way[k].gbit_s);
	if (!*cell[PEER] && e->way[WAY_PEER].staged > 0)
		xappend(&cell[PEER], "", "%.1f s", e->way[WAY_PEER].staged / 8);
	cell[BOUND] = number_text(has_bound ? w->q.bound : 0);
	cell[SHARE] = has_bound && !isnan(share)
	                  ? xasprintf("%.0f %%", 100 * share)
	                  : xstrdup("");
	cell[VERDICT] = xstrdup(verdict_of(e));
}

/* A cell in its column; numbers stand at the right. */
static int
print_cell(const char *text, int width, bool number)
{
	return printf("%*s  ", number ? width : -width, text);
}

static void
print_line(char *const cell[static NCELLS], const int width[static NCELLS],
           size_t from, size_t to)
{
	size_t last = to;

	while (last > from && (!width[last - 1] || !*cell[last - 1]))
		last--;
	for (size_t k = from; k < last; k++) {
		bool number = k >= TO && k <= SHARE;

		if (!width[k])
			continue;
		if (k + 1 == last && !number)
			printf("%s", cell[k]);
		else
			print_cell(cell[k], width[k], number);
	}
	puts("");
}

static void
print_borderline(const struct devices *all, unsigned columns)
{
	char *text = xstrdup("borderline: below what nine in ten healthy "
	                     "devices reach, by a tenth at most: it may be "
	                     "healthy, so measure it again, alone");

	if (all->decides)
		xappend(&text, "; ", "what would decide: %s", all->decides);
	print_wrapped(0, columns > 20 ? columns + 1 : 0, text);
	free(text);
}

static void
print_legend(const struct devices *all, unsigned columns)
{
	char *text = all->used ? xasprintf("GB/s%s", devices_kind(all)) : NULL;
	bool sleeps = false, needs = false, staged = false, near = false;

	for (size_t i = 0; i < all->n; i++) {
		const struct device *e = &all->item[i];

		sleeps |= e->links.sleeps;
		needs |= e->needs;
		near |= e->way[e->worst].gbit_s > 0 &&
		        e->way[e->worst].verdict == VERDICT_BORDERLINE;
		staged |=
		    e->way[WAY_PEER].staged > 0 && e->way[WAY_PEER].gbit_s <= 0;
	}
	if (sleeps)
		xappend(&text, "; ",
		        "z: the link sleeps: its rate says "
		        "nothing, its lanes do");
	if (needs)
		xappend(&text, "; ",
		        ">=: the least link that carries the best "
		        "number; lspci -vvv shows the real one");
	if (staged)
		xappend(&text, "; ", "s: through memory, without P2P");
	if (all->used && all->d->tree->n &&
	    machine_find(all->m, "gpu1") != MACHINE_NONE)
		xappend(&text, "; ",
		        "GPUs in the order of buses, as "
		        "nvidia-smi; CUDA's may differ");
	if (text)
		print_wrapped(0, columns > 20 ? columns + 1 : 0, text);
	free(text);
	if (near)
		print_borderline(all, columns);
}

size_t
devices_print(const struct devices *all, size_t most)
{
	unsigned columns = terminal_size().columns;
	int width[NCELLS] = {0}, total = 0;
	char *(*cell)[NCELLS] = xcalloc(all->n + 1, sizeof *cell);
	char *head[NCELLS];
	size_t lines = 1, split, shown = 0, n = 0;

	/* Blank ones are the last. */
	while (n < all->n && !device_is_blank(&all->item[n]))
		n++;
	if (!n) {
		free(cell);
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		fill_cells(all, &all->item[i], cell[i]);
		for (size_t k = 0; k < NCELLS; k++) {
			int of = (int)strlen(cell[i][k]);

			if (of && of < (int)strlen(heads[k]))
				of = (int)strlen(heads[k]);
			width[k] = of > width[k] ? of : width[k];
		}
	}
	for (size_t k = 0; k < NCELLS; k++) {
		head[k] = (char *)heads[k];
		total += width[k] ? width[k] + 2 : 0;
	}
	/* Where it is too wide, numbers stand on a line of their own. */
	split = columns && total - 2 > (int)columns ? TO : NCELLS;
	print_line(head, width, 0, split);
	if (split < NCELLS) {
		printf("    ");
		print_line(head, width, split, NCELLS);
		lines++;
	}
	for (; shown < n && (!most || !shown || lines + 4 < most); shown++) {
		print_line(cell[shown], width, 0, split);
		lines += split < NCELLS ? 2 : 1;
		if (split < NCELLS) {
			printf("    ");
			print_line(cell[shown], width, split, NCELLS);
		}
	}
	if (shown < n)
		printf("and %zu more (-a shows all)\n", n - shown);
	if (n < all->n)
		printf("and %zu of which only the place is known\n",
		       all->n - n);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < NCELLS; k++)
			free(cell[i][k]);
	}
	free(cell);
	print_legend(all, columns);
	puts("");
	return lines + 2;
}

static double
or_nan(double value)
{
	return value > 0 ? value : (double)NAN;
}

void
devices_write(const struct devices *all, struct out *out)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct device *e = &all->item[i];
		const struct measure *w = &e->way[e->worst];
		const struct belief *b = e->belief;
		char *now = link_text(&e->links.now, false);
		char *could = could_text(e);
		char *boot = boot_text(e);

		OUT(out, TEXT("kind", w->gbit_s > 0 ? all->kind : "model"),
		    TEXT("device",
		         e->f ? e->f->bdf : all->m->node[e->node].name),
		    TEXT("name", machine_name(all->m, e->node)),
		    TEXT("link", now), TEXT("could_link", could),
		    TEXT("boot_link", boot),
		    VALUE("to_gbit_s", or_nan(e->way[WAY_TO].gbit_s)),
		    VALUE("from_gbit_s", or_nan(e->way[WAY_FROM].gbit_s)),
		    VALUE("peer_gbit_s", or_nan(e->way[WAY_PEER].gbit_s)),
		    VALUE("bound_gbit_s", or_nan(w->q.bound)),
		    VALUE("share_pct", 100 * share_of(w)),
		    TEXT("verdict", verdict_of(e)),
		    TEXT("cause", b ? b->name : ""),
		    VALUE("probability_pct",
		          b ? 100 * b->probability : (double)NAN));
		out_end_row(out);
		free(now);
		free(could);
		free(boot);
	}
}
