#include "collect/targets.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ALL_ONES UINT32_MAX

static bool
add(struct session *s, struct targets *targets, const struct method *method,
    const struct place *place, const struct pci_function *function)
{
	struct target *target;

	targets->item =
	    xreallocarray(targets->item, targets->n + 1, sizeof *targets->item);
	target = &targets->item[targets->n];
	*target = (struct target){0};
	if (!open_reader(s, method, targets->tree, function, place,
	                 &target->reader))
		return false;
	targets->n++;
	/* The way we read shows the device that libpci sees, or another. */
	target->expected = place->offset ? function->class_code : function->id;
	target->known =
	    place_is_constant(place) && target->expected != ALL_ONES;
	return true;
}

/* The bridge so many levels above a function; NULL above the root. */
static const struct pci_function *
ancestor(const struct pci_tree *tree, const struct pci_function *function,
         size_t levels)
{
	while (function && levels--)
		function = pci_find(tree, function->parent);
	return function;
}

/* The bridges from the root down to the function, then the function. */
static bool
add_path(struct session *s, struct targets *targets,
         const struct method *method, const struct place *place,
         const struct pci_function *function)
{
	size_t depth = 0;

	while (ancestor(targets->tree, function, depth + 1))
		depth++;
	for (size_t above = depth + 1; above--;) {
		if (!add(s, targets, method, place,
		         ancestor(targets->tree, function, above)))
			return false;
	}
	return true;
}

static bool
add_all(struct session *s, struct targets *targets, const struct method *method,
        const struct place *place)
{
	const struct pci_tree *tree = targets->tree;
	char text[PLACE_TEXT_MAX];

	place_format(place, text);
	for (size_t i = 0; i < tree->n; i++) {
		struct reader r = {.method = method,
		                   .function = &tree->function[i],
		                   .place = *place};

		if (method->suits && !method->suits(tree, &r))
			continue;
		if (!add(s, targets, method, place, r.function))
			return false;
	}
	if (!targets->n)
		return fail(s, STATUS_ABSENT,
		            "no function here has a register %s that can be "
		            "read by %s",
		            text, method->name);
	if (targets->n < tree->n)
		warn("left out, for register %s cannot be read by %s there: "
		     "%zu of %zu functions",
		     text, method->name, tree->n - targets->n, tree->n);
	return true;
}

bool
targets_open(struct session *s, struct targets *targets,
             const struct method *method, const struct place *place)
{
	const struct request *request = s->request;
	const struct pci_function *function;
	char bdf[BDF_MAX];

	if (!targets->tree->n)
		return fail(s, STATUS_ABSENT, "%s: no PCI device here",
		            targets->tree->sysfs);
	if (request->path && !request->which)
		return fail(s, STATUS_TROUBLE,
		            "--path: of which device? -d BDF says it");
	if (!request->which)
		return add_all(s, targets, method, place);
	if (!parse_bdf(request->which, bdf))
		return fail(s, STATUS_TROUBLE,
		            "%s: not a device (such as 03:00.0)",
		            request->which);
	function = pci_find(targets->tree, bdf);
	if (!function)
		return fail(s, STATUS_ABSENT,
		            "%s: no such device ('pcb-collect list' shows "
		            "those there are)",
		            bdf);
	return request->path ? add_path(s, targets, method, place, function)
	                     : add(s, targets, method, place, function);
}

void
targets_close(struct targets *targets)
{
	for (size_t i = 0; i < targets->n; i++)
		close_reader(&targets->item[i].reader);
	free(targets->item);
	targets->item = NULL;
	targets->n = 0;
}

bool
targets_are_below(const struct targets *targets, const struct pci_function *f)
{
	for (size_t i = 0; i < targets->n; i++) {
		const struct pci_function *at =
		    targets->item[i].reader.function;

		while (at && at != f)
			at = pci_find(targets->tree, at->parent);
		if (at)
			return true;
	}
	return false;
}

static bool
no_answer(struct session *s, const struct reader *r, bool ok)
{
	const char *bdf = r->function->bdf;
	const char *why = errno ? strerror(errno) : "no answer";
	char text[PLACE_TEXT_MAX];

	place_format(&r->place, text);
	if (ok)
		return fail(s, STATUS_TROUBLE,
		            "%s: register %s reads all ones: the device is "
		            "gone or does not answer",
		            bdf, text);
	return fail(s, STATUS_TROUBLE, "%s: reading register %s: %s", bdf, text,
	            why);
}

bool
target_check(struct session *s, struct target *target, bool ok, uint32_t value)
{
	const struct reader *r = &target->reader;
	char text[PLACE_TEXT_MAX];

	if (!ok || value == ALL_ONES)
		return no_answer(s, r, ok);
	if (value == target->expected && target->known)
		return true;
	if (target->known && place_is_constant(&r->place)) {
		place_format(&r->place, text);
		return fail(s, STATUS_TROUBLE,
		            "%s: register %s was 0x%08" PRIx32
		            " and is 0x%08" PRIx32
		            " by %s: another device has answered",
		            r->function->bdf, text, target->expected, value,
		            r->method->name);
	}
	target->changes += target->known;
	target->known = true;
	target->expected = value;
	return true;
}
