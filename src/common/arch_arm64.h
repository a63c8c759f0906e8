/* Included by arch.h: the virtual count of the generic timer. */
#include <stdint.h>

static inline uint64_t
counter_begin(void)
{
	uint64_t ticks;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb"
	                 : "=r"(ticks)
	                 :
	                 : "memory");
	return ticks;
}

static inline uint64_t
counter_end(void)
{
	return counter_begin();
}
