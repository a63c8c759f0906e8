/* pcb-model: what the specification lets a PCI Express link deliver. */
#include "model/join.h"
#include "model/options.h"

static struct options options;
static struct out out;

/* What --check says about the rows: STATUS_OK or STATUS_NO. */
static int
verdict(const struct join *j)
{
	size_t n = options.check ? join_short(j, options.tolerance) : 0;

	if (n)
		warn("%zu row%s short of the model by more than --check allows",
		     n, n == 1 ? " falls" : "s fall");
	return n ? STATUS_NO : STATUS_OK;
}

static int
write_join(void)
{
	struct table *t = table_open(options.files, options.nfiles);
	struct join join = {0};
	int status;

	join_read(&join, t, &options.slot);
	if (options.check && !join.compared)
		die("--check: no row that the model could be compared with");
	preamble_add_command(&t->preamble);
	out.preamble = &t->preamble;
	join_write(&out, t, &join);
	out_finish(&out, t->complete, &t->end);
	status = verdict(&join);
	join_free(&join);
	table_close(t);
	return status;
}

static int
write_model(void)
{
	struct slot slot = slot_of(&options.slot);
	struct preamble pre = {0};

	preamble_set(&pre, "tool", "pcb-model %s", VERSION);
	preamble_add_command(&pre);
	out.preamble = &pre;
	if (options.work)
		write_bandwidths(&out, &slot, options.work, &options.sweep);
	else
		write_link(&out, &slot);
	out_finish(&out, true, NULL);
	preamble_free(&pre);
	return STATUS_OK;
}

int
main(int argc, char *argv[])
{
	int status;

	set_program(argc, argv);
	filter_signals();
	parse_options(&options, argc, argv);
	out.format = options.format;
	out.no_preamble = options.no_preamble;
	status = options.join ? write_join() : write_model();
	free_options(&options);
	close_stdout();
	return status;
}
