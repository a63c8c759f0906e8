/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-plot: turns samples or statistics into a gnuplot script. */
#include "common/base/number.h"
#include "common/cli/option_table.h"
#include "plot/kind/kind.h"
#include "plot/picture/quote.h"

#include <limits.h>
#include <unistd.h>

/* Options that only some kinds take. */
#define TAKES_AXES      (1 << 0) /* --xrange, --yrange and --log */
#define TAKES_COLUMN    (1 << 1)
#define TAKES_X         (1 << 2)
#define TAKES_TOLERANCE (1 << 3)

#define PIXELS                                                                 \
	.width = 800, .height = 500, .least_w = 300, .least_h = 220,           \
	.most = 10000, .em_w = 8, .em_h = 17

/* A column of a paper: 84 mm at 96 dots per inch. */
#define COLUMN                                                                 \
	.width = 317, .height = 212, .least_w = 200, .least_h = 150,           \
	.most = 2000, .em_w = 5, .em_h = 12

/* In the order of -T, from the default on; the last has no name. */
static const struct terminal terminals[] = {
    {"svg", "svg", "svg", "</svg>", "sans-serif", 12, "background rgb 'white'",
     PIXELS},
    {"html", "svg", "html", "</html>", "sans-serif", 12,
     "background rgb 'white'", PIXELS, .page = true},
    {"png", "pngcairo", "png", "IEND", "sans", 10, "", PIXELS},
    {"pdf", "pdfcairo", "pdf", "%%EOF", "sans", 9, "", PIXELS, .per_inch = 96},
    {"paper", "pdfcairo", "pdf", "%%EOF", "sans", 7,
     "linewidth 0.6 pointscale 0.6", COLUMN, .per_inch = 96, .untitled = true},
    {"dumb", "dumb", "txt", "\n", NULL, 1, "", .width = 79, .height = 24,
     .least_w = 40, .least_h = 12, .most = 1000, .em_w = 1, .em_h = 1,
     .text = true},
    {0},
};

static const struct terminal *terminal;
static unsigned type, logs; /* -T and --log: index in their words */
static struct fraction tolerance = {5, 100};
static struct picture picture = {.x_unit = 1, .y_unit = 1};
static bool no_preamble, merge;
static bool may_grow;      /* the picture may become higher */
static const char *output; /* file of -o, or NULL */
static const char *title;  /* --title, or NULL */
static const char *drawn;  /* the file of the plot, or NULL */
static bool draws;         /* run gnuplot here, not in a pipe */

static const struct terminal *
terminal_find(const char *name)
{
	for (const struct terminal *t = terminals; t->name; t++) {
		if (!strcmp(name, t->name))
			return t;
	}
	return NULL;
}

/* Parses a length other than 0, which means not given. */
static bool
parse_length(const char *text, unsigned *length)
{
	uint64_t value;

	if (!text || parse_integer(text, &value) || !value)
		return false;
	*length = value > UINT_MAX ? UINT_MAX : (unsigned)value;
	return true;
}

static const char *
set_geometry(void *to, const char *size)
{
	struct picture *p = to;
	char *copy = xstrdup(size);
	char *height = copy;
	const char *width = strsep(&height, "x");
	bool good =
	    parse_length(width, &p->width) && parse_length(height, &p->height);

	free(copy);
	return good ? NULL : "not WxH";
}

/* "500" or "1.5us", stored as ns. */
static bool
parse_bound(const char *text, double *value)
{
	uint64_t ps;

	if (!parse_time(text, &ps)) {
		*value = (double)ps / 1e3;
		return true;
	}
	return !parse_number(text, value);
}

static const char *
set_range(void *to, const char *range)
{
	struct axis_wish *wish = to;
	char *copy = xstrdup(range);
	char *high = copy;
	const char *low = strsep(&high, ":");
	bool good = high && parse_bound(low, &wish->low) &&
	            parse_bound(high, &wish->high) && wish->low < wish->high;

	free(copy);
	wish->range = true;
	return good ? NULL : "not LOW:HIGH, such as 500:900 or 0.5us:2ms";
}

/* The bits of `modes` are those of a kind's `takes` until set_modes. */
static struct option_def options[] = {
    {"terminal", 'T', "NAME",
     "svg, html (interactive), png, pdf, paper (pdf for a column of 84 mm) or "
     "dumb (text); default svg",
     .words = "svg html png pdf paper dumb", .type = TYPE_CHOICE, .to = &type,
     .elsewhere = "type format -f"},
    {"output", 'o', "FILE",
     "the plot: .svg, .html, .png, .pdf or .txt; or .gp, the script",
     .type = TYPE_NAME, .to = &output, .wrong = "a file name is missing"},
    {"geometry", 0, "WxH",
     "pixels, default 800x500, or for dumb characters, default 79x24",
     .set = set_geometry, .to = &picture, .elsewhere = "size width height"},
    {"title", 0, "TEXT", "title, instead of one made from the data",
     .type = TYPE_TEXT, .to = &title},
    {"xrange", 0, "LOW:HIGH", "the part of the horizontal axis to show",
     .modes = TAKES_AXES, .set = set_range, .to = &picture.x},
    {"yrange", 0, "LOW:HIGH", "the part of the vertical axis to show",
     .modes = TAKES_AXES, .set = set_range, .to = &picture.y},
    {"log", 0, "AXES", "x, y or xy: these axes are logarithmic",
     .modes = TAKES_AXES, .words = "x y xy", .type = TYPE_CHOICE, .to = &logs,
     .elsewhere = "log-x log-y"},
    {"column", 'c', "COLUMN",
     "the column of samples, a time; default latency_ns", .modes = TAKES_COLUMN,
     .type = TYPE_TEXT, .to = &picture.measure},
    {"x", 0, "COLUMN",
     "for scatter: the horizontal axis, such as size_bytes; for lat: "
     "size_bytes (default) or idle_us; for inflight: "
     "what is outstanding, such as queue_depth; for load: what "
     "raises it, default inject_delay",
     .modes = TAKES_X, .type = TYPE_TEXT, .to = &picture.x_column},
    {"tolerance", 0, "PCT",
     "for fleet: name hosts further off the median, default 5",
     .modes = TAKES_TOLERANCE, .type = TYPE_PERCENTAGE, .to = &tolerance},
    OPTION_BYTES,
    {"merge", 0, NULL, "do not keep several FILEs apart by a column file",
     .type = TYPE_FLAG, .to = &merge},
    {"no-preamble", 'P', NULL, "write no comments", .type = TYPE_NO_PREAMBLE,
     .to = &no_preamble},
    {0},
};

static const struct option_group groups[] = {{"Options", options},
                                             {NULL, NULL}};

#define NKINDS 18

/* In the order of --help. */
static const struct kind {
	const char *name, *help, *template;
	void (*draw)(struct picture *p, struct table *t);
	unsigned takes; /* bits of options */
} kinds[NKINDS] = {
    {"cdf", "share of samples at or below a latency", "cdf", draw_distribution,
     TAKES_AXES | TAKES_COLUMN},
    {"pct", "latency at each percentile: 50, 90, 99, 99.9 and so on", "cdf",
     draw_distribution, TAKES_AXES | TAKES_COLUMN},
    {"scatter", "every sample, in order or against the column that --x names",
     "scatter", draw_scatter, TAKES_AXES | TAKES_COLUMN | TAKES_X},
    {"lat", "latency against size or silence: median, p5 to p95, minimum",
     "sweep", draw_sweep, TAKES_AXES | TAKES_X},
    {"bw", "bandwidth against transfer size, with the model if it is there",
     "sweep", draw_sweep, TAKES_AXES},
    {"window", "latency or bandwidth against the window of memory", "sweep",
     draw_sweep, TAKES_AXES},
    {"share", "bandwidth in % of the limit of pcb-model, against transfer size",
     "sweep", draw_sweep, TAKES_AXES},
    {"inflight",
     "bandwidth against what is outstanding, and where it fills the link",
     "sweep", draw_sweep, TAKES_AXES | TAKES_X},
    {"load", "latency against bandwidth, as the load rises", "sweep",
     draw_sweep, TAKES_AXES | TAKES_X},
    {"heat", "latency or bandwidth over two columns", "cells", draw_heat, 0},
    {"matrix",
     "bandwidth or latency from each device to each other, and its bound",
     "cells", draw_matrix, 0},
    {"change", "before and after, and their difference, from pcb-diff --by",
     "bars", draw_change, 0},
    {"tree", "latency of links, from pcb-diff; what they lose, from pcb-model",
     "bars", draw_tree, 0},
    {"nic", "throughput of devices against frame size, and that of Ethernet",
     "sweep", draw_sweep, TAKES_AXES},
    {"fleet", "a point for each host, and the names of the outliers", "bars",
     draw_fleet, TAKES_TOLERANCE},
    {"reference", "public results, from pcb-model reference -a, and yours",
     "bars", draw_reference, 0},
    {"ddio",
     "metrics of pcb-ddio: cache, bandwidth, memory; bars, or over time",
     "bars", draw_ddio, 0},
    {"link",
     "links over time: speed, width, sleep, errors; of pcb-collect link",
     "bars", draw_link, 0},
};

static struct option_mode modes[NKINDS + 1];

static const struct option_table table = {
    .usage =
        "Usage: pcb-plot KIND [options] [FILE...]\n"
        "Draw samples or statistics with gnuplot: on a terminal, or in a file "
        "(-o).\n"
        "In a pipe, write the script for gnuplot. What varies between the "
        "curves is\n"
        "in the legend, what is constant in the title.\n",
    .group = groups,
    .ending = "See pcb-plot(1).\n",
    .mode = modes,
    .modes_heading = "Kinds",
    .mode_called = "a kind of plot",
};

/*
 * The terminal for a file, of -o or a redirect, by its ending; NULL for a
 * script, which a redirect to a name that is no picture's gets, too.
 */
static const struct terminal *
terminal_of_file(const char *file, bool given)
{
	const char *end = ending_of(file);
	const struct terminal *t =
	    terminal_find(!strcmp(end, "txt") ? "dumb" : end);
	bool other = list_has("jpg,jpeg,gif,eps,bmp,webp", end);

	/* Several terminals write files with this ending. */
	if (given && !strcmp(terminal->ending, end))
		t = terminal;
	if (!strcmp(file, "-") || !strcmp(end, "gp") ||
	    (!t && !output && !other))
		return NULL;
	if (!t && !given)
		die_usage("%s '%s': the name ends in none of .svg, .html, "
		          ".png, .pdf, .txt and .gp; -T says what to draw",
		          output ? "-o" : "stdout", file);
	if (t && given && t != terminal)
		die_usage("%s '%s' and -T %s contradict each other",
		          output ? "-o" : "stdout", file, terminal->name);
	return t ? t : terminal;
}

/* Chooses the terminal: for a file, or stdout; else it writes the script. */
static void
choose_terminal(bool given)
{
	const struct terminal *text = terminal_find("dumb"), *t;

	drawn = output ? output : name_of_stdout();
	t = terminal_of_file(drawn, given);
	if (!t)
		drawn = NULL;
	if (!output && isatty(STDOUT_FILENO) && (!given || terminal == text))
		t = text;
	draws = t;
	if (t)
		terminal = t;
}

static unsigned
within(unsigned value, unsigned least, unsigned most)
{
	return value < least ? least : value > most ? most : value;
}

static void
check_size(const struct terminal *t)
{
	struct terminal_size size = terminal_size();

	if (picture.width == 0 && picture.height == 0) {
		picture.width = t->width;
		picture.height = t->height;
		may_grow = true;
		/* A picture in a terminal leaves lines for the prompt. */
		if (!drawn && t->text && size.columns > 1 && size.lines > 1) {
			picture.width =
			    within(size.columns - 1, t->least_w, t->most);
			picture.height =
			    within(size.lines - 1, t->least_h, t->most);
		}
	}
	if (picture.width < t->least_w || picture.height < t->least_h ||
	    picture.width > t->most || picture.height > t->most)
		die_usage("--geometry: %s takes %ux%u to %ux%u", t->name,
		          t->least_w, t->least_h, t->most, t->most);
	picture.terminal = t;
	picture.colour = draws && !drawn && terminal_has_colours();
	picture.fixed = !may_grow;
	strings_in_cells(t->text);
	strings_in_fonts(draws && strstr(t->driver, "cairo"));
}

/* Makes modes of the kinds, and their bits in the options. */
static void
set_modes(void)
{
	for (size_t i = 0; i < NKINDS; i++)
		modes[i] = (struct option_mode){kinds[i].name, kinds[i].help};
	for (struct option_def *o = options; o->name; o++) {
		unsigned taken = o->modes;

		o->modes = 0;
		for (size_t i = 0; i < NKINDS; i++) {
			if (kinds[i].takes & taken)
				o->modes |= 1u << i;
		}
	}
}

/* Returns the index of the first file operand. */
static int
parse_options(const struct kind **kind, int argc, char *argv[])
{
	struct option_parser parser = {.table = &table};
	size_t mode;
	int operand;

	set_modes();
	operand = options_parse(&parser, argc, argv);
	mode = options_find_mode(&table, argv[operand]);
	options_check_mode(&parser, mode);
	terminal = &terminals[type];
	picture.tolerance = 100 * (double)tolerance.num / (double)tolerance.den;
	if (options_given(&parser, "log")) {
		picture.x.log = logs != 1;
		picture.y.log = logs != 0;
	}
	choose_terminal(options_given(&parser, "terminal"));
	check_size(terminal);
	*kind = &kinds[mode];
	return operand + 1;
}

/* Starts gnuplot to read stdout, or writes the script there. */
static void
begin_output(void)
{
	/* -d: the user's start file does not change the plot. */
	static char *gnuplot[] = {"gnuplot", "-d", NULL};

	if (output)
		output_to_file(output);
	if (!draws || output_through(gnuplot, drawn ? terminal->end : NULL))
		return;
	if (errno != ENOENT)
		die_sys("gnuplot");
	warn("gnuplot is not installed: it is in the package gnuplot-nox");
	exit(STATUS_ABSENT);
}

int
main(int argc, char *argv[])
{
	const struct kind *kind;
	struct table *t;
	int operand;

	set_program(argc, argv);
	filter_signals();
	operand = parse_options(&kind, argc, argv);
	need_input(table.usage, (size_t)(argc - operand));
	t = table_open(argv + operand, (size_t)(argc - operand));
	t->name_files = argc - operand > 1 && !merge;
	need_distinct(argv + operand,
	              t->name_files ? (size_t)(argc - operand) : 0);
	if (title)
		picture.title = keep_text(xstrdup(title));
	picture.kind = kind->name;
	picture.template = kind->template;
	kind->draw(&picture, t);
	preamble_add_command(&t->preamble);
	begin_output();
	write_drawing(&picture, no_preamble ? NULL : &t->preamble, t->complete);
	table_close(t);
	close_stdout();
	return STATUS_OK;
}
