/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses a command line by a table as getopt_long does. */
#include "common/cli/option_table.h"
#include "rig/cmocka.h"

#include "common/base/number.h"
#include "common/cli/labels.h"

#include <getopt.h>
#include <sys/wait.h>
#include <unistd.h>

static bool flag;
static const char *text, *maybe, *list;
static char added[64];
static uint64_t number;
static unsigned digit[2];
static struct size_list sizes;
static struct fraction percent;
static struct labels labels;

static const char *
add(void *to, const char *value)
{
	strcat(strcat(to, "/"), value);
	return NULL;
}

static const struct option_def first[] = {
    {"flag", 'f', NULL, "", .type = TYPE_FLAG, .to = &flag},
    {"flight", 0, "X", "", .type = TYPE_TEXT, .to = &maybe},
    {0},
};

static const struct option_def second[] = {
    {"text", 't', "X", "", .type = TYPE_TEXT, .to = &text},
    {"maybe", 0, "[=X]", "", .type = TYPE_TEXT, .to = &maybe},
    {"list", 'l', "X", "", .type = TYPE_TEXT, .to = &list,
     .again = OPTION_LIST},
    {"add", 'a', "X", "", .set = add, .to = added, .again = OPTION_ADDS},
    {"integer", 0, "X", "", .type = TYPE_INTEGER, .to = &number},
    {"count", 0, "X", "", .type = TYPE_COUNT, .to = &number},
    {"bytes", 0, "X", "", .type = TYPE_BYTES, .to = &number},
    {"span", 0, "X", "", .type = TYPE_TIME, .to = &number},
    {"digit", 0, "X", "", .type = TYPE_UNSIGNED, .to = digit, .least = 2,
     .most = 9, .wrong = "no"},
    {"sizes", 0, "X", "", .type = TYPE_SIZES, .to = &sizes,
     .again = OPTION_LIST},
    {"percent", 0, "X", "", .type = TYPE_PERCENTAGE, .to = &percent},
    {"label", 0, "X", "", .type = TYPE_LABEL, .to = &labels,
     .again = OPTION_ADDS},
    {0},
};

static const struct option_group groups[] = {
    {NULL, first}, {"Others", second}, {NULL, NULL}};

static const struct option_table table = {.usage = "", .group = groups};

/* Parses the words of a line; returns given options and operands as text. */
static const char *
parse(const char *line)
{
	static char copy[256], result[256];
	char *argv[16] = {(char *)"program"}, *rest = copy;
	struct option_parser p = {.table = &table};
	int argc = 1, operand;

	flag = false;
	text = maybe = NULL;
	snprintf(copy, sizeof copy, "%s", line);
	while ((argv[argc] = strsep(&rest, " ")))
		argc++;
	optind = 0; /* resets getopt */
	operand = options_parse(&p, argc, argv);
	*result = '\0';
	for (size_t i = 0; i < p.ngiven; i++)
		sprintf(result + strlen(result), "%s ", p.given[i]->name);
	for (; operand < argc; operand++)
		sprintf(result + strlen(result), "+%s", argv[operand]);
	return result;
}

TEST(all_forms_of_an_option_are_one)
{
	static const char *const forms[] = {"-t 1",     "-t1",      "--text 1",
	                                    "--text=1", "--te=1",   "--t 1",
	                                    "-ft1",     "-f --t=1", "a -ft 1"};

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		bool with_flag = strchr(forms[i], 'f');

		assert_string_equal(parse(forms[i]), i == 8 ? "flag text +a"
		                                     : with_flag ? "flag text "
		                                                 : "text ");
		assert_string_equal(text, "1");
		assert_int_equal(flag, with_flag);
	}
}

TEST(a_value_may_be_optional)
{
	assert_string_equal(parse("--maybe 1"), "maybe +1");
	assert_null(maybe);
	parse("--maybe=1");
	assert_string_equal(maybe, "1");
	parse("--maybe=");
	assert_string_equal(maybe, "");
}

TEST(options_are_known_once_in_the_order_given)
{
	assert_string_equal(parse("-t 1 x --flight 2 -f -f -- -f"),
	                    "text flight flag +x+-f");
	assert_string_equal(text, "1");
}

TEST(lists_grow_and_what_adds_is_called_each_time)
{
	assert_string_equal(parse("-l 1 -a x --list=2,3 -l 4 --add y"),
	                    "list add ");
	assert_string_equal(list, "1,2,3,4");
	assert_string_equal(added, "/x/y");
}

TEST(a_value_has_the_type_of_its_row)
{
	static const struct {
		const char *line;
		uint64_t value;
	} numbers[] = {
	    {"--integer 12", 12},
	    {"--count 12K", 12000},
	    {"--bytes 12K", 12288},
	    {"--span 12ns", 12000},
	};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		parse(numbers[i].line);
		assert_int_equal(number, numbers[i].value);
	}
	digit[1] = 5;
	parse("--digit 9 --percent 20 --sizes 1,2 --sizes 4K");
	assert_int_equal(digit[0], 9);
	assert_int_equal(digit[1], 5);
	assert_int_equal(5 * percent.num, percent.den);
	assert_int_equal(sizes.n, 3);
	assert_int_equal(sizes.value[2], 4096);
	free(sizes.value);
	parse("--label a=1 --label b=2");
	assert_string_equal(labels_value(&labels, "b"), "2");
	labels_free(&labels);
}

TEST(a_refused_value_ends_the_program)
{
	static const char *const lines[] = {
	    "--digit 1",  "--digit 10",  "--digit x",     "--integer 1K",
	    "--count 1B", "--bytes 1.1", "--span 1",      "--sizes 4:1",
	    "--label a",  "--label =",   "--percent 101",
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		int status;
		pid_t child = fork();

		if (!child) {
			fclose(stderr);
			parse(lines[i]);
			_exit(0);
		}
		assert_true(child > 0);
		assert_int_equal(waitpid(child, &status, 0), child);
		if (WEXITSTATUS(status) != STATUS_TROUBLE)
			fail_msg("accepted: %s", lines[i]);
	}
}
