/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-plot: turns samples or statistics into a gnuplot script. */
#include "common/base/list.h"
#include "common/base/number.h"
#include "common/cli/common_options.h"
#include "common/link/ethernet.h"
#include "plot/gnuplot/legend.h"
#include "plot/gnuplot/panels.h"
#include "plot/gnuplot/script.h"
#include "plot/kind/kind.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines that a tic of the vertical axis takes. */
#define TIC_HEIGHT 2

static struct script script;
static struct picture picture;
static bool no_preamble;
static bool may_grow; /* the picture, downwards */

static const char help_text[] =
    "Usage: pcb-plot KIND [options] [FILE...]\n"
    "Write a gnuplot script, data included, that draws samples or\n"
    "statistics. What varies between the curves is in the legend, what is\n"
    "constant in the title.\n"
    "\n"
    "  -T, --terminal NAME  svg, png, pdf or dumb (text); default svg\n"
    "  -o, --output FILE    what gnuplot is to write; default its stdout\n"
    "      --size WxH       pixels, default 800x500, or characters of dumb,\n"
    "                       default 79x24\n"
    "      --title TEXT     instead of one made from the data\n"
    "      --x COLUMN       of scatter: what the horizontal axis is, instead\n"
    "                       of the order of samples\n"
    "      --ethernet LIST  of bw: draw what Ethernet of these rates\n"
    "                       needs, such as 40G,100G\n"
    "  -P, --no-preamble    write no comments\n"
    "      --debug LIST     trace on stderr, such as rows; all\n"
    "  -h, --help           show this help\n"
    "      --version        show the version\n"
    "\n"
    "Kinds:\n";

enum { OPT_SIZE = 256, OPT_TITLE, OPT_X, OPT_ETHERNET };

static const char short_options[] = "o:T:Ph";

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"terminal", required_argument, NULL, 'T'},
    {"size", required_argument, NULL, OPT_SIZE},
    {"title", required_argument, NULL, OPT_TITLE},
    {"x", required_argument, NULL, OPT_X},
    {"ethernet", required_argument, NULL, OPT_ETHERNET},
    CLI_COMMON,
};

static void
print_help(void)
{
	fputs(help_text, stdout);
	for (size_t i = 0; kinds[i]; i++)
		printf("  %-9s%s\n", kinds[i]->name, kinds[i]->help);
	puts("\nSee pcb-plot(1).");
}

static void
set_terminal(const char *name)
{
	script.terminal = terminal_find(name);
	if (!script.terminal)
		die_usage("-T '%s': not svg, png, pdf or dumb", name);
}

/* gnuplot would take a '|' for a command and a '~' for a home directory. */
static void
set_output(const char *file)
{
	if (!*file)
		die_usage("-o '': a file name is missing");
	for (const char *p = file; *p; p++) {
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			die_usage("-o: a control character in the file name");
	}
	script.output = !strcmp(file, "-")    ? NULL
	                : strchr("|~", *file) ? xasprintf("./%s", file)
	                                      : file;
}

/* Anything but 0, which stands for a size not given. */
static unsigned
parse_length(const char *text, const char *size)
{
	uint64_t value;
	const char *why = parse_integer(text, &value);

	if (why || !value)
		die_usage("--size '%s': not WxH", size);
	return value > UINT_MAX ? UINT_MAX : (unsigned)value;
}

static void
set_size(const char *size)
{
	char *copy = xstrdup(size);
	char *height = copy;
	const char *width = strsep(&height, "x");

	picture.width = parse_length(width, size);
	picture.height = parse_length(height ? height : "", size);
	free(copy);
}

/* "40G,100G" */
static void
add_ethernets(const char *list)
{
	char *copy = xstrdup(list);
	char *rest = copy;

	while (rest) {
		uint64_t rate = 0;
		const char *why = parse_count(strsep(&rest, ","), &rate);

		if (!why)
			why = ethernet_check_rate(rate);
		if (why)
			die_usage("--ethernet '%s': %s", list, why);
		array_push(picture.ethernet, picture.nethernets, rate);
	}
	free(copy);
}

static void
check_size(const struct terminal *t)
{
	if (picture.width == 0 && picture.height == 0) {
		picture.width = t->width;
		picture.height = t->height;
		may_grow = true;
	}
	if (picture.width < t->least_w || picture.height < t->least_h ||
	    picture.width > t->most || picture.height > t->most)
		die_usage("--size: %s takes %ux%u to %ux%u", t->name,
		          t->least_w, t->least_h, t->most, t->most);
	picture.room = picture.width / t->em_w / TIC_WIDTH;
	picture.room_y = picture.height / t->em_h / TIC_HEIGHT;
}

static void
set_option(int option)
{
	if (cli_common(option, print_help, &no_preamble, NULL))
		return;
	switch (option) {
	case 'o':
		set_output(optarg);
		break;
	case 'T':
		set_terminal(optarg);
		break;
	case OPT_SIZE:
		set_size(optarg);
		break;
	case OPT_TITLE:
		free(picture.title);
		picture.title = xstrdup(optarg);
		break;
	case OPT_X:
		picture.x_column = optarg;
		break;
	case OPT_ETHERNET:
		add_ethernets(optarg);
		break;
	default:
		break;
	}
}

static const struct kind *
find_kind(const char *name)
{
	if (!name)
		die_usage("a kind of picture is missing, such as 'cdf'");
	for (size_t i = 0; kinds[i]; i++) {
		if (!strcmp(name, kinds[i]->name))
			return kinds[i];
	}
	die_usage("'%s': no such kind of picture", name);
}

static const struct kind *
parse_options(int argc, char *argv[])
{
	const struct kind *kind;
	int option;

	script.terminal = terminals;
	while ((option = getopt_long(argc, argv, short_options, long_options,
	                             NULL)) != -1)
		set_option(option);
	kind = find_kind(argv[optind]);
	if (picture.x_column && !kind->takes_x)
		die_usage("--x: %s does not take it, scatter does", kind->name);
	if (picture.nethernets && !kind->takes_ethernet)
		die_usage("--ethernet: %s does not take it, bw does",
		          kind->name);
	check_size(script.terminal);
	optind++;
	return kind;
}

int
main(int argc, char *argv[])
{
	const struct kind *kind;
	struct table *t;

	set_program(argc, argv);
	filter_signals();
	kind = parse_options(argc, argv);
	t = table_open(argv + optind, (size_t)(argc - optind));
	kind->draw(&picture, t);
	if (may_grow)
		grow_for_panels(&picture, script.terminal);
	if (may_grow && !script.terminal->text)
		grow_for_legend(&picture, script.terminal);
	preamble_add_command(&t->preamble);
	script.preamble = no_preamble ? NULL : &t->preamble;
	script.complete = t->complete;
	write_script(&script, &picture);
	picture_free(&picture);
	table_close(t);
	close_stdout();
	return STATUS_OK;
}
