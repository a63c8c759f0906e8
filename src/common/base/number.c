/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses and prints numbers, sizes, times and percentages. */
#include "common/base/number.h"

#include "common/base/intmath.h"
#include "common/base/util.h"

#include <math.h>
#include <strings.h>

#define LIST_MAX            65536
#define PERCENTAGE_DECIMALS 15

/* A table per kind of number: each suffix with its factor. */
struct suffix {
	const char *name;
	uint64_t factor;
};

static const struct suffix size_suffixes[] = {
    {"", 1},
    {"K", UINT64_C(1) << 10},
    {"M", UINT64_C(1) << 20},
    {"G", UINT64_C(1) << 30},
    {"T", UINT64_C(1) << 40},
    {NULL, 0},
};

static const struct suffix count_suffixes[] = {
    {"", 1},
    {"K", 1000},
    {"M", 1000000},
    {"G", 1000000000},
    {"T", UINT64_C(1000000000000)},
    {NULL, 0},
};

static const struct suffix time_suffixes[] = {
    {"ps", 1},
    {"ns", 1000},
    {"us", 1000000},
    {"ms", 1000000000},
    {"s", UINT64_C(1000000000000)},
    {"m", UINT64_C(60000000000000)},
    {"min", UINT64_C(60000000000000)},
    {"h", UINT64_C(3600000000000000)},
    {"d", UINT64_C(86400000000000000)},
    {NULL, 0},
};

static const char *const no_time =
    "not a time with its unit, such as 100ns, 1.5us, 10s, 5min or 1h";
static const char *const out_of_range = "out of range";

#define FOUR(n) (n), (n)*10, (n)*100, (n)*1000
static const uint64_t ten_to[] = {
    FOUR(UINT64_C(1)), FOUR(UINT64_C(10000)), FOUR(UINT64_C(100000000)),
    FOUR(UINT64_C(1000000000000)), FOUR(UINT64_C(10000000000000000))};

/* digits x 10^exponent */
struct decimal {
	uint64_t digits;
	int exponent;
};

/*
 * Appends the digits at *text and moves *text behind them. False if they do not
 * fit; trailing zeros of decimals take no room.
 */
static bool
read_digits(const char **text, struct decimal *d, bool decimals)
{
	const char *p = *text;
	size_t used = 0;

	while (p[used] >= '0' && p[used] <= '9')
		used++;
	*text += used;
	while (decimals && used && p[used - 1] == '0')
		used--;
	for (size_t i = 0; i < used; i++) {
		if (__builtin_mul_overflow(d->digits, 10, &d->digits) ||
		    __builtin_add_overflow(d->digits, (uint64_t)(p[i] - '0'),
		                           &d->digits))
			return false;
		d->exponent -= decimals;
	}
	return true;
}

/* Reads "12", "1.5" or "1e6"; NULL, `none` or out_of_range. */
static const char *
read_decimal(const char **text, struct decimal *d, const char *none)
{
	const char *p = *text;
	struct decimal power = {0};

	*d = (struct decimal){0};
	if (!strspn(p, "0123456789"))
		return *p ? none : "empty";
	if (!read_digits(&p, d, false))
		return out_of_range;
	if (*p == '.') {
		p++;
		if (!strspn(p, "0123456789"))
			return none;
		if (!read_digits(&p, d, true))
			return out_of_range;
	}
	if (*p == 'e' || *p == 'E') {
		bool negative = p[1] == '-';

		p += 1 + (negative || p[1] == '+');
		if (!strspn(p, "0123456789"))
			return none;
		if (!read_digits(&p, &power, false) || power.digits > 99)
			return out_of_range;
		d->exponent += (negative ? -1 : 1) * (int)power.digits;
	}
	*text = p;
	return NULL;
}

/* Factor x decimal, exactly; returns `inexact` if that is no whole number. */
static const char *
scale(const struct decimal *d, uint64_t factor, const char *inexact,
      uint64_t *value)
{
	uint128 v = (uint128)d->digits * factor;
	int exponent = d->exponent;

	for (; v && exponent > 0; exponent--) {
		v *= 10;
		if (v > UINT64_MAX)
			return out_of_range;
	}
	for (; v && exponent < 0; exponent++) {
		if (v % 10)
			return inexact;
		v /= 10;
	}
	if (v > UINT64_MAX)
		return out_of_range;
	*value = (uint64_t)v;
	return NULL;
}

/* Suffixes are in either case; a size may end in B or iB. */
static const char *
parse_scaled(const char *text, const struct suffix *table, bool bytes,
             const char *none, uint64_t *value)
{
	struct decimal d;
	const char *why = read_decimal(&text, &d, none);

	for (; !why && table->name; table++) {
		size_t n = strlen(table->name);
		const char *rest = text + n;

		if (strncasecmp(text, table->name, n) != 0)
			continue;
		if (bytes && n && *rest == 'i' && rest[1] == 'B')
			rest++;
		if (bytes && *rest == 'B')
			rest++;
		if (!*rest)
			return scale(&d, table->factor, "not a whole number",
			             value);
	}
	return why ? why : none;
}

const char *
parse_size(const char *text, uint64_t *bytes)
{
	return parse_scaled(text, size_suffixes, true,
	                    "not a size such as 64, 4K, 1.5M or 64KiB", bytes);
}

const char *
parse_count(const char *text, uint64_t *count)
{
	return parse_scaled(text, count_suffixes, false,
	                    "not a count such as 1000, 1e6, 10K or 1.5M",
	                    count);
}

const char *
parse_integer(const char *text, uint64_t *value)
{
	struct decimal d = {0};
	bool fits;

	if (!*text)
		return "empty";
	fits = read_digits(&text, &d, false);
	if (*text)
		return "not a whole number such as 42";
	if (!fits)
		return out_of_range;
	*value = d.digits;
	return NULL;
}

const char *
parse_offset(const char *text, uint64_t *value)
{
	unsigned long long v;
	size_t digits;

	if (strncmp(text, "0x", 2) != 0)
		return parse_integer(text, value);
	digits = strspn(text + 2, "0123456789abcdefABCDEF");
	if (!digits || text[2 + digits])
		return "not a number such as 28 or 0x1c";
	errno = 0;
	v = strtoull(text + 2, NULL, 16);
	if (errno)
		return out_of_range;
	*value = v;
	return NULL;
}

const char *
parse_time(const char *text, uint64_t *picoseconds)
{
	return parse_scaled(text, time_suffixes, false, no_time, picoseconds);
}

/* Appends digits to a number, which may wrap; returns the text behind them. */
static const char *
take_digits(const char *p, uint64_t *number)
{
	for (; *p >= '0' && *p <= '9'; p++)
		*number = 10 * *number + (uint64_t)(*p - '0');
	return p;
}

/*
 * A decimal of at most 15 digits is a quotient of two integers that a double
 * holds exactly, so one division rounds it correctly (Clinger, PLDI 1990). That
 * covers nearly every measured value; false for the rest.
 */
static bool
parse_short_decimal(const char *text, double *value)
{
	uint64_t digits = 0;
	size_t decimals = 0;
	const char *p = take_digits(text, &digits);
	size_t n = (size_t)(p - text);

	if (*p == '.') {
		const char *point = p;

		p = take_digits(point + 1, &digits);
		decimals = (size_t)(p - point) - 1;
		n += decimals;
	}
	if (*p || !n || n > 15)
		return false;
	*value = (double)digits;
	if (decimals)
		*value /= (double)ten_to[decimals];
	return true;
}

uint64_t
word_of(const char *text)
{
	uint64_t word = 0;

	for (unsigned i = 0; i < 64 && *text; i += 8)
		word |= (uint64_t)(unsigned char)*text++ << i;
	return *text ? 0 : word;
}

#define EACH_BYTE(b) (UINT64_C(0x0101010101010101) * (b))

/*
 * As parse_short_decimal, for all bytes at once: a loop would end at another
 * digit each time, which CPUs cannot predict. Takes the point out, puts zeros
 * before the digits, and joins neighbours: digits to pairs, pairs to fours,
 * fours to eight.
 */
bool
parse_word(uint64_t word, double *value)
{
	uint64_t at = word ^ EACH_BYTE('.'), v;
	uint64_t points = (at - EACH_BYTE(1)) & ~at & EACH_BYTE(0x80);
	unsigned bits = word ? 64 - ((unsigned)__builtin_clzll(word) & ~7U) : 0;
	unsigned point =
	    points ? (unsigned)__builtin_ctzll(points) & ~7U : bits;
	unsigned digits = bits - (points ? 8 : 0);
	unsigned places = (digits - point) / 8;

	if (!digits)
		return false;
	v = word;
	if (points)
		v = (v & ((UINT64_C(1) << point) - 1)) |
		    v >> point >> 8 << point;
	if (digits < 64)
		v = v << (64 - digits) | EACH_BYTE('0') >> digits;
	if (((v & EACH_BYTE(0xf0)) |
	     ((v + EACH_BYTE(6)) & EACH_BYTE(0xf0)) >> 4) != EACH_BYTE(0x33))
		return false;
	v -= EACH_BYTE('0');
	v = (v * 10 + (v >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	v = (v * 100 + (v >> 16)) & UINT64_C(0x0000ffff0000ffff);
	v = (v * 10000 + (v >> 32)) & UINT32_MAX;
	*value = (double)v / (double)ten_to[places];
	return true;
}

/* The error for a text that stops being a number at `rest`. */
static const char *
not_a_number(const char *rest)
{
	return *rest == ',' ? "a comma in a number is not read: write 1027.5, "
	                      "not 1027,5 or 1,027.5"
	                    : "not a number";
}

const char *
parse_number(const char *text, double *value)
{
	const char *p = text + (*text == '-' || *text == '+');
	size_t digits;
	double v;

	if (parse_short_decimal(text, value))
		return NULL;
	digits = strspn(p, "0123456789");
	p += digits;
	if (*p == '.') {
		size_t decimals = strspn(p + 1, "0123456789");

		digits += decimals;
		p += 1 + decimals;
	}
	if (!digits)
		return *text ? not_a_number(p) : "empty";
	if (*p == 'e' || *p == 'E') {
		p += 1 + (p[1] == '-' || p[1] == '+');
		if (!strspn(p, "0123456789"))
			return "not a number";
		p += strspn(p, "0123456789");
	}
	if (*p)
		return not_a_number(p);
	v = strtod(text, NULL);
	if (isinf(v))
		return out_of_range;
	*value = v;
	return NULL;
}

const char *
parse_bandwidth(const char *text, double *gbit_s)
{
	static const char steps[] = "KMGTkmgt";
	static const char *const units[] = {
	    "B/s", "B/sec",   "Bps", "Bytes/s", "Bytes/sec", "bit/s",
	    "b/s", "bit/sec", "bps", "bits/s",  "bits/sec",  "b/sec"};
	size_t n = strspn(text, "0123456789."), i = 0;
	char *number = xasprintf("%.*s", (int)n, text);
	bool good = !parse_number(number, gbit_s), binary;
	const char *step;

	free(number);
	if (good && text[n] == ',')
		return "decimals need a point, as in 12.5GB/s";
	if (!good)
		return "not a rate such as 11.8GB/s or 94Gbit/s";
	if (*gbit_s <= 0)
		return "must be greater than 0";
	text += n + (text[n] == ' ');
	step = *text ? strchr(steps, *text) : NULL;
	/* "gb/s" may mean either. */
	if (step && step - steps > 3 && !strncmp(text + 1, "b/", 2))
		step = NULL;
	text += step != NULL;
	binary = *text == 'i' && text[1] == 'B';
	while (step && i < ARRAY_LEN(units) &&
	       strcmp(text + binary, units[i]) != 0)
		i++;
	if (!step || i == ARRAY_LEN(units))
		return "the unit must be GB/s, Gbit/s, MB/s or GiB/s";
	*gbit_s *= (i < 5 ? 8 : 1) * (binary ? 1.073741824 : 1) *
	           pow(binary ? 1024 : 1000, (double)((step - steps) % 4) - 2);
	return NULL;
}

const char *
parse_percentage(const char *text, struct fraction *part)
{
	struct fraction made = {.den = 100};
	size_t digits = strspn(text, "0123456789");
	const char *point = text + digits + (text[digits] == '.');
	size_t decimals = strspn(point, "0123456789");
	struct decimal d = {0};

	if (!*text)
		return "empty";
	if (!digits || (point > text + digits && !decimals) ||
	    strcmp(point + decimals, point[decimals] == '%' ? "%" : "") != 0)
		return "not a percentage such as 50, 99.9 or 3%";
	if (!read_digits(&text, &d, false) || d.digits > 100)
		return "over 100";
	while (decimals && point[decimals - 1] == '0')
		decimals--;
	if (decimals > PERCENTAGE_DECIMALS)
		return "more than 15 decimals";
	for (made.num = d.digits; decimals; decimals--, made.den *= 10)
		made.num = made.num * 10 + (uint64_t)(*point++ - '0');
	if (made.num > made.den)
		return "over 100";
	*part = made;
	return NULL;
}

/* A value after its equal, such as the end of a range, is that one. */
static const char *
append(struct size_list *list, uint64_t value)
{
	if (list->n && list->value[list->n - 1] == value)
		return NULL;
	if (list->n == LIST_MAX)
		return "too many values";
	array_push(list->value, list->n, value);
	return NULL;
}

/* Parses the end of a range: the step to add, or the factor. */
static const char *
parse_step(const char *text, uint64_t *step, uint64_t *factor)
{
	*step = 0;
	*factor = 2;
	if (!text)
		return NULL;
	if (*text == '+') {
		const char *why = parse_size(text + 1, step);

		return why ? why : *step ? NULL : "a step of 0 never ends";
	}
	if (*text == 'x') {
		const char *why = parse_integer(text + 1, factor);

		return why ? why : *factor > 1 ? NULL : "a factor is 2 or more";
	}
	return "a step is +SIZE or xFACTOR";
}

static const char *
append_range(struct size_list *list, char *first, char *last, const char *by)
{
	uint64_t from, to, step, factor;
	const char *why = parse_size(first, &from);

	if (!why)
		why = parse_size(last, &to);
	if (!why)
		why = parse_step(by, &step, &factor);
	if (why)
		return why;
	if (from > to)
		return "the range ends before it begins";
	if (!from && !step)
		return "a doubling range cannot start at 0";
	while (!why && from < to) {
		why = append(list, from);
		if (step ? __builtin_add_overflow(from, step, &from)
		         : __builtin_mul_overflow(from, factor, &from))
			break;
	}
	return why ? why : append(list, to);
}

/* The second part of "64:128", "64..128" or "64-128", cut off; or NULL. */
static char *
find_range(char *item)
{
	char *mark = strstr(item, "..");
	size_t length = 2;

	if (!mark) {
		mark = strpbrk(item, ":-");
		length = 1;
	}
	if (!mark || mark == item)
		return NULL;
	*mark = '\0';
	return mark + length;
}

static const char *
append_item(struct size_list *list, char *item)
{
	char *last = find_range(item);
	char *by = NULL;
	uint64_t value;
	const char *why;

	if (last) {
		by = strchr(last, ':');
		if (by)
			*by++ = '\0';
		return append_range(list, item, last, by);
	}
	why = parse_size(item, &value);
	return why ? why : append(list, value);
}

const char *
parse_size_list(const char *text, struct size_list *list)
{
	struct size_list made = {0};
	char *copy = xstrdup(text);
	char *rest = copy;
	char *item;
	const char *why = NULL;

	while (!why && (item = strsep(&rest, ",")))
		why = append_item(&made, item);
	free(copy);
	if (why) {
		free(made.value);
		return why;
	}
	free(list->value);
	*list = made;
	return NULL;
}

char *
print_u64(char *to, uint64_t value)
{
	static const char pairs[] = "00010203040506070809"
	                            "10111213141516171819"
	                            "20212223242526272829"
	                            "30313233343536373839"
	                            "40414243444546474849"
	                            "50515253545556575859"
	                            "60616263646566676869"
	                            "70717273747576777879"
	                            "80818283848586878889"
	                            "90919293949596979899";
	char digits[20];
	char *p = digits + sizeof digits;
	size_t n;

	while (value >= 100) {
		p -= 2;
		memcpy(p, pairs + 2 * (value % 100), 2);
		value /= 100;
	}
	if (value >= 10) {
		p -= 2;
		memcpy(p, pairs + 2 * value, 2);
	} else {
		*--p = (char)('0' + value);
	}
	n = (size_t)(digits + sizeof digits - p);
	memcpy(to, p, n);
	return to + n;
}

char *
print_ns(char *to, uint64_t picoseconds)
{
	unsigned part = (unsigned)(picoseconds % 1000);

	to = print_u64(to, picoseconds / 1000);
	if (!part)
		return to;
	to[0] = '.';
	to[1] = (char)('0' + part / 100);
	to[2] = (char)('0' + part / 10 % 10);
	to[3] = (char)('0' + part % 10);
	if (part % 10)
		return to + 4;
	return to + (part % 100 ? 3 : 2);
}

/* digits / 10^decimals, without trailing zeros. */
static char *
print_decimal(char *to, uint64_t digits, unsigned decimals)
{
	for (; decimals && digits % 10 == 0; decimals--)
		digits /= 10;
	to = print_u64(to, digits / ten_to[decimals]);
	if (!decimals)
		return to;
	digits %= ten_to[decimals];
	*to++ = '.';
	for (unsigned i = decimals; i--; digits /= 10)
		to[i] = (char)('0' + digits % 10);
	return to + decimals;
}

/*
 * Prints 16 or 17 digits by exact arithmetic: the value is m / 2^shift, so this
 * rounds m * 10^decimals / 2^shift. NULL for the hard cases: a tie, or one more
 * digit. (No power of two gets here, below which doubles are denser: those have
 * at most 15 digits.)
 */
static char *
print_long_decimal(char *to, double value, unsigned decimals)
{
	int exponent;
	uint64_t m = (uint64_t)(frexp(value, &exponent) * 0x1p53);
	unsigned shift = (unsigned)(53 - exponent);
	uint128 scaled = (uint128)m * ten_to[decimals];
	uint128 half = (uint128)1 << (shift - 1);
	uint64_t digits = (uint64_t)((scaled + half) >> shift);
	uint64_t fewer = (uint64_t)((scaled + 10 * half) / (20 * half));
	uint128 there = (uint128)fewer * 20 * half;
	uint128 off = there > scaled ? there - scaled : scaled - there;

	if (digits >= ten_to[17] || 2 * off == ten_to[decimals] ||
	    off == 10 * half || (uint128)digits * 2 * half == scaled + half)
		return NULL;
	if (2 * off < ten_to[decimals])
		return print_decimal(to, fewer, decimals - 1);
	return print_decimal(to, digits, decimals);
}

/*
 * The fast path for usual values; NULL for others. A decimal of 15 digits that
 * reads back equal is what %.15g prints.
 */
static char *
print_usual(char *to, double value)
{
	unsigned decimals = value < 0.01 ? 17 : value < 0.1 ? 16 : 15;
	uint64_t digits;

	if (!(value >= 0.002 && value < 1e14))
		return NULL;
	while (value >= 1 && value >= (double)ten_to[15 - decimals])
		decimals--;
	digits = (uint64_t)(value * (double)ten_to[decimals] + 0.5);
	if ((double)digits / (double)ten_to[decimals] == value)
		return print_decimal(to, digits, decimals);
	return print_long_decimal(to, value, decimals + 2);
}

char *
print_double(char *to, double value)
{
	bool negative = value < 0;
	char text[32];
	char *end;

	*to = '-';
	end = print_usual(to + negative, fabs(value));
	if (end)
		return end;
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return mempcpy(to, text, strlen(text));
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void
sort_numbers(double x[], size_t n)
{
	if (n)
		qsort(x, n, sizeof *x, by_value);
}
