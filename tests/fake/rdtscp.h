/*
 * RDTSCP by RDTSC, for check-valgrind: valgrind has it only on a CPU whose
 * CPUID tells of it, and not every hypervisor lets it.
 */
#if defined(__x86_64__)
__asm__(".macro rdtscp\n\tlfence\n\trdtsc\n.endm");
#endif
