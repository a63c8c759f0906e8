/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every parser on every text; a parsed number prints and parses back equal. */
#include "common/base/number.h"
#include "fuzz/target.h"

static void
try_integers(const char *text)
{
	uint64_t value, back;
	char printed[32];

	if (!parse_integer(text, &value)) {
		must(!parse_size(text, &back) && back == value);
		must(!parse_count(text, &back) && back == value);
		must(!parse_offset(text, &back) && back == value);
	}
	if (!parse_offset(text, &value)) {
		snprintf(printed, sizeof printed, "0x%jx", (uintmax_t)value);
		must(!parse_offset(printed, &back) && back == value);
	}
	if (!parse_size(text, &value) || !parse_count(text, &value)) {
		*print_u64(printed, value) = '\0';
		must(!parse_integer(printed, &back) && back == value);
	}
	if (!parse_time(text, &value)) {
		memcpy(print_ns(printed, value), "ns", 3);
		must(!parse_time(printed, &back) && back == value);
	}
}

static void
try_number(const char *text)
{
	double value, back;
	char printed[32];

	if (parse_number(text, &value))
		return;
	*print_double(printed, value) = '\0';
	must(!parse_number(printed, &back));
	must(!memcmp(&value, &back, sizeof value));
}

static void
try_list(const char *text)
{
	struct size_list list = {0};

	if (!parse_size_list(text, &list))
		must(list.n > 0 && list.n <= 65536);
	else
		must(!list.n && !list.value);
	free(list.value);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *text = text_of(bytes, size);

	try_integers(text);
	try_number(text);
	try_list(text);
	free(text);
	return 0;
}
