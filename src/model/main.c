/* pcb-model: what the specification lets a PCI Express link deliver. */
#include "model/join.h"
#include "model/options.h"

/* What --check says about the rows: STATUS_OK or STATUS_NO. */
static int
verdict(const struct options *o, const struct join *j)
{
	size_t n = o->check ? join_short(j, o->tolerance) : 0;

	if (n)
		warn("%zu row%s short of the model by more than --check allows",
		     n, n == 1 ? " falls" : "s fall");
	return n ? STATUS_NO : STATUS_OK;
}

static int
join(const struct options *o, struct out *out)
{
	struct table *t = table_open(o->files, o->nfiles);
	struct join j = {0};
	int status;

	join_read(&j, t, &o->slot);
	if (o->check && !j.compared)
		die("--check: no row that the model could be compared with");
	preamble_add_command(&t->preamble);
	out->preamble = &t->preamble;
	join_write(out, t, &j);
	out_finish(out, t->complete, &t->end);
	status = verdict(o, &j);
	join_free(&j);
	table_close(t);
	return status;
}

static void
model(const struct options *o, struct out *out)
{
	struct slot slot = slot_of(&o->slot);

	if (o->work)
		write_bandwidths(out, &slot, o->work, &o->sweep);
	else
		write_link(out, &slot);
	out_finish(out, true, NULL);
}

int
main(int argc, char *argv[])
{
	struct options o = {0};
	struct out out = {0};
	int status = STATUS_OK;

	set_program(argc, argv);
	filter_signals();
	parse_options(&o, argc, argv);
	out.format = o.format;
	out.no_preamble = o.no_preamble;
	if (o.join)
		status = join(&o, &out);
	else
		model(&o, &out);
	free_options(&o);
	close_stdout();
	return status;
}
