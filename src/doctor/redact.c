/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces what tells whose machine a text is of. */
#include "doctor/redact.h"

#include "common/base/util.h"
#include "common/pci/tree.h"
#include "common/stream/key_set.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <regex.h>

/* Longer pieces are cut where nothing goes on that is replaced. */
#define PIECE_MAX 65536

#define DSN         3 /* an extended capability: Device Serial Number */
#define CONFIG_SIZE 4096

enum kind { SERIAL, HOST, MAC, IP, UUID, NKINDS };
static const char *const names[NKINDS] = {"serial", "host", "mac", "ip",
                                          "uuid"};

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* What was found, and its place is the number of its word. */
static struct found {
	char **text;
	size_t n;
	struct key_set lower; /* the same in lower case */
} found[NKINDS];

/* What stands around a word that begins or ends there. */
#define BEGIN "(^|[^0-9A-Za-z:.-]|[G-Zg-z][0-9]*[:=-])"
#define START "^[> ]*" /* of a line, which mail may quote */
#define END   "($|[^0-9A-Za-z:.-]|[.]($|[^0-9]))"
#define HEX2  "[0-9A-Fa-f]{2}"
#define HEX4  "[0-9A-Fa-f]{4}"
#define NAME  "([A-Za-z0-9][A-Za-z0-9._-]*)"
#define VALUE "[\"' \t]*(:|=| value=|>)[ \t\"']*([^]\"'<>,; \t\r]+)"

/* A line of a journal, by what wrote it. */
#define JOURNAL(needs, writer)                                                 \
	{HOST, 2, 0, needs,                                                    \
	 "[A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8}([.][0-9]+)? " NAME " " writer},  \
	{                                                                      \
		HOST, 2, 0, needs,                                             \
		    "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.,]+([+-][0-9:]+|Z)?"     \
		    " " NAME " " writer                                        \
	}

#define GUID(needs, word)                                                      \
	{                                                                      \
		MAC, 1, 16, needs,                                             \
		    word "[^0-9A-Fa-f]{1,60}((" HEX4 ":){3}" HEX4              \
		         "|(0x)?[0-9A-Fa-f]{16})"                              \
	}

/*
 * An expression whose group is of this kind. Most pieces have no match: they
 * lack `needs`, or so many digits, colons, dots and minus signs together.
 */
static const struct rule {
	enum kind kind;
	size_t group, run;
	const char *needs, *pattern;
} rules[] = {
    {SERIAL, 2, 23, "Device Serial",
     "(Device Serial Number) +(" HEX2 "(-" HEX2 "){7})"},
    {SERIAL, 2, 0, "[SN]", "(\\[SN\\] Serial [Nn]umber): *(.*[^ \t\r])"},
    {SERIAL, 4, 0, "erial",
     "([Ss]erial[ _]?([Nn]umber|[Nn]o[.]?)|<serial|serial\"| serial)" VALUE},
    {SERIAL, 4, 0, "SERIAL", "((SERIAL))" VALUE},
    {SERIAL, 1, 0, "sn ", "^ *sn +: *([^ \t\r]+)"},
    {SERIAL, 2, 0, "SN", "(^|[^0-9A-Za-z])SN[ \t:=]+([0-9A-Za-z_-]{6,})"},
    {SERIAL, 2, 0, "S/N", "(^|[^0-9A-Za-z])S/N[ \t:=]+([0-9A-Za-z_-]{6,})"},
    {SERIAL, 1, 16, "PDI", "PDI[ \t]*:[ \t]*(0x[0-9A-Fa-f]{16})"},
    {SERIAL, 1, 9, "WWN",
     "WWN[^0-9]*((0x)?[0-9A-Fa-f]{16}|[0-9] [0-9a-f]{6} [0-9a-f]{9})"},
    {SERIAL, 1, 16, "wwn", "wwn[ \t:=.-]*(0x[0-9A-Fa-f]{16})"},
    {SERIAL, 1, 16, "eui.", "eui[.]([0-9A-Fa-f]{16,32})"},
    JOURNAL("kernel:", "kernel:"),
    JOURNAL("]:", "[A-Za-z][A-Za-z0-9_./@-]*\\[[0-9]+\\]:"),
    {HOST, 3, 0, "ost",
     "([Hh]ost[ _-]?[Nn]ame|HOSTNAME|# host|\"host\")[\" \t]*(:|=| "
     "value=)[ \t\"]*" NAME},
    {HOST, 1, 0, "Host:", START "Host:[ \t]*" NAME "[ \t\r]*$"},
    {HOST, 1, 0, "Host:", "Host: +" NAME " +Kernel: "},
    {HOST, 1, 0, " login:", START NAME " login:[ \t]*[a-z0-9_-]*[ \t\r]*$"},
    {HOST, 1, 0, ":~", START NAME ":~[^ ]*[#$]([ \r]|$)"},
    {HOST, 1, 0, ":/", START NAME ":/([^/ ][^ ]*)?[#$]([ \r]|$)"},
    {HOST, 1, 0, "NCCL ", NAME ":[0-9]+:[0-9]+ \\[[0-9-]+\\] (.* )?NCCL "},
    {HOST, 3, 0, "ip=", "(^|[ \"])ip=([^: ]*:){4}" NAME},
    {HOST, 2, 0, "host=", "(^|[ ,])host=" NAME},
    {HOST, 1, 0, "Linux ", "Linux " NAME " [0-9]+[.][0-9]+[^ ]* .*#[0-9]"},
    {HOST, 1, 0, "Linux version", "Linux version [^ ]+ \\([^@ ]+@" NAME "\\)"},
    {HOST, 1, 0, "@",
     "[A-Za-z0-9_-]@" NAME "(:[~/][^ ]*[#$]|[ :][~/][^ ]*\\][#$])"},
    {UUID, 2, 32, "",
     "(^|[^0-9A-Za-z])([0-9A-Fa-f]{8}(-" HEX4
     "){3}-[0-9A-Fa-f]{12}|[0-9A-Fa-f]{32})($|[^0-9A-Za-z])"},
    {MAC, 2, 17, ":", BEGIN "((" HEX2 ":){5,19}" HEX2 ")" END},
    GUID("uid", "[Gg]uid"),
    GUID("GUID", "GUID"),
    {MAC, 2, 14, ".", BEGIN "((" HEX4 "[.]){2}" HEX4 ")" END},
    {MAC, 2, 17, "-", BEGIN "((" HEX2 "-){5}" HEX2 ")" END},
    {MAC, 2, 12, "enx", "(^|[^0-9A-Za-z])enx([0-9a-f]{12})"},
    {IP, 2, 7, ".",
     "(^|[^0-9A-Za-z.-]|[G-Zg-z][0-9]*-)([0-9]{1,3}([.][0-9]{1,3}){3})($|[^0-"
     "9A-Za-z.-]|[.]($|[^0-9]))"},
    {IP, 2, 3, "::", BEGIN "([0-9A-Fa-f:]{3,39})" END},
    {IP, 2, 15, ":", BEGIN "(([0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4})" END},
};

static regex_t compiled[ARRAY_LEN(rules)], dump_line;

/* A match of a rule, or of a host's name, from the beginning of a piece. */
struct match {
	enum kind kind;
	size_t begin, end;
};

/* Words of the texts themselves, which name nobody if a host has them. */
static bool
is_common(const char *text, size_t n)
{
	char *word = xasprintf("%.*s", (int)n, text);
	bool common = list_has("host,localhost,linux,kernel,version,server,"
	                       "node,device,memory,root,none,ubuntu,debian,"
	                       "fedora,gpu,nvidia,intel,pcie,link,local",
	                       word);

	free(word);
	return common;
}

/* Whether what stands before it says that numbers are those of a version. */
static bool
is_version(const char *piece, size_t begin)
{
	static const char *const words[] = {
	    "version", "ver",     "rev",    "fw",    "ware", "driver",
	    "bios",    "release", "kernel", "build", "v"};
	size_t n = begin;

	while (n && strchr(" \t:=\"'(v", piece[n - 1]))
		n--;
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t length = strlen(words[i]);

		if (n >= length &&
		    !strncasecmp(piece + n - length, words[i], length))
			return true;
	}
	return false;
}

static bool
is_number(const char *text)
{
	struct in6_addr any;
	struct in_addr four;

	if (strchr(text, ':'))
		return inet_pton(AF_INET6, text, &any) == 1 &&
		       strcmp(text, "::1") != 0 && strcmp(text, "::") != 0;
	return inet_pton(AF_INET, text, &four) == 1 &&
	       (ntohl(four.s_addr) >> 24) % 127 &&
	       strncmp(text, "255.", 4) != 0;
}

/* Whether the words around it leave what the rule has matched in place. */
static bool
is_meant(const char *piece, const struct match *m)
{
	size_t n = m->end - m->begin;
	char *text = xasprintf("%.*s", (int)n, piece + m->begin);
	bool meant = true;

	if (m->kind == SERIAL) /* such as N/A, or an index */
		meant = n > 3 && strpbrk(text, "123456789");
	else if (m->kind == HOST)
		meant = !is_common(text, n);
	else if (m->kind == MAC) /* not of zeros, nor a version */
		meant = strpbrk(text, "123456789abcdefABCDEF") &&
		        !(strchr(text, '.') && is_version(piece, m->begin));
	else if (m->kind == IP)
		meant = is_number(text) &&
		        (strchr(text, ':') || !is_version(piece, m->begin));
	free(text);
	return meant;
}

/* The most digits and what joins them that stand together. */
static size_t
longest_run(const char *piece)
{
	size_t most = 0, n = 0;

	for (; *piece; piece++) {
		n = isxdigit((unsigned char)*piece) || strchr(":.-", *piece)
		        ? n + 1
		        : 0;
		most = n > most ? n : most;
	}
	return most;
}

/* Whether a rule could match in a piece with this longest run. */
static bool
may_match(const struct rule *r, const char *piece, size_t run)
{
	return run >= r->run && strstr(piece, r->needs);
}

/* The first match of a rule behind `from`. */
static bool
match_rule(const struct rule *r, const char *piece, size_t from,
           struct match *m)
{
	regmatch_t group[8];

	while (!regexec(&compiled[r - rules], piece + from, ARRAY_LEN(group),
	                group, from ? REG_NOTBOL : 0)) {
		*m = (struct match){r->kind,
		                    from + (size_t)group[r->group].rm_so,
		                    from + (size_t)group[r->group].rm_eo};
		if (is_meant(piece, m))
			return true;
		from = m->end > from ? m->end : from + 1;
	}
	return false;
}

/* The length of a host's name without its domain. */
static size_t
short_name(const char *name, size_t n)
{
	const char *dot = memchr(name, '.', n);

	return dot ? (size_t)(dot - name) : n;
}

/* The first place behind `from` where a known host stands as a word. */
static bool
match_host(const char *host, const char *piece, size_t from, struct match *m)
{
	size_t n = strlen(host);
	const char *at = piece + from;

	if (n < 3)
		return false;
	while ((at = strstr(at, host))) {
		const char *end = at + n;

		if ((at == piece || (!isalnum((unsigned char)at[-1]) &&
		                     !strchr("_-", at[-1]))) &&
		    !isalnum((unsigned char)*end) && *end != '_') {
			while (*end == '.' && isalnum((unsigned char)end[1]))
				end += 1 + strspn(end + 1, LETTERS);
			*m = (struct match){HOST, (size_t)(at - piece),
			                    (size_t)(end - piece)};
			return true;
		}
		at += n;
	}
	return false;
}

/* Where rows of CSV have a host, and how many commas; at: SIZE_MAX without. */
struct column {
	size_t at, commas;
};

static const char *
skip_cells(const char *row, size_t n)
{
	while (n-- && *row) {
		row += strcspn(row, ",");
		row += *row == ',';
	}
	return row;
}

static size_t
commas_of(const char *row)
{
	size_t n = 0;

	while (*row)
		n += *row++ == ',';
	return n;
}

/* The host of a row, if a header above has such a column. */
static bool
match_column(const char *piece, struct column *c, struct match *m)
{
	const char *cell;

	if (!piece[strspn(piece, LETTERS "_,\r\n")] && strchr(piece, ',')) {
		c->commas = commas_of(piece);
		c->at = 0;
		while (c->at < c->commas &&
		       strncmp(skip_cells(piece, c->at), "host,", 5) != 0)
			c->at++;
		if (c->at < c->commas)
			return false;
	}
	if (*piece != '#' && commas_of(piece) < c->commas)
		c->at = SIZE_MAX;
	if (*piece == '#' || c->at >= c->commas)
		return false;
	cell = skip_cells(piece, c->at);
	*m = (struct match){HOST, (size_t)(cell - piece),
	                    (size_t)(cell - piece) + strcspn(cell, ",")};
	return m->end > m->begin && is_meant(piece, m);
}

/* The number of the word for a text, from 1. */
static size_t
number_of(enum kind kind, const char *text, size_t n)
{
	struct found *f = &found[kind];
	size_t length = kind == HOST ? short_name(text, n) : n, i;
	char *word = xasprintf("%.*s", (int)length, text);
	char *lower = xstrdup(word);

	for (char *p = lower; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	i = key_set_intern_text(&f->lower, lower);
	free(lower);
	if (i == f->n)
		array_push(f->text, f->n, word);
	else
		free(word);
	return i + 1;
}

/* Looks only for hosts, which may stand before what says that they are. */
static void
find_hosts(char *piece, struct column *column)
{
	struct match m;

	if (match_column(piece, column, &m))
		number_of(HOST, piece + m.begin, m.end - m.begin);
	for (const struct rule *r = rules; r < rules + ARRAY_LEN(rules); r++) {
		if (r->kind != HOST || !may_match(r, piece, 0))
			continue;
		for (size_t at = 0; match_rule(r, piece, at, &m); at = m.end)
			number_of(HOST, piece + m.begin, m.end - m.begin);
	}
}

/* Writes a piece; of several matches, the first one counts. */
static void
write_piece(char *piece, struct column *column)
{
	struct match next[ARRAY_LEN(rules) + 1], m;
	bool is[ARRAY_LEN(rules) + 1];
	size_t at = 0, run = longest_run(piece);

	for (size_t i = 0; i < ARRAY_LEN(rules); i++)
		is[i] = may_match(&rules[i], piece, run) &&
		        match_rule(&rules[i], piece, 0, &next[i]);
	is[ARRAY_LEN(rules)] =
	    match_column(piece, column, &next[ARRAY_LEN(rules)]);
	for (;;) {
		const struct match *first = NULL;

		for (size_t i = 0; i <= ARRAY_LEN(rules); i++) {
			while (is[i] && next[i].begin < at)
				is[i] =
				    i < ARRAY_LEN(rules) &&
				    match_rule(&rules[i], piece, at, &next[i]);
			if (is[i] && (!first || next[i].begin < first->begin))
				first = &next[i];
		}
		for (size_t i = 0; i < found[HOST].n; i++) {
			struct match host;

			if (match_host(found[HOST].text[i], piece, at, &host) &&
			    (!first || host.begin < first->begin)) {
				m = host;
				first = &m;
			}
		}
		if (!first)
			break;
		printf("%.*s%s%zu", (int)(first->begin - at), piece + at,
		       names[first->kind],
		       number_of(first->kind, piece + first->begin,
		                 first->end - first->begin));
		at = first->end;
	}
	fputs(piece + at, stdout);
	check_stdout();
}

/* The length of the first piece of a long line. */
static size_t
cut(const char *line)
{
	static const char *const marks[] = {",;{}<", " \t"};

	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		for (size_t n = PIECE_MAX; n > PIECE_MAX / 2; n--) {
			if (strchr(marks[i], line[n]))
				return n;
		}
	}
	return PIECE_MAX;
}

/*
 * Calls f for each line, or part of a line up to "\n" in a string of JSON.
 */
static void
each_piece(char *text, void (*f)(char *piece, struct column *column))
{
	struct column column = {SIZE_MAX, 0};

	for (char *end; *text; text = end) {
		size_t line = strcspn(text, "\n");
		char *escape = memmem(text, line, "\\n", 2), kept;

		end = text + line + (text[line] == '\n');
		if (escape)
			end = escape + 2;
		if (end - text > PIECE_MAX)
			end = text + cut(text);
		kept = *end;
		*end = '\0';
		f(text, &column);
		*end = kept;
	}
}

/* Clears the serial number in the bytes of a function, which may lack some. */
static void
clear_bytes(char *byte[CONFIG_SIZE])
{
	unsigned long at = 0x100;

	for (int i = 0; i < 64 && at >= 0x100 && at + 11 < CONFIG_SIZE; i++) {
		for (unsigned k = 0; k < 12; k++) {
			if (!byte[at + k])
				return;
		}
		if (strtoul(byte[at], NULL, 16) == DSN) {
			for (unsigned k = 4; k < 12; k++)
				memset(byte[at + k], '0', 2);
		}
		at = (strtoul(byte[at + 3], NULL, 16) << 4 |
		      strtoul(byte[at + 2], NULL, 16) >> 4) &
		     0xffc;
	}
}

/* In what lspci -xxxx prints, lines such as "100: 03 00 01 14 ...". */
static void
clear_line(char *piece, struct column *column)
{
	static char *byte[CONFIG_SIZE];
	regmatch_t m[2];
	size_t at;

	(void)column;
	if (*piece &&
	    (!strstr(piece, ": ") || regexec(&dump_line, piece, 2, m, 0)))
		return;
	at = *piece ? strtoul(piece + m[1].rm_so, NULL, 16) : 0;
	if (!at) {
		clear_bytes(byte);
		memset(byte, 0, sizeof byte);
	}
	for (size_t i = 0; *piece && i < 16 && at + i < CONFIG_SIZE; i++)
		byte[at + i] = piece + m[1].rm_eo + 2 + 3 * i;
}

/* Without bytes 0: one is a part of UTF-16, more separate files. */
static void
copy(const char *file, FILE *all)
{
	FILE *from = pci_text_open(file);
	int c, last = '\n';
	size_t n = 0, controls = 0;

	for (size_t zeros = 0; (c = getc(from)) != EOF;) {
		zeros = c ? 0 : zeros + 1;
		n += c != 0;
		controls += c && c < ' ' && !strchr("\t\n\v\f\r\b\a\033", c);
		c = zeros == 2 ? '\n' : c;
		if (c)
			putc(last = c, all);
	}
	if (last != '\n')
		putc('\n', all);
	file = strcmp(file, "-") ? file : "standard input";
	pci_text_close(file);
	if (controls > n / 20)
		die("%s: a binary file: --redact reads text", file);
}

void
redact(char *const file[], size_t n)
{
	struct composed composed;
	static const char *const counted[NKINDS] = {
	    "serial numbers", "host names", "MAC addresses", "IP addresses",
	    "UUIDs"};
	FILE *all = compose_begin(&composed);
	char *text, *said = NULL;

	for (size_t i = 0; i < n; i++)
		copy(file[i], all);
	text = compose_end(&composed, all);
	for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
		if (regcomp(&compiled[i], rules[i].pattern,
		            REG_EXTENDED | REG_NEWLINE))
			die("%s: an expression is wrong", rules[i].pattern);
	}
	if (regcomp(&dump_line, "([0-9a-f]{2,3}): (" HEX2 "( " HEX2 "){15})",
	            REG_EXTENDED))
		die("an expression is wrong");
	each_piece(text, clear_line);
	clear_line(strchr(text, '\0'), NULL);
	each_piece(text, find_hosts);
	each_piece(text, write_piece);
	for (size_t k = 0; k < NKINDS; k++) {
		if (found[k].n)
			xappend(&said, ", ", "%s %zu", counted[k], found[k].n);
	}
	warn("replaced: %s; read it before you show it to others",
	     said ? said : "nothing");
	free(said);
	free(text);
	for (size_t i = 0; i < ARRAY_LEN(rules); i++)
		regfree(&compiled[i]);
	regfree(&dump_line);
	for (struct found *f = found; f < found + NKINDS; f++) {
		for (size_t i = 0; i < f->n; i++)
			free(f->text[i]);
		free(f->text);
		key_set_free(&f->lower);
		*f = (struct found){0};
	}
}
