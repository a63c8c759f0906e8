/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/request_line.h"

#include "common/base/cache_state.h"
#include "common/base/list.h"
#include "common/base/number.h"
#include "common/base/util.h"

#include <stdio.h>
#include <string.h>

#define WORDS_MAX 4

/* The words of a line, separated by blanks, tabs or commas. */
struct words {
	const char *word[WORDS_MAX];
	size_t n;
};

/* False if there are too many words. */
static bool
split(struct words *w, char *line)
{
	w->n = 0;
	for (char *word; (word = strsep(&line, " \t,\r"));) {
		if (!*word)
			continue;
		if (w->n == WORDS_MAX)
			return false;
		w->word[w->n++] = word;
	}
	return true;
}

/* Parses picoseconds, or a time with its unit. */
static const char *
parse_clock(const char *text, uint64_t *ps)
{
	return parse_integer(text, ps) ? parse_time(text, ps) : NULL;
}

static const char *
parse_transaction(struct request_line *r, const struct words *w)
{
	static const char *const kinds[] = {"read", "write"};
	struct pcb_host_transaction *t = &r->transaction;
	size_t kind = find_word(w->word[3], kinds, ARRAY_LEN(kinds));
	const char *why;

	r->request = REQUEST_TRANSACTION;
	t->write = kind == 1;
	if (kind == ARRAY_LEN(kinds))
		return "a transaction is a read or a write";
	why = parse_clock(w->word[0], &t->time);
	if (!why)
		why = parse_offset(w->word[1], &t->address);
	return why ? why : parse_size(w->word[2], &t->size);
}

static const char *
parse_prepare(struct request_line *r, const struct words *w)
{
	static const char *const nodes[] = {"local", "remote"};
	size_t cache = find_word(w->word[1], cache_names, NCACHES);
	size_t node = find_word(w->word[3], nodes, ARRAY_LEN(nodes));

	r->request = REQUEST_PREPARE;
	r->cache = (enum pcb_host_cache)cache;
	r->remote = node == 1;
	if (cache == NCACHES)
		return "a state is cold, thrashed, host-warm or device-warm";
	if (node == ARRAY_LEN(nodes))
		return "a node is local or remote";
	return parse_size(w->word[2], &r->window);
}

static const char *
parse_random(struct request_line *r, const struct words *w)
{
	r->request = REQUEST_RANDOM;
	r->has_state = w->n == 2;
	return r->has_state ? parse_integer(w->word[1], &r->state) : NULL;
}

const char *
request_line_parse(struct request_line *r, char *line)
{
	struct words w;

	*r = (struct request_line){0};
	if (*line == '#')
		return NULL;
	if (split(&w, line)) {
		if (!w.n)
			return NULL;
		if (w.n == 4 && !strcmp(w.word[0], "prepare"))
			return parse_prepare(r, &w);
		if (w.n <= 2 && !strcmp(w.word[0], "random"))
			return parse_random(r, &w);
		if (w.n == 1 && !strcmp(w.word[0], "idle"))
			r->request = REQUEST_IDLE;
		if (w.n == 1 && !strcmp(w.word[0], "flush"))
			r->request = REQUEST_FLUSH;
		if (w.n == 4)
			return parse_transaction(r, &w);
	}
	return r->request ? NULL
	                  : "not TIME ADDRESS SIZE KIND, prepare, flush, idle "
	                    "or random";
}

static const char *
serve_transaction(struct pcb_host *host, const struct pcb_host_transaction *t)
{
	const char *why = pcb_host_check(host, t);
	struct pcb_host_answer answer;

	if (why)
		return why;
	answer = pcb_host_take(host, t);
	printf("%ju %ju\n", (uintmax_t)answer.first, (uintmax_t)answer.last);
	return NULL;
}

const char *
request_line_serve(struct pcb_host *host, const struct request_line *r)
{
	switch (r->request) {
	case REQUEST_NONE:
		break;
	case REQUEST_TRANSACTION:
		return serve_transaction(host, &r->transaction);
	case REQUEST_PREPARE:
		pcb_host_prepare(host, r->cache, r->window, r->remote);
		break;
	case REQUEST_FLUSH:
		pcb_host_flush(host);
		break;
	case REQUEST_IDLE:
		pcb_host_idle(host);
		break;
	case REQUEST_RANDOM:
		printf("%ju\n", (uintmax_t)pcb_host_random(host));
		if (r->has_state)
			pcb_host_set_random(host, r->state);
		break;
	}
	return NULL;
}
