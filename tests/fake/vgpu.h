/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A virtual GPU: runs the text of programs, instruction by instruction and warp
 * by warp, with its own clock. It knows only the instructions of the programs
 * of cuda/ptx.c, as NVIDIA's "PTX ISA" describes them, and is stricter than a
 * real GPU: undefined behaviour (a register before it is set, a copy without a
 * wait) is an error.
 */
#ifndef PCB_TESTS_FAKE_VGPU_H
#define PCB_TESTS_FAKE_VGPU_H

#include <stdbool.h>
#include <stdint.h>

#define VGPU_WARP  32
#define VGPU_MHZ   1500 /* a cycle of virtual time is 2/3 ns */
#define VGPU_ERROR 128  /* size of a message */

enum vgpu_way { VGPU_LOAD, VGPU_STORE, VGPU_ADD, VGPU_COPY_IN, VGPU_COPY_OUT };

/* Memory access of an instruction, by all lanes of a warp. */
struct vgpu_access {
	enum vgpu_way way;
	bool cached;    /* a cache may answer the load */
	uint64_t at;    /* of the first active lane */
	uint64_t bytes; /* of all lanes */
	unsigned warp;  /* index in the launch */
};

/*
 * The memory, provided by the caller. `move` is called for each lane: it loads
 * or stores `size` bytes; false if nothing is at that address. `done` returns
 * the cycle in which an access that starts in the cycle `now` completes.
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
	uint64_t ns;    /* globaltimer at the start of programs */
	uint64_t step;  /* ns, of globaltimer; 0: it stands still */
	uint64_t apart; /* cycles between the starts of two warps */
	unsigned sms;
	uint64_t end;           /* cycle in which the last launch ended */
	char error[VGPU_ERROR]; /* message of an error, with the line */
};

/* Of a launch; one-dimensional. */
struct vgpu_grid {
	unsigned blocks, threads, shared;
};

struct vgpu_program;

/*
 * Parses a module. Returns NULL, with the line and the reason in `error`, if
 * something is unknown or invalid. Free with vgpu_free.
 */
struct vgpu_program *vgpu_parse(const char *text, char error[VGPU_ERROR]);
void vgpu_free(struct vgpu_program *program);

/* Whether the module has this entry. */
bool vgpu_has(const struct vgpu_program *program, const char *entry);

/*
 * Runs an entry with 64 bytes of arguments: blocks and their warps one after
 * the other, each from cycle 0 (or `apart`) on. False on an error, whose text
 * is in gpu->error.
 */
bool vgpu_run(struct vgpu *gpu, const struct vgpu_program *program,
              const char *entry, struct vgpu_grid grid, const void *args);

#endif
