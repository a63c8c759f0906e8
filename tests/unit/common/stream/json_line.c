/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects of JSON lines: texts, names, and invalid ones. */
#include "common/stream/record.h"
#include "rig/cmocka.h"

static struct json_line object;
static const char *
parse(const char *text)
{
	return json_line_parse(&object, text, strlen(text));
}

/* The values of a row with their names: "a=1 b=x". */
static void
assert_row(const char *text, const char *wanted)
{
	const char *name, *value;
	char got[400] = "";

	assert_null(parse(text));
	name = object.name;
	value = object.value;
	for (size_t i = 0; i < object.n; i++) {
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s=%s",
		         i ? "|" : "", name, value);
		name += strlen(name) + 1;
		value += strlen(value) + 1;
	}
	assert_string_equal(got, wanted);
}

TEST(values_of_all_types_are_texts)
{
	assert_row("{}", "");
	assert_row("{\"a\":1}", "a=1");
	assert_row("{\"a\":-1.50,\"b\":null,\"c\":true,\"d\":false}\n",
	           "a=-1.5|b=|c=true|d=false");
	assert_row(" { \"a\" : \"x y\" , \"b\" : [ 1 , \"z\" ] } \r\n",
	           "a=x y|b=1 z");
	assert_row("{\"a\":[]}", "a=");
}

TEST(escapes_are_what_they_stand_for)
{
	assert_row("{\"\\\"\":\"\\\\\\/\\n\\t\\u0041\"}", "\"=\\/\n\tA");
	assert_row("{\"a\":\"\\u00e9\\u20ac\\ud83d\\ude00\"}",
	           "a=\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

TEST(other_names_are_seen)
{
	assert_row("{\"a\":1,\"b\":2}", "a=1|b=2");
	assert_true(object.renamed);
	assert_row("{\"a\":3,\"b\":4}", "a=3|b=4");
	assert_false(object.renamed);
	assert_row("{\"a\":3}", "a=3");
	assert_true(object.renamed);
	assert_row("{\"b\":3}", "b=3");
	assert_true(object.renamed);
	assert_string_equal(object.name, "b");
}

TEST(what_is_no_object_is_refused)
{
	static const char *const wrong[] = {
	    "",
	    "[1]",
	    "{",
	    "{\n",
	    "{\"a\"}",
	    "{\"a\":}",
	    "{\"a\":1,}",
	    "{\"a\":1",
	    "{\"a\":1}}",
	    "{\"a\":1} x",
	    "{a:1}",
	    "{\"a\":1 2}",
	    "{\"a\":yes}",
	    "{\"a\":nul}",
	    "{\"a\":[1}",
	    "{\"a\":[1,]}",
	    "{\"a\":\"x\n\"}",
	    "{\"a\":\"x",
	    "{\"a\":\"\\q\"}",
	    "{\"a\":\"\\u00g0\"}",
	    "{\"a\":\"\\u0000\"}",
	    "{\"a\":\"\\ud800\"}",
	    "{\"a\":1,\"a\":2}",
	    "{\"a\":\"\\",
	    "{\"end\":{\"a\":1}",
	};

	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		if (!parse(wrong[i]))
			fail_msg("taken: %s", wrong[i]);
	}
	assert_non_null(strstr(parse("{\"a\":{\"b\":1}}"), "a cell is a text"));
	assert_non_null(strstr(parse("{\"a\":[[1]]}"), "a cell is a text"));
}

static int
release(void **state)
{
	json_line_free(&object);
	return 0;
}

const struct fixtures fixtures = {NULL, release};
