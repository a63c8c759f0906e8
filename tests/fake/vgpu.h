/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A virtual GPU: it runs the text of programs, instruction by instruction and
 * a warp at a time, by a clock of its own. It knows the instructions that
 * gpu_ptx.h's programs are made of, as NVIDIA's "PTX ISA" describes them, and
 * no others; and it is stricter than a real one: what is not defined there (a
 * register before it is set, a copy that nobody waits for) is an error here.
 */
#ifndef PCB_TESTS_FAKE_VGPU_H
#define PCB_TESTS_FAKE_VGPU_H

#include <stdbool.h>
#include <stdint.h>

#define VGPU_WARP  32
#define VGPU_MHZ   1500 /* a cycle of the virtual time is 2/3 ns */
#define VGPU_ERROR 128  /* bytes of a message */

enum vgpu_way { VGPU_LOAD, VGPU_STORE, VGPU_ADD, VGPU_COPY_IN, VGPU_COPY_OUT };

/* What one instruction, of all lanes of a warp, does to memory. */
struct vgpu_access {
	enum vgpu_way way;
	bool cached;    /* a load that may be answered by a cache */
	uint64_t at;    /* of the first lane that takes part */
	uint64_t bytes; /* of all of them */
	unsigned warp;  /* by its number in the launch */
};

/*
 * The memory, by the caller. `move` is called for each lane: it loads or stores
 * `size` bytes, and false is an address that there is none at. `done` says in
 * which cycle an access that begins in the cycle `now` is done.
 */
struct vgpu_memory {
	void *of;
	bool (*move)(void *of, enum vgpu_way way, uint64_t at, unsigned size,
	             void *data);
	uint64_t (*done)(void *of, const struct vgpu_access *access,
	                 uint64_t now);
};

struct vgpu {
	struct vgpu_memory memory;
	unsigned mhz;   /* of clock64; 0: it stands still */
	uint64_t ns;    /* globaltimer as the programs begin */
	uint64_t step;  /* ns, of globaltimer; 0: it stands still */
	uint64_t apart; /* cycles between the beginnings of two warps */
	unsigned sms;
	uint64_t end; /* the cycle in which the last launch was over */
	char error[VGPU_ERROR]; /* what went wrong, with the line */
};

/* As of a launch: all of one dimension. */
struct vgpu_grid {
	unsigned blocks, threads, shared;
};

struct vgpu_program;

/*
 * Reads a module. NULL, and the line and what is wrong with it in `error`, if
 * there is something that is not known or does not fit. Free with vgpu_free.
 */
struct vgpu_program *vgpu_parse(const char *text, char error[VGPU_ERROR]);
void vgpu_free(struct vgpu_program *program);

/* Whether the module has such an entry. */
bool vgpu_has(const struct vgpu_program *program, const char *entry);

/*
 * Runs an entry with 64 bytes of arguments: blocks and their warps one after
 * the other, each from cycle 0 (or `apart`) on. False is an error, of which
 * gpu->error has the text.
 */
bool vgpu_run(struct vgpu *gpu, const struct vgpu_program *program,
              const char *entry, struct vgpu_grid grid, const void *args);

#endif
