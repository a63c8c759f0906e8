/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A result: its columns and cells, and the format to write them in. */
#ifndef PCB_COMMON_STREAM_RESULT_H
#define PCB_COMMON_STREAM_RESULT_H

#include "common/stream/preamble.h"

enum format {
	FORMAT_DEFAULT,
	FORMAT_CSV,
	FORMAT_TABLE,
	FORMAT_JSON,  /* {"meta":{...},"rows":[...],"end":{...}} */
	FORMAT_JSONL, /* only rows, one a line */
	FORMAT_MD,
	FORMAT_OPENMETRICS, /* only some programs write it */
};

/*
 * A result being written to stdout. Zero-initialise, set the first members,
 * then out_begin. A write error ends the program, see check_stdout.
 */
struct out {
	/* Set by the caller. */
	enum format format;
	bool no_preamble; /* csv and json: rows only, without metadata */
	struct preamble *preamble; /* borrowed until out_finish returns */
	const char *unit;          /* of MEASURE; NULL: none */
	/*
	 * csv: the list of "# constant:", of columns that the rows lack; NULL:
	 * none. Borrowed like the preamble.
	 */
	const char *constants;

	uintmax_t rows; /* complete ones so far; read only */

	/* Private. */
	char **name;
	struct key_set columns; /* the same, to find one */
	char *device_names;     /* of the preamble, for a table; or NULL */
	size_t ncols;
	size_t column; /* index of the next cell */
	bool begun;    /* a JSON document is */
	char **cell;   /* all cells, row by row; not for FORMAT_CSV */
	size_t ncells;
	char **names, **first; /* the first row until it ends */
	size_t nnames, nfirst;
};

#endif
