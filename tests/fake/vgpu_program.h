/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program as vgpu_parse makes it for vgpu_run. */
#ifndef PCB_TESTS_FAKE_VGPU_PROGRAM_H
#define PCB_TESTS_FAKE_VGPU_PROGRAM_H

#include "vgpu.h"

#include <stddef.h>

#define WORD     32
#define OPERANDS 6
#define AREA_AT  128 /* start of extern shared memory */

enum operation {
	OP_PARAM,
	OP_MOVE,
	OP_EQ,
	OP_LT,
	OP_GE,
	OP_GT,
	OP_ADD,
	OP_SUB,
	OP_MUL,
	OP_MAD,
	OP_MIN,
	OP_REM,
	OP_SHR,
	OP_XOR,
	OP_LOAD,
	OP_STORE,
	OP_RED,
	OP_BRA,
	OP_RET,
	OP_MEMBAR,
	OP_PROXY,
	OP_BARRIER_INIT,
	OP_EXPECT,
	OP_TRY_WAIT,
	OP_COPY_IN,
	OP_COPY_OUT,
	OP_COMMIT,
	OP_WAIT_GROUP
};

/* Kind of an operand: a register, or a special register. */
enum special {
	IS_NUMBER,
	IS_REGISTER,
	IS_MEMORY, /* a register or none, plus a number */
	IS_LANE,
	IS_TID,
	IS_NTID,
	IS_CTAID,
	IS_NCTAID,
	IS_SMID,
	IS_CLOCK,
	IS_TIMER
};

#define NO_REGISTER (-1)

struct operand {
	enum special is;
	int reg;
	uint64_t number;
};

/* How a mnemonic is executed. */
struct mnemonic {
	const char *name;
	enum operation op;
	unsigned out, in; /* bytes of the result, of the operands */
	unsigned vector;  /* elements of loads and stores */
	unsigned operands;
	bool cached;
};

struct instruction {
	const struct mnemonic *of;
	struct operand operand[OPERANDS];
	unsigned operands, line;
	int guard; /* register of the predicate */
	bool guard_not;
	size_t target; /* of a branch */
	char label[WORD];
};

struct reg {
	char name[WORD];
	unsigned size; /* bytes; 0: a predicate */
};

struct label {
	char name[WORD];
	size_t at;
};

struct entry {
	char name[WORD];
	unsigned most_threads; /* 0: no limit */
	struct reg *reg;
	size_t regs;
	struct label *label;
	size_t labels;
	struct instruction *code;
	size_t n;
	struct entry *next;
};

struct vgpu_program {
	struct entry *entry;
};

const struct entry *vgpu_entry(const struct vgpu_program *program,
                               const char *name);

#endif
