/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shape NAME ROWS: writes rows of a shape to stdout, the same bytes on every
 * machine.
 */
#include "common/base/number.h"
#include "common/base/util.h"

#define GROUPS 100000

/* Knuth's MMIX generator, upper bits: the same numbers everywhere. */
static uint64_t
next_random(uint64_t bound)
{
	static uint64_t state = 1;

	state = state * UINT64_C(6364136223846793005) +
	        UINT64_C(1442695040888963407);
	return (state >> 33) % bound;
}

static void
put_ns(uint64_t picoseconds)
{
	char text[NUMBER_MAX];

	*print_ns(text, picoseconds) = '\n';
	fwrite(text, 1, (size_t)(strchr(text, '\n') - text) + 1, stdout);
}

/* A long tail: the product of two uniform numbers. */
static uint64_t
tail(uint64_t bound)
{
	return next_random(bound) * next_random(bound) / bound;
}

/* A clock of 0.1 ns: thousands of values. */
static void
put_repeated(uint64_t row)
{
	printf("%ju,", (uintmax_t)row);
	put_ns(500000 + 100 * tail(4000));
}

/* A clock of 1 ps over 10 us: nearly all values differ. */
static void
put_distinct(uint64_t row)
{
	printf("%ju,", (uintmax_t)row);
	put_ns(500000 + next_random(10000000));
}

static void
put_group(uint64_t group)
{
	printf("node%03ju,0000:%02jx:00.0,", (uintmax_t)(group / 100),
	       (uintmax_t)(group % 100));
	put_ns(500000 + 100 * tail(20000));
}

/* Groups of equal size; no two rows of one are adjacent. */
static void
put_groups(uint64_t row)
{
	put_group(row * 7919 % GROUPS);
}

static void
put_random_groups(uint64_t row)
{
	(void)row;
	put_group(next_random(GROUPS));
}

static void
put_sorted_groups(uint64_t row)
{
	static const uint64_t rows_of_each = 50;

	put_group(row / rows_of_each);
}

/* Sixteen columns that all change with every row. */
static void
put_wide(uint64_t row)
{
	for (int i = 0; i < 15; i++)
		printf("%ju,", (uintmax_t)(next_random(1000000) + row % 2));
	put_ns(500000 + 100 * tail(20000));
}

static void
put_quoted(uint64_t row)
{
	printf("\"a name, of %ju\",", (uintmax_t)(row % 4));
	put_ns(500000 + 100 * tail(20000));
}

/* Medians of runs, for pcb-diff. */
static void
put_runs(uint64_t row)
{
	printf("%ju,%s,", (uintmax_t)(row / 2 + 1), row % 2 ? "b" : "a");
	put_ns(900000 + row % 2 * 1000 + 100 * tail(2000));
}

/* Each row is another point of a grid. */
static void
put_cells(uint64_t row)
{
	static const uint64_t width = 316;

	printf("%ju,%ju,", (uintmax_t)(64 * (1 + row % width)),
	       (uintmax_t)(4096 * (1 + row / width)));
	put_ns(500000 + 100 * tail(1000));
}

static const struct shape {
	const char *name, *header;
	void (*put)(uint64_t row);
} shapes[] = {
    {"repeated", "seq,latency_ns\n", put_repeated},
    {"distinct", "seq,latency_ns\n", put_distinct},
    {"groups", "host,device,latency_ns\n", put_groups},
    {"random_groups", "host,device,latency_ns\n", put_random_groups},
    {"sorted_groups", "host,device,latency_ns\n", put_sorted_groups},
    {"wide",
     "a_ns,b_ns,c_ns,d_ns,e_ns,f_ns,g_ns,h_ns,i_ns,j_ns,k_ns,l_ns,m_ns,n_ns,"
     "o_ns,latency_ns\n",
     put_wide},
    {"quoted", "device,latency_ns\n", put_quoted},
    {"runs", "run,side,median_ns\n", put_runs},
    {"cells", "size_bytes,window_bytes,latency_ns\n", put_cells},
};

int
main(int argc, char *argv[])
{
	uint64_t rows;

	set_program(argc, argv);
	if (argc != 3 || parse_count(argv[2], &rows))
		die("usage: shape NAME ROWS");
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		if (strcmp(argv[1], shapes[i].name) != 0)
			continue;
		fputs(shapes[i].header, stdout);
		for (uint64_t row = 0; row < rows; row++)
			shapes[i].put(row);
		close_stdout();
		return 0;
	}
	die("no shape '%s'", argv[1]);
}
