/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the text of a module: one statement per line, as in our programs. */
#include "vgpu_program.h"

#include "common/base/util.h"

#include <ctype.h>

static const struct mnemonic mnemonics[] = {
    {"ld.param.u64", OP_PARAM, 8, 8, 1, 2, false},
    {"ld.param.u32", OP_PARAM, 4, 4, 1, 2, false},
    {"cvta.to.global.u64", OP_MOVE, 8, 8, 1, 2, false},
    {"mov.u32", OP_MOVE, 4, 4, 1, 2, false},
    {"mov.u64", OP_MOVE, 8, 8, 1, 2, false},
    {"cvt.u32.u64", OP_MOVE, 4, 8, 1, 2, false},
    {"cvt.u64.u32", OP_MOVE, 8, 4, 1, 2, false},
    {"setp.eq.u32", OP_EQ, 0, 4, 1, 3, false},
    {"setp.lt.u32", OP_LT, 0, 4, 1, 3, false},
    {"setp.ge.u32", OP_GE, 0, 4, 1, 3, false},
    {"setp.eq.u64", OP_EQ, 0, 8, 1, 3, false},
    {"setp.lt.u64", OP_LT, 0, 8, 1, 3, false},
    {"setp.gt.u64", OP_GT, 0, 8, 1, 3, false},
    {"add.u32", OP_ADD, 4, 4, 1, 3, false},
    {"add.s64", OP_ADD, 8, 8, 1, 3, false},
    {"sub.s64", OP_SUB, 8, 8, 1, 3, false},
    {"mul.wide.u32", OP_MUL, 8, 4, 1, 3, false},
    {"mul.lo.u32", OP_MUL, 4, 4, 1, 3, false},
    {"mad.lo.u32", OP_MAD, 4, 4, 1, 4, false},
    {"min.u64", OP_MIN, 8, 8, 1, 3, false},
    {"rem.u32", OP_REM, 4, 4, 1, 3, false},
    {"shr.u32", OP_SHR, 4, 4, 1, 3, false},
    {"xor.b32", OP_XOR, 4, 4, 1, 3, false},
    {"ld.volatile.global.u8", OP_LOAD, 1, 8, 1, 2, true},
    {"ld.volatile.global.u16", OP_LOAD, 2, 8, 1, 2, true},
    {"ld.volatile.global.u32", OP_LOAD, 4, 8, 1, 2, true},
    {"ld.volatile.global.v2.u32", OP_LOAD, 4, 8, 2, 3, true},
    {"ld.volatile.global.v4.u32", OP_LOAD, 4, 8, 4, 5, true},
    {"ld.mmio.relaxed.sys.global.u8", OP_LOAD, 1, 8, 1, 2, false},
    {"ld.mmio.relaxed.sys.global.u16", OP_LOAD, 2, 8, 1, 2, false},
    {"ld.mmio.relaxed.sys.global.u32", OP_LOAD, 4, 8, 1, 2, false},
    {"ld.global.nc.u32", OP_LOAD, 4, 8, 1, 2, true},
    {"st.global.u32", OP_STORE, 4, 8, 1, 2, false},
    {"st.global.u64", OP_STORE, 8, 8, 1, 2, false},
    {"st.global.v2.u64", OP_STORE, 8, 8, 2, 3, false},
    {"st.volatile.global.u8", OP_STORE, 1, 8, 1, 2, false},
    {"st.volatile.global.u16", OP_STORE, 2, 8, 1, 2, false},
    {"st.volatile.global.u32", OP_STORE, 4, 8, 1, 2, false},
    {"st.volatile.global.v2.u32", OP_STORE, 4, 8, 2, 3, false},
    {"st.volatile.global.v4.u32", OP_STORE, 4, 8, 4, 5, false},
    {"red.global.add.u32", OP_RED, 4, 8, 1, 2, false},
    {"bra", OP_BRA, 0, 0, 1, 0, false},
    {"ret", OP_RET, 0, 0, 1, 0, false},
    {"membar.sys", OP_MEMBAR, 0, 0, 1, 0, false},
    {"fence.proxy.async", OP_PROXY, 0, 0, 1, 0, false},
    {"mbarrier.init.shared.b64", OP_BARRIER_INIT, 4, 4, 1, 2, false},
    {"mbarrier.arrive.expect_tx.shared.b64", OP_EXPECT, 8, 4, 1, 3, false},
    {"mbarrier.try_wait.parity.shared.b64", OP_TRY_WAIT, 0, 4, 1, 3, false},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes",
     OP_COPY_IN, 4, 8, 1, 4, false},
    {"cp.async.bulk.global.shared::cta.bulk_group", OP_COPY_OUT, 8, 4, 1, 3,
     false},
    {"cp.async.bulk.commit_group", OP_COMMIT, 0, 0, 1, 0, false},
    {"cp.async.bulk.wait_group", OP_WAIT_GROUP, 0, 0, 1, 1, false},
};

static const struct {
	const char *name;
	enum special is;
	unsigned size;
} specials[] = {
    {"%laneid", IS_LANE, 4},     {"%tid.x", IS_TID, 4},
    {"%ntid.x", IS_NTID, 4},     {"%ctaid.x", IS_CTAID, 4},
    {"%nctaid.x", IS_NCTAID, 4}, {"%smid", IS_SMID, 4},
    {"%clock64", IS_CLOCK, 8},   {"%globaltimer", IS_TIMER, 8},
};

/* Addresses of names in shared memory; the barrier comes first. */
static const struct {
	const char *name;
	uint64_t at;
} shared[] = {{"barrier", 0}, {"area", AREA_AT}};

struct parser {
	struct vgpu_program *program;
	struct entry *entry; /* current one, or NULL */
	unsigned line;
	char *error;
};

static bool wrong(const struct parser *p, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

static bool
wrong(const struct parser *p, const char *fmt, ...)
{
	int n = snprintf(p->error, VGPU_ERROR, "line %u: ", p->line);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p->error + n, (size_t)(VGPU_ERROR - n), fmt, ap);
	va_end(ap);
	return false;
}

static int
find_register(const struct entry *entry, const char *name)
{
	for (size_t i = 0; entry && i < entry->regs; i++) {
		if (!strcmp(entry->reg[i].name, name))
			return (int)i;
	}
	return NO_REGISTER;
}

static bool
add_register(struct parser *p, const char *name, unsigned size)
{
	struct entry *entry = p->entry;
	struct reg *reg;

	if (find_register(entry, name) >= 0)
		return wrong(p, "%s: declared twice", name);
	entry->reg = reallocarray(entry->reg, entry->regs + 1, sizeof *reg);
	reg = &entry->reg[entry->regs++];
	*reg = (struct reg){.size = size};
	snprintf(reg->name, sizeof reg->name, "%s", name);
	return true;
}

/* ".reg .b32 %x, %v<8>;" */
static bool
parse_registers(struct parser *p, char *text)
{
	static const struct {
		const char *type;
		unsigned size;
	} types[] = {{".b64", 8}, {".b32", 4}, {".pred", 0}};
	char *rest, *word = strtok_r(text, " ,;\t", &rest);
	size_t type = 0;

	while (type < ARRAY_LEN(types) && strcmp(word, types[type].type) != 0)
		type++;
	if (!p->entry || type == ARRAY_LEN(types))
		return wrong(p, "%s: no such type", word);
	while ((word = strtok_r(NULL, " ,;\t", &rest))) {
		char *range = strchr(word, '<'), name[WORD];
		unsigned long n = range ? strtoul(range + 1, NULL, 10) : 1;

		if (range)
			*range = '\0';
		for (unsigned long i = 0; i < n; i++) {
			snprintf(name, sizeof name,
			         range ? "%.20s%lu" : "%.20s", word, i);
			if (!add_register(p, name, types[type].size))
				return false;
		}
	}
	return true;
}

/* "NAME(...": the only argument of an entry has 64 bytes. */
static bool
parse_entry(struct parser *p, const char *text)
{
	struct entry *entry = calloc(1, sizeof *entry);
	size_t length = strcspn(text, "(");

	snprintf(entry->name, sizeof entry->name, "%.*s", (int)length, text);
	entry->next = p->program->entry;
	p->program->entry = entry;
	p->entry = entry;
	return !strcmp(text + length, "(.param .align 8 .b8 args[64])") ||
	       wrong(p, "%s: its arguments are others", entry->name);
}

static bool
parse_number(const char *text, uint64_t *number)
{
	char *end;

	*number = strtoull(text, &end, 0);
	return isdigit((unsigned char)*text) && !*end;
}

/* "[args+8]", "[%at]", "[%at+32]" */
static bool
parse_memory(struct parser *p, char *text, struct operand *o)
{
	char *end = strchr(text, ']');
	char *plus = strchr(text, '+');

	if (!end || end[1])
		return wrong(p, "%s: no address", text);
	*end = '\0';
	if (plus)
		*plus = '\0';
	*o = (struct operand){.is = IS_MEMORY, .reg = NO_REGISTER};
	if (plus && !parse_number(plus + 1, &o->number))
		return wrong(p, "%s: no number", plus + 1);
	if (!strcmp(text + 1, "args"))
		return true;
	o->reg = find_register(p->entry, text + 1);
	return o->reg >= 0 || wrong(p, "%s: no register", text + 1);
}

static bool
parse_operand(struct parser *p, char *text, struct operand *o)
{
	*o = (struct operand){.is = IS_NUMBER, .reg = NO_REGISTER};
	if (*text == '[')
		return parse_memory(p, text, o);
	for (size_t i = 0; i < ARRAY_LEN(specials); i++) {
		if (strcmp(text, specials[i].name) != 0)
			continue;
		o->is = specials[i].is;
		o->number = specials[i].size;
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(shared); i++) {
		if (!strcmp(text, shared[i].name)) {
			o->number = shared[i].at;
			return true;
		}
	}
	if (*text != '%')
		return parse_number(text, &o->number) ||
		       wrong(p, "%s: no number", text);
	o->is = IS_REGISTER;
	o->reg = find_register(p->entry, text);
	return o->reg >= 0 || wrong(p, "%s: no register", text);
}

/* "@%p " or "@!%p " */
static bool
parse_guard(struct parser *p, char **text, struct instruction *i)
{
	char *name = *text + 1;
	size_t length;

	i->guard = NO_REGISTER;
	if (**text != '@')
		return true;
	i->guard_not = *name == '!';
	name += i->guard_not;
	length = strcspn(name, " ");
	*text = name + length + strspn(name + length, " ");
	name[length] = '\0';
	i->guard = find_register(p->entry, name);
	return (i->guard >= 0 && !p->entry->reg[i->guard].size) ||
	       wrong(p, "%s: no predicate", name);
}

/* Whether an operand's register has this size; other operands fit. */
static bool
has_size(const struct parser *p, const struct operand *o, unsigned size,
         bool or_more)
{
	unsigned is;

	if (o->is >= IS_LANE)
		return o->number == size;
	if (o->reg < 0)
		return true;
	is = p->entry->reg[o->reg].size;
	return is == size || (or_more && is > size);
}

/* Checks the types of all operands, as an assembler does. */
static bool
check_sizes(const struct parser *p, const struct instruction *i)
{
	const struct mnemonic *m = i->of;
	bool memory = m->op == OP_LOAD || m->op == OP_STORE || m->op == OP_RED;

	for (unsigned n = 0; n < i->operands; n++) {
		const struct operand *o = &i->operand[n];
		bool address = o->is == IS_MEMORY && memory;
		unsigned size = n && !memory ? m->in : address ? 8 : m->out;

		/* The other address of a copy, and the barrier's operand. */
		if (m->op == OP_COPY_IN && n == 3)
			size = 4;
		if (!has_size(p, o, size, memory && !address))
			return wrong(p, "%s: operand %u has another type",
			             m->name, n + 1);
	}
	return true;
}

static bool
parse_instruction(struct parser *p, char *text)
{
	struct entry *entry = p->entry;
	struct instruction i = {.line = p->line};
	char *rest, *word;

	if (!entry || !parse_guard(p, &text, &i))
		return entry ? false : wrong(p, "%s: of no entry", text);
	word = strtok_r(text, " ;", &rest);
	for (size_t n = 0; word && n < ARRAY_LEN(mnemonics) && !i.of; n++) {
		if (!strcmp(word, mnemonics[n].name))
			i.of = &mnemonics[n];
	}
	if (!i.of)
		return wrong(p, "%s: no such instruction", text);
	if (i.of->op == OP_BRA)
		snprintf(i.label, sizeof i.label, "%s",
		         strtok_r(NULL, " ;", &rest));
	while ((word = strtok_r(NULL, " ,{};", &rest))) {
		if (i.operands == OPERANDS ||
		    !parse_operand(p, word, &i.operand[i.operands++]))
			return false;
	}
	if (i.operands != i.of->operands)
		return wrong(p, "%s has %u operands", i.of->name, i.operands);
	if (!check_sizes(p, &i))
		return false;
	entry->code = reallocarray(entry->code, entry->n + 1, sizeof i);
	entry->code[entry->n++] = i;
	return true;
}

static bool
parse_label(struct parser *p, const char *text)
{
	struct entry *entry = p->entry;
	struct label *label;

	if (!entry)
		return wrong(p, "%s: of no entry", text);
	entry->label =
	    reallocarray(entry->label, entry->labels + 1, sizeof *label);
	label = &entry->label[entry->labels++];
	label->at = entry->n;
	snprintf(label->name, sizeof label->name, "%.*s",
	         (int)strcspn(text, ":"), text);
	return true;
}

/* Resolves branches; an entry must end with `ret`. */
static bool
end_entry(struct parser *p)
{
	struct entry *entry = p->entry;

	p->entry = NULL;
	if (!entry || !entry->n || entry->code[entry->n - 1].of->op != OP_RET)
		return wrong(p, "an entry that does not end");
	for (size_t i = 0; i < entry->n; i++) {
		struct instruction *code = &entry->code[i];
		size_t n = 0;

		if (code->of->op != OP_BRA)
			continue;
		while (n < entry->labels &&
		       strcmp(entry->label[n].name, code->label) != 0)
			n++;
		if (n == entry->labels)
			return wrong(p, "%s: no such label", code->label);
		code->target = entry->label[n].at;
	}
	return true;
}

static bool
parse_directive(struct parser *p, char *text)
{
	static const char *const known[] = {
	    ".version ",
	    ".target ",
	    ".address_size 64",
	    ".minnctapersm ",
	    ".shared .align 8 .b8 barrier[8];",
	    ".extern .shared .align 128 .b8 area[];"};

	if (!strncmp(text, ".reg ", 5))
		return parse_registers(p, text + 5);
	if (!strncmp(text, ".visible .entry ", 16))
		return parse_entry(p, text + 16);
	if (!strncmp(text, ".maxntid ", 9) && p->entry) {
		p->entry->most_threads = (unsigned)strtoul(text + 9, NULL, 10);
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (!strncmp(text, known[i], strlen(known[i])))
			return true;
	}
	return wrong(p, "%s: no such directive", text);
}

static bool
parse_line(struct parser *p, char *text)
{
	char *comment = strstr(text, "//");
	size_t length;

	if (comment)
		*comment = '\0';
	text += strspn(text, " \t");
	length = strlen(text);
	if (!length || !strcmp(text, "{"))
		return true;
	if (!strcmp(text, "}"))
		return end_entry(p);
	if (*text == '.')
		return parse_directive(p, text);
	if (text[length - 1] == ':')
		return parse_label(p, text);
	return text[length - 1] == ';' ? parse_instruction(p, text)
	                               : wrong(p, "%s: no ';'", text);
}

struct vgpu_program *
vgpu_parse(const char *text, char error[VGPU_ERROR])
{
	struct parser p = {.program = calloc(1, sizeof *p.program),
	                   .error = error};
	char *copy = strdup(text), *rest = copy, *line;
	bool ok = true;

	while (ok && (line = strsep(&rest, "\n"))) {
		p.line++;
		ok = parse_line(&p, line);
	}
	free(copy);
	if (ok && !p.entry)
		return p.program;
	if (ok)
		wrong(&p, "an entry that does not end");
	vgpu_free(p.program);
	return NULL;
}

void
vgpu_free(struct vgpu_program *program)
{
	struct entry *entry = program->entry;

	while (entry) {
		struct entry *next = entry->next;

		free(entry->reg);
		free(entry->label);
		free(entry->code);
		free(entry);
		entry = next;
	}
	free(program);
}

const struct entry *
vgpu_entry(const struct vgpu_program *program, const char *name)
{
	const struct entry *entry = program->entry;

	while (entry && strcmp(entry->name, name) != 0)
		entry = entry->next;
	return entry;
}

bool
vgpu_has(const struct vgpu_program *program, const char *entry)
{
	return vgpu_entry(program, entry) != NULL;
}
