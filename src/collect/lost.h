/* Mappings that the kernel takes away while they are read. */
#ifndef PCB_COLLECT_LOST_H
#define PCB_COLLECT_LOST_H

#include <setjmp.h>

/*
 * Where this thread goes on when a mapping it reads is gone (SIGBUS), set by
 * sigsetjmp; NULL: the process ends by it, as it would without us.
 */
extern _Thread_local sigjmp_buf *lost_mapping;

/* Begins to catch SIGBUS; leaves it to the kernel again. */
void lost_catch(void);
void lost_release(void);

#endif
