/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns: their roles, and those of other programs. */
#include "common/stream/columns.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <ctype.h>
#include <strings.h>

/* Roles -------------------------------------------------------------------- */

bool
is_name(const char *name)
{
	static const char rest[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

	return *name >= 'a' && *name <= 'z' && !name[strspn(name, rest)];
}

bool
is_kind(const char *kind)
{
	return list_has("measured,virtual,simulated,published,imported", kind);
}

const char *
unit_of(const char *name)
{
	const char *at = name;

	if (!strcmp(name, "value"))
		return name;
	while ((at = strchr(at, '_')) &&
	       !list_has("ns,gbit_s,per_s,pct,value", ++at))
		;
	return at ? at : name + strlen(name);
}

/*
 * The columns whose names alone do not say what they are. Units at the end of a
 * name and names of statistics do; all others are key columns and texts.
 */
static const struct {
	bool is_value, is_number;
	const char *names;
} table[] = {
    {true, true,
     "n,count,seq,transfers,transferred_bytes,rx_bytes,tx_bytes,runs,clocks,"
     "outliers,mrd_tlps,mwr_tlps,cpld_tlps,inflight,median_inflight,"
     "p99_inflight"},
    {true, false, "limited_by,crosses,tlps,differs,check,flags"},
    {false, true,
     "run,node,cpu_node,part,threads,queue_depth,queue_pairs,rate,idle_us,"
     "gpus,inject_delay,jobs,mtu,qps,subexecutors,outstanding,tags,rank,"
     "results,sources"},
};

bool
is_identity(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		if (list_has(table[i].names, name))
			return !table[i].is_value;
	}
	return !*unit_of(name);
}

bool
is_statistic(const char *name)
{
	const char *unit = unit_of(name);
	const char *end = unit - (*unit && unit > name);
	size_t length = (size_t)(end - name);
	char stem[8];

	if (length > 3 &&
	    (!strncmp(end - 3, "_lo", 3) || !strncmp(end - 3, "_hi", 3)))
		length -= 3;
	snprintf(stem, sizeof stem, "%.*s", (int)length, name);
	if (list_has("min,mean,median,mode,max,stddev", stem))
		return true;
	return *name == 'p' && isdigit((unsigned char)name[1]) &&
	       isdigit((unsigned char)name[length - 1]) &&
	       1 + strspn(name + 1, "0123456789_") >= length;
}

bool
is_label(const char *name)
{
	return is_identity(name) && !is_statistic(name);
}

bool
is_size(const char *name)
{
	const char *end = strrchr(name, '_');

	return end && end > name && !strcmp(end, "_bytes");
}

bool
holds_numbers(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		if (list_has(table[i].names, name))
			return table[i].is_number;
	}
	return is_size(name) || is_statistic(name) || *unit_of(name);
}

/* CSV of other programs ---------------------------------------------------- */

/* Units of time at the end of a name; power: of ten, to nanoseconds. */
static const struct {
	const char *unit;
	int power;
} times[] = {{"(ns)", 0}, {"(us)", 3}, {"(ms)", 6}, {"(s)", 9},
             {"_us", 3},  {"_ms", 6},  {"_s", 9}};

/* Whether the name goes on with a unit of a rate, as "gb_s" does. */
static bool
is_rate(const char *name, size_t length)
{
	size_t begin = length;
	char word[16] = "";

	while (begin && isalnum((unsigned char)name[begin - 1]))
		begin--;
	for (size_t i = 0; begin < length && i < sizeof word - 1; i++)
		word[i] = (char)tolower((unsigned char)name[begin++]);
	return list_has(
	    "per,b,kb,mb,gb,tb,kib,mib,gib,bit,kbit,mbit,gbit,tbit,bits,byte,"
	    "bytes,ops,iops,pps,packets,pkts,req,frames,requests,events,io,"
	    "ios,reads,msgs,writes,messages,transfers,transactions,tlps,misses,"
	    "hits,interrupts,irqs,errors,cycles,samples,lines,calls",
	    word);
}

char
foreign_separator(const char *header, size_t length)
{
	size_t n[256] = {0}; /* of each byte outside quotes */
	bool quoted = false;

	for (size_t i = 0; i < length; i++) {
		quoted ^= header[i] == '"';
		n[(unsigned char)header[i]] += !quoted;
	}
	if (n[','] || (!n[';'] && !n['\t']))
		return ',';
	return n[';'] >= n['\t'] ? ';' : '\t';
}

bool
foreign_is_headless(const char *const field[], size_t n)
{
	double value;

	for (size_t i = 0; i < n; i++) {
		if (parse_number(field[i] + strspn(field[i], " "), &value))
			return false;
	}
	return true;
}

const char *
foreign_column_set(struct foreign_column *c, const char *theirs)
{
	/* A key such as idle_us may come from these programs, too. */
	bool key = holds_numbers(theirs);

	foreign_column_free(c);
	for (size_t i = 0; i < ARRAY_LEN(times) && !c->name && !key; i++) {
		const char *unit = times[i].unit;
		size_t n = strlen(unit), length = strlen(theirs);

		if (length < n || strcmp(theirs + length - n, unit) != 0)
			continue;
		length -= n;
		while (*unit == '(' && length &&
		       strchr(" _", theirs[length - 1]))
			length--;
		if (!length || (!strcmp(unit, "_s") && is_rate(theirs, length)))
			continue;
		/* "Round trip" becomes round_trip_ns. */
		c->name = xasprintf("%.*s_ns", (int)length, theirs);
		for (char *p = c->name; p < c->name + length; p++)
			*p = isalnum((unsigned char)*p)
			         ? (char)tolower((unsigned char)*p)
			         : '_';
		c->power = times[i].power;
	}
	c->measured = c->name || *unit_of(theirs);
	return c->name ? c->name : theirs;
}

const char *
foreign_name(const char *theirs)
{
	static struct foreign_column column;

	return foreign_column_set(&column, theirs);
}

void
foreign_column_free(struct foreign_column *c)
{
	free(c->name);
	free(c->text);
	*c = (struct foreign_column){0};
}

/*
 * Moves the decimal point to the right without losing a digit. Leaves anything
 * but a plain decimal alone; the reader of the cell refuses it.
 */
static void
move_point(char *to, const char *text, int power)
{
	char *begin;
	size_t digits;

	if (*text == '-' || *text == '+')
		*to++ = *text++;
	begin = to;
	digits = strspn(text, "0123456789");
	memcpy(to, text, digits);
	to += digits;
	text += digits;
	text += *text == '.';
	for (int i = 0; i < power; i++)
		*to++ = (char)(*text ? *text++ : '0');
	*to = '\0';
	digits = strspn(begin, "0");
	digits -= digits && !begin[digits];
	memmove(begin, begin + digits, strlen(begin + digits) + 1);
	to -= digits;
	if (*text)
		sprintf(to, ".%s", text);
}

static const char *
scaled(struct foreign_column *c, const char *text)
{
	size_t size = strlen(text) + NUMBER_MAX;
	const char *exponent;
	double value;

	if (parse_number(text, &value))
		return text;
	if (c->size < size) {
		c->size = 2 * size;
		c->text = xreallocarray(c->text, c->size, 1);
	}
	exponent = strpbrk(text, "eE");
	if (exponent && value == 0)
		return text;
	if (!exponent) {
		move_point(c->text, text, c->power);
		return c->text;
	}
	sprintf(c->text, "%.*se%ld", (int)(exponent - text), text,
	        strtol(exponent + 1, NULL, 10) + c->power);
	if (!parse_number(c->text, &value))
		*print_double(c->text, value) = '\0';
	return c->text;
}

const char *
foreign_cell(struct foreign_column *c, const char *theirs)
{
	while (*theirs == ' ')
		theirs++;
	/* Called for each cell; the first letters exclude nearly all. */
	if ((*theirs == '-' && c->measured && !theirs[1]) ||
	    ((*theirs | 0x20) == 'n' && (theirs[1] | 0x20) == 'a' &&
	     !strcasecmp(theirs, "nan")))
		return "";
	return c->power && *theirs ? scaled(c, theirs) : theirs;
}
