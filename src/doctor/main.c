/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcb-doctor: finds faults of this machine's PCI Express, and their cost. */
#include "common/cli/option_table.h"
#include "common/cli/plugin.h"
#include "common/cli/words.h"
#include "common/machine/machine.h"
#include "common/pci/tree.h"
#include "common/stream/writer.h"
#include "common/sys/sysfs.h"
#include "doctor/device_table.h"
#include "doctor/devices.h"
#include "doctor/machine.h"
#include "doctor/redact.h"
#include "doctor/watch.h"

#include <ctype.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* Devices that a paragraph lists besides its own, without -a. */
#define OTHERS 8

/* With so many paragraphs, nothing by design is shown. */
#define FEW 3

static struct out out;
static bool shows_all, by_device, redacts;
static struct input input;
static struct devices *devices;
static const char *dump, *save_to, *against;
static unsigned state;    /* of the dump; 0: the last */
static uint64_t watch;    /* ps; 0: does not */
static unsigned fails_on; /* 0: only what is certain; 1: likely, too */

static const struct option_def options[] = {
    {"all", 'a', NULL, "in a table, show each finding, even what is by design",
     .type = TYPE_FLAG, .to = &shows_all},
    {"devices", 0, NULL,
     "write a row for each GPU, drive and NIC instead of findings",
     .type = TYPE_FLAG, .to = &by_device},
    {"dump", 0, "FILE",
     "examine what lspci -xxxx or -vvv printed on another machine, instead of "
     "this one",
     .type = TYPE_TEXT, .to = &dump, .elsewhere = "-F file input log"},
    {"state", 0, "N",
     "of a dump that shows several states of its functions: examine this one",
     .type = TYPE_UNSIGNED, .to = &state, .least = 1, .most = 1000,
     .wrong = "not 1 to 1000"},
    {"watch", 0, "TIME",
     "watch links for so long, or until COMMAND ends, and find what changed: "
     "what rises under load was idle",
     .type = TYPE_TIME, .to = &watch, .least = 100000000000,
     .wrong = "links are read every 100 ms: at least 100ms"},
    {"save", 0, "FILE",
     "write what --against reads: the config space of all functions",
     .type = TYPE_NAME, .to = &save_to, .wrong = "a file name is missing"},
    {"against", 0, "FILE",
     "find only what is lost since FILE: by --save, or lspci -xxxx or -vvv",
     .type = TYPE_NAME, .to = &against, .wrong = "a file name is missing",
     .elsewhere = "baseline compare before diff since"},
    {"redact", 0, NULL,
     "write the FILEs without serial numbers, host names, network addresses "
     "and UUIDs, to show them to others",
     .type = TYPE_FLAG, .to = &redacts, .elsewhere = "anonymize anonymise"},
    {"root", 0, "DIR", "read DIR/sys and DIR/proc instead of /sys and /proc",
     .set = root_option},
    OPTION_BYTES,
    {"fail-on", 0, "CERTAINTY",
     "end with status 1 if something is at least so: certain (default) or "
     "likely",
     .type = TYPE_CHOICE, .to = &fails_on, .words = "certain likely",
     .wrong = "not certain or likely",
     .elsewhere = "threshold level severity warning critical -w -c"},
    OPTION_METRICS_FORMAT(&out.format),
    OPTION_PLUGIN(0),
    OPTIONS_OF_OUT(out),
    {0},
};

static const struct option_group groups[] = {{NULL, options}, {NULL, NULL}};

static const struct option_hint hints[] = {
    {"fix", "is not there: pcb-doctor writes to no device; 'fix' in its "
            "output says what to do"},
    {"-d", "is an operand: pcb-doctor 03:00.0"},
    {"-s", "is an operand: pcb-doctor 03:00.0"},
    {"slot", "is an operand: pcb-doctor 03:00.0"},
    {"gpu", "is an operand: pcb-doctor gpu0"},
    {"-i", "is an operand: pcb-doctor gpu0"},
    {"check", "is not there: status 1 says that something is certain; "
              "--plugin ENGINE has a line and a status for monitoring"},
    {"quiet", "is not there: the status is enough, or --plugin ENGINE writes a "
              "line"},
    {"explain", "is not there: 'pcb-doctor help WORD' explains a word of the "
                "output"},
    {"join", "is not there: pcb-model flows --join compares results with the "
             "links"},
    {"list", "is not there: 'pcb-collect list' shows devices"},
    {NULL, NULL}};

static const struct option_table table = {
    .usage =
        "Usage: pcb-doctor [options] [FILE...] [DEVICE...] [-- COMMAND...]\n"
        "Find what costs bandwidth or latency on this machine, on the "
        "paths to these\ndevices (03:00.0, eth0, nvme0), or in files "
        "of another machine: what lspci,\nthe kernel's log and "
        "nvidia-smi say, and results of benchmarks. Say what it\n"
        "costs and how to fix it. It writes to no device.\n",
    .group = groups,
    .hints = hints,
    .ending = "Exit status 1: something certain was found. See "
              "pcb-doctor(1).\n",
};

static struct pci_tree *
read_tree(char *const file[], size_t n, bool results)
{
	const char *sysfs = root_path("/sys/bus/pci");
	struct pci_tree *tree;

	if (n) {
		input = input_read(file, n, state, results);
		dump = input.names ? input.names : *input.named;
		return input.tree ? input.tree : xcalloc(1, sizeof *input.tree);
	}
	tree = watch ? pci_tree_read_awake(sysfs) : pci_tree_read(sysfs);
	if (!tree && errno != ENOENT)
		die_sys("%s", sysfs);
	if (!tree) {
		warn("%s: no PCI on this machine", sysfs);
		exit(STATUS_ABSENT);
	}
	return tree;
}

/* Selects the functions that a name means, as in -d, and the bridges above. */
static void
choose_named(struct pci_tree *tree, const char *name, bool *chosen)
{
	struct pci_matches found = {0};
	char bdf[BDF_MAX];
	const char *why = machine_match(tree, name, &found);

	if (why) {
		char *pages = words_owners(name);

		warn("%s: %s%s%s", name, why,
		     access(name, F_OK) && strpbrk(name, "./") &&
		             !parse_bdf(name, bdf)
		         ? ", and no such file"
		         : "",
		     dump    ? " in the dump (--devices lists GPUs, NICs and "
		               "drives)"
		     : watch ? " (a command stands behind --)"
		     : pages ? " ('pcb-doctor help WORD' explains a word)"
		             : " ('pcb-collect list' shows the devices here)");
		free(pages);
		exit(dump ? STATUS_TROUBLE : STATUS_ABSENT);
	}
	for (size_t i = 0; i < found.n; i++) {
		const struct pci_function *f = found.item[i];

		for (; f; f = f->up)
			chosen[f - tree->function] = true;
	}
	free(found.item);
}

/*
 * Moves the operands that are files to the list of files. A BDF, a path of /sys
 * and a name that a device here has are devices.
 */
static void
take_files(char *operand[], size_t *n, char ***file, size_t *nfiles)
{
	struct pci_tree *tree = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < *n; i++) {
		struct pci_matches found = {0};
		char bdf[BDF_MAX];
		bool is_file = !parse_bdf(operand[i], bdf) &&
		               !access(operand[i], F_OK) &&
		               strncmp(operand[i], "/sys/", 5) != 0 &&
		               (strncmp(operand[i], "/dev/", 5) != 0 ||
		                !strncmp(operand[i], "/dev/fd/", 8));

		if (is_file && !tree)
			tree = pci_tree_read_awake(root_path("/sys/bus/pci"));
		is_file = is_file &&
		          (!tree || machine_match(tree, operand[i], &found));
		free(found.item);
		if (is_file)
			array_push(*file, *nfiles, operand[i]);
		else
			operand[kept++] = operand[i];
	}
	*n = kept;
	pci_tree_free(tree);
}

static double
lost(const struct doctor_finding *f)
{
	return isnan(f->could_gbit_s) ? 0 : f->could_gbit_s - f->now_gbit_s;
}

/* 0: the device does not work; 1: it errs, or was measured; 2: it is slow. */
static int
harm_of(const struct doctor_finding *f)
{
	static const char *const dead[] = {"all_ones",    "bridge",
	                                   "command",     "link_gone",
	                                   "lost_device", "bar_address"};

	for (size_t i = 0; i < ARRAY_LEN(dead); i++) {
		if (!strcmp(f->check, dead[i]))
			return 0;
	}
	return !strcmp(f->check, "errors") || !strcmp(f->check, "bandwidth")
	           ? 1
	           : 2;
}

/* By certainty, harm, what is lost, then by device and finding. */
static int
by_weight(const void *a, const void *b)
{
	const struct doctor_finding *x = a, *y = b;

	if (x->sure != y->sure)
		return x->sure > y->sure ? -1 : 1;
	if (x->sure != SURE_BY_DESIGN && harm_of(x) != harm_of(y))
		return harm_of(x) < harm_of(y) ? -1 : 1;
	if (lost(x) != lost(y))
		return lost(x) > lost(y) ? -1 : 1;
	return strcmp(x->device, y->device) ? strcmp(x->device, y->device)
	                                    : strcmp(x->check, y->check);
}

/* Prints a paragraph if `prints`; returns its lines, with one below. */
static size_t
paragraph(const struct doctor_finding *f, const char *others, bool prints)
{
	size_t width = terminal_size().columns, lines = 2;
	const char *of = strstr(f->cost, " Gbit/s of ");
	char *cost =
	    shows_bytes && of && lost(f) > 0
	        ? xasprintf("%.2f of %.2f GB/s%s", lost(f) / 8,
	                    f->could_gbit_s / 8, of + strlen(" Gbit/s"))
	        : xstrdup(f->cost);
	const char *const parts[][2] = {
	    {"", f->what},           {"costs   ", cost},
	    {"fix     ", f->fix},    {"risk    ", f->risk},
	    {"verify  ", f->verify}, {"also    ", others}};

	if (prints)
		printf("%s%s%s  %s  %s\n", doctor_sure_names[f->sure],
		       *f->reason ? ": " : "", f->reason,
		       *f->device ? f->device : "this machine", f->check);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (!*parts[i][1])
			continue;
		/* Words leave some columns at the end of a line. */
		lines +=
		    1 + (width > 20 ? strlen(parts[i][1]) / (width - 16) : 0);
		if (!prints)
			continue;
		printf("  %s", parts[i][0]);
		print_wrapped(2 + strlen(parts[i][0]),
		              width > 20 ? width + 1 : 0, parts[i][1]);
	}
	if (prints)
		puts("");
	free(cost);
	return lines;
}

/* Findings of the same kind: the one that loses most, and other devices. */
struct alike {
	const struct doctor_finding *first;
	char *others;
	size_t n;
};

/* The bytes of a BDF at the start of the text, or 0. */
static size_t
function_at(const char *text)
{
	int n = 0;

	if (!isxdigit((unsigned char)*text))
		return 0;
	sscanf(text, "%*8[0-9a-f]:%*2[0-9a-f]:%*2[0-9a-f].%*1[0-7]%n", &n);
	if (!n)
		sscanf(text, "%*2[0-9a-f]:%*2[0-9a-f].%*1[0-7]%n", &n);
	return (size_t)n;
}

/*
 * What findings of one kind have in common: the fix but for its numbers; with
 * -a, all but for the functions that the texts name. Free it.
 */
static char *
kind_of(const struct doctor_finding *f)
{
	const char *texts[] = {f->fix, f->what, f->cost, f->verify, f->risk};
	struct composed composed;
	FILE *to = compose_begin(&composed);

	fprintf(to, "%s %d %s\n", f->check, (int)f->sure,
	        shows_all ? f->reason : "");
	for (size_t i = 0; i < (shows_all ? ARRAY_LEN(texts) : 1); i++) {
		for (const char *at = texts[i]; *at; at++) {
			size_t n = function_at(at);

			if (n)
				at += n - 1;
			else if (shows_all ||
			         !strchr("0123456789abcdef:.", *at))
				fputc(*at, to);
		}
		fputc('\n', to);
	}
	return compose_end(&composed, to);
}

/* Adds a finding to those like it; the list has room for another kind. */
static void
add_alike(struct alike *list, struct key_set *kinds,
          const struct doctor_finding *f)
{
	char *kind = kind_of(f);
	size_t n = kinds->n, at = key_set_intern_text(kinds, kind);

	if (at == n)
		list[at] = (struct alike){f, xstrdup(""), 0};
	else if (++list[at].n <= OTHERS || shows_all)
		xappend(&list[at].others, " ", "%s", f->device);
	free(kind);
}

/*
 * A paragraph per kind of finding, for the device that loses most; by design
 * only a few, as far as the terminal has lines, and those that lose bandwidth.
 * With -a, all, and those together that differ by the device alone. Then their
 * numbers.
 */
static void
print_text(const struct doctor *d)
{
	const struct doctor_findings *all = &d->found;
	size_t n[SURE_CERTAIN + 1] = {0}, shown = 0;
	size_t most = shows_all ? 0 : terminal_size().lines;
	size_t lines = 3 + devices_print(devices, most);
	struct alike *alike = xcalloc(all->n + 1, sizeof *alike);
	struct key_set kinds = {0};
	/* nvidia-smi and logs show links without registers. */
	size_t seen = d->judged + d->half;
	size_t links = d->links > seen ? d->links : seen;
	char *counts;

	for (size_t i = 0; i < all->n; i++) {
		n[all->row[i].sure]++;
		add_alike(alike, &kinds, &all->row[i]);
	}
	for (struct alike *a = alike; a < alike + kinds.n; a++) {
		const struct doctor_finding *f = a->first;

		if (a->n > OTHERS && !shows_all)
			xappend(&a->others, " ", "and %zu more", a->n - OTHERS);
		if (shows_all || f->sure != SURE_BY_DESIGN ||
		    (shown < FEW &&
		     (lost(f) > 0 || !d->links ||
		      !strcmp(f->reason, "unseen")) &&
		     (!most || !shown ||
		      lines + paragraph(f, a->others, false) <= most))) {
			lines += paragraph(f, a->others, true);
			shown++;
		}
		free(a->others);
	}
	free(alike);
	key_set_free(&kinds);
	counts =
	    xasprintf("%zu certain, %zu likely, %zu by design%s; %zu "
	              "function%s examined, %zu with a link",
	              n[SURE_CERTAIN], n[SURE_LIKELY], n[SURE_BY_DESIGN],
	              shown < all->n && !shows_all ? " (-a shows all)" : "",
	              d->examined, d->examined == 1 ? "" : "s",
	              links < d->examined ? links : d->examined);
	print_wrapped(0, terminal_size().columns, counts);
	free(counts);
}

/* In the format of OpenMetrics. */
static void
print_metrics(const struct doctor *d)
{
	const struct doctor_findings *all = &d->found;
	static const struct {
		const char *name, *help;
	} gauges[] = {
	    {"finding", "A finding of pcb-doctor."},
	    {"now_bytes_per_second",
	     "Limit of the model for the path as it is."},
	    {"could_bytes_per_second",
	     "Limit of the model for the path as it could be."},
	};

	for (size_t k = 0; k < ARRAY_LEN(gauges); k++) {
		const char *name = gauges[k].name;

		printf("# TYPE pcb_doctor_%s gauge\n# HELP pcb_doctor_%s %s\n",
		       name, name, gauges[k].help);
		for (size_t i = 0; i < all->n; i++) {
			const struct doctor_finding *f = &all->row[i];
			const double value[] = {1, f->now_gbit_s * 1e9 / 8,
			                        f->could_gbit_s * 1e9 / 8};

			if (!isnan(value[k]))
				printf(
				    "pcb_doctor_%s{finding=\"%s\","
				    "device=\"%s\",certainty=\"%s\"} %.17g\n",
				    name, f->check, f->device,
				    doctor_sure_names[f->sure], value[k]);
		}
	}
	printf("# TYPE pcb_doctor_unseen_functions gauge\n"
	       "# HELP pcb_doctor_unseen_functions Not examined.\n"
	       "pcb_doctor_unseen_functions %zu\n# EOF\n",
	       d->unseen);
}

static void
write_finding(const struct doctor_finding *f)
{
	OUT(&out, TEXT("kind", "model"), TEXT("finding", f->check),
	    TEXT("device", f->device),
	    TEXT("certainty", doctor_sure_names[f->sure]),
	    TEXT("reason", f->reason), TEXT("what", f->what),
	    VALUE("now_gbit_s", f->now_gbit_s),
	    VALUE("could_gbit_s", f->could_gbit_s), TEXT("cost", f->cost),
	    TEXT("fix", f->fix), TEXT("risk", f->risk),
	    TEXT("verify", f->verify));
}

static void
write_report(struct doctor *d)
{
	struct preamble pre = {0};
	char empty[] = "";
	const struct doctor_finding none = {.check = empty,
	                                    .reason = empty,
	                                    .what = empty,
	                                    .cost = empty,
	                                    .fix = empty,
	                                    .risk = empty,
	                                    .verify = empty};

	if (d->found.n)
		qsort(d->found.row, d->found.n, sizeof *d->found.row,
		      by_weight);
	if (out.format == FORMAT_OPENMETRICS) {
		print_metrics(d);
		return;
	}
	if (out.format == FORMAT_TABLE) {
		print_text(d);
		return;
	}
	preamble_set(&pre, "tool", "pcb-doctor %s", program_version);
	preamble_add_command(&pre);
	preamble_set(&pre, "examined", "%zu functions", d->examined);
	preamble_set(&pre, "unseen", "%zu functions", d->unseen);
	if (watch)
		preamble_set(&pre, "watched", "%.3f s", d->watched_s);
	out.preamble = &pre;
	if (by_device)
		devices_write(devices, &out);
	for (size_t i = 0; i < d->found.n && !by_device; i++) {
		write_finding(&d->found.row[i]);
		out_end_row(&out);
	}
	if (!out.rows && !by_device)
		write_finding(&none);
	out_finish(&out, true, NULL);
	preamble_free(&pre);
}

/* One line: the worst finding, counts, and the counts as data. */
static void
plugin_report(const struct doctor *d)
{
	const struct doctor_finding *worst = NULL, *f = d->found.row;
	size_t certain = d->found.certain, likely = 0;
	char *first = xstrdup("nothing found");
	bool known = doctor_is_known(d);

	for (; f < d->found.row + d->found.n; f++) {
		likely += f->sure == SURE_LIKELY;
		if (!worst && (f->sure != SURE_BY_DESIGN ||
		               !strcmp(f->check, "link_unseen")))
			worst = f;
	}
	if (worst)
		doctor_say(&first, "%s %s: %s", worst->check, worst->device,
		           worst->what);
	else if (!known && d->links)
		doctor_say(&first, "%zu functions and %zu links not examined",
		           d->unseen, d->half);
	else if (!known)
		doctor_say(&first, "no link %s",
		           !(d->unseen + d->half) ? "to check"
		           : dump                 ? "can be read at both ends"
		           : geteuid()            ? "can be read: only root may"
		                                  : "can be read");
	plugin_say(likely, certain + likely || known,
	           "%s; %zu certain, %zu likely | certain=%zu likely=%zu "
	           "examined=%zu unseen=%zu",
	           first, certain, likely, certain, likely, d->examined,
	           d->unseen);
	free(first);
}

/* The number of words behind the first "--"; getopt moves operands there. */
static int
words_behind(int argc, char *argv[])
{
	while (argc-- && strcmp(*argv, "--") != 0)
		argv++;
	return argc > 0 ? argc : 0;
}

static void
examine(struct doctor *d, const bool *chosen)
{
	const struct pci_function *last = pci_find(d->tree, d->tree->part);

	if (against)
		manifest_compare(d, against);
	else
		machine_check(d, chosen);
	if (!against)
		doctor_find_alike(d);
	for (size_t i = 0; i < d->tree->n && !against; i++) {
		if (chosen && !chosen[i])
			continue;
		doctor_check_function(d, &d->tree->function[i]);
		machine_check_iommu(d, &d->tree->function[i]);
	}
	doctor_end(d);
	/* What is behind the end of a dump was asked for, too. */
	if (last && !doctor_is_unseen(last) &&
	    (!chosen || chosen[last - d->tree->function]))
		d->unseen++;
	d->unseen += chosen ? 0 : d->tree->unread;
}

/* Says what was not examined, and what to type. */
static void
say_unknown(const struct doctor *d)
{
	const char *file = dump ? dump : "this machine";

	if (d->found.missing)
		warn("%s: a link is seen at one end only: %s", file,
		     d->found.missing);
	if (d->unseen && d->tree->lack)
		warn("%s: %s: use 'sudo lspci -vvv' there or, as any "
		     "user, '" FACTS_COMMAND "'",
		     file, d->tree->lack);
	else if (d->unseen)
		warn("%zu function%s not examined: their capabilities cannot "
		     "be read: %s",
		     d->unseen, d->unseen == 1 ? "" : "s",
		     dump && !d->tree->denied
		         ? "add what 'lspci -vvv' prints of them"
		     : dump      ? "use 'sudo lspci -vvv' there"
		     : geteuid() ? "only root may read them: 'sudo pcb-doctor'"
		     : watch     ? "they sleep, or config space is cut off"
		     : against   ? "config space is cut off, here or there"
		                 : "their config space is cut off");
	if (!doctor_is_known(d) && !d->unseen && !d->half)
		warn("%s: no link to examine%s", file,
		     dump && d->tree->facts.n
		         ? ": add what 'sudo lspci -vvv' prints there"
		         : "");
	if (d->no_mps || d->no_extended)
		warn("not examined of these links: %s%s%s: %s",
		     d->no_mps ? "MPS, MRRS" : "",
		     d->no_mps && d->no_extended ? ", " : "",
		     d->no_extended ? "ACS, registers of errors" : "",
		     dump        ? "use 'sudo lspci -vvv' there"
		     : geteuid() ? "only root may read them: 'sudo pcb-doctor'"
		                 : "config space is cut off");
}

static bool
is_any_likely(const struct doctor *d)
{
	size_t i = 0;

	while (i < d->found.n && d->found.row[i].sure != SURE_LIKELY)
		i++;
	return i < d->found.n;
}

/* Writes what was found, or a manifest; returns the exit status. */
static int
report(struct doctor *d)
{
	if (save_to && !d->links)
		warn("no link can be read, so nothing is saved");
	else if (save_to)
		manifest_save(d->tree, save_to);
	else
		write_report(d);
	if (plugin_given())
		plugin_report(d);
	say_unknown(d);
	if (!save_to && (d->found.certain || (fails_on && is_any_likely(d))))
		return STATUS_NO;
	/* The engine has been told. */
	return (doctor_is_known(d) && (!input.n || devices->used)) ||
	               plugin_given()
	           ? STATUS_OK
	           : STATUS_ABSENT;
}

/* Dies if the output would replace one of the n files that are read. */
static void
need_other(const char *output, char *const file[], size_t n)
{
	struct stat to, from;

	if (stat(output, &to) || !S_ISREG(to.st_mode))
		return;
	for (size_t i = 0; i < n; i++) {
		if (!stat(strcmp(file[i], "-") ? file[i] : "/dev/stdin",
		          &from) &&
		    to.st_dev == from.st_dev && to.st_ino == from.st_ino)
			die_usage("-o %s would replace a file that is read",
			          output);
	}
}

/* Writes the n files, or standard input; then ends the program. */
static _Noreturn void
redact_files(const struct option_parser *p, char *file[], size_t n)
{
	char *given = (char *)pci_dump_given();

	if (!n && !given)
		die_usage("--redact needs a FILE");
	if (options_given(p, "format"))
		die_usage("--redact writes the text that it reads: without "
		          "--format");
	if (!n)
		file = &given;
	n = n ? n : 1;
	for (size_t i = 0; i < p->ngiven; i++) {
		if (!strcmp(p->given[i]->name, "output"))
			need_other(p->value[i], file, n);
	}
	redact(file, n);
	options_finish();
}

/* Ends the program if options exclude each other; looks at standard input. */
static void
check_usage(bool rooted, size_t operands)
{
	if (dump && rooted)
		die_usage("--dump describes another machine: not with --root");
	if (save_to && dump)
		die_usage("--save: a dump is a manifest: '--against %s' reads "
		          "it as it is",
		          dump);
	if ((save_to && (watch || against)) ||
	    ((save_to || against) && operands))
		die_usage("--save and --against are for a whole machine");
	if (dump && against && !strcmp(dump, "-") && !strcmp(against, "-"))
		die_usage("--dump and --against both read standard input");
	if (!dump && !watch && !save_to && !rooted &&
	    !(against && !strcmp(against, "-")))
		dump = pci_dump_given();
	if (state && !dump)
		die_usage("--state is for --dump");
	if (watch && dump)
		die_usage("--watch is for this machine, not for a dump");
	if (watch && against && strcmp(against, "-") != 0 &&
	    access(against, R_OK))
		die_sys("%s", against);
}

int
main(int argc, char *argv[])
{
	struct option_parser parser = {.table = &table};
	struct doctor d = {0};
	struct pci_tree *tree;
	static bool *chosen;
	static char **file;
	size_t operands, nfiles = 0;
	int operand, status, words = words_behind(argc, argv);
	bool results;

	set_program(argc, argv);
	filter_signals();
	operand = options_parse(&parser, argc, argv);
	if (redacts)
		redact_files(&parser, argv + operand, (size_t)(argc - operand));
	argc -= watch ? words : 0;
	/* --dump names a machine alone; a manifest has no numbers. */
	results = !dump && !against;
	operands = without_dash(argv + operand, (size_t)(argc - operand));
	if (operands < (size_t)(argc - operand))
		array_push(file, nfiles, "-");
	if (dump)
		array_push(file, nfiles, (char *)dump);
	if (!watch)
		take_files(argv + operand, &operands, &file, &nfiles);
	need_distinct(file, nfiles);
	dump = nfiles ? *file : NULL;
	if (out.format == FORMAT_DEFAULT)
		out.format = default_format();
	check_usage(options_given(&parser, "root"), operands);
	if (dump && !nfiles)
		array_push(file, nfiles, (char *)dump);
	tree = read_tree(file, nfiles, results);
	d.tree = tree;
	d.file = input.most;
	if (operands)
		chosen = xcalloc(tree->n + 1, sizeof *chosen);
	for (size_t i = 0; i < operands; i++)
		choose_named(tree, argv[(size_t)operand + i], chosen);
	if (watch)
		watch_links(&d, tree, chosen, watch, argv + argc);
	examine(&d, chosen);
	devices = devices_judge(&d, &input, chosen);
	status = report(&d);
	devices_free(devices);
	input_free(&input);
	doctor_findings_free(&d.found);
	free(file);
	free(chosen);
	free(d.watched);
	free(d.alike);
	free(d.teller);
	pci_tree_free(tree);
	close_stdout();
	return status;
}
