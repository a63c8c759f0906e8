/* The interactions that come with the program. */
#ifndef PCB_MODEL_SHARE_H
#define PCB_MODEL_SHARE_H

/*
 * The file of an interaction: `name` itself if it has a '/' or ends in
 * ".csv", else one of share/. A usage error if there is none of that name. Free
 * it.
 */
char *share_find(const char *name);

/*
 * Lists them on stdout: their names, and what the first line of each file, a
 * comment, says. Dies where there is no directory of them.
 */
void share_list(void);

#endif
