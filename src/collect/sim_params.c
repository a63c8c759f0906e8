#include "collect/sim_params.h"

#include "common/units.h"

#include <stdlib.h>
#include <string.h>

const struct backend_option sim_options[] = {
    [SIM_INTERFACE] = {"interface", "engine",
                       "how the device issues: engine or command"},
    [SIM_ISSUE] = {"issue", "100ns",
                   "from the start of a transfer to its first request"},
    [SIM_COMPLETE] = {"complete", "50ns",
                      "from the last data to the end of a transfer"},
    [SIM_COPY_READ] = {"copy-read", "15ns",
                       "to put away a line of a transfer that was read"},
    [SIM_COPY_WRITE] = {"copy-write", "15ns",
                        "to fetch a line of a transfer to be written"},
    [SIM_STORE] = {"store", "150ns",
                   "what a write takes longer to its first request"},
    [SIM_GAP] = {"gap", "60ns", "from a write to the read behind it"},
    [SIM_COMMAND] = {"command", "60ns",
                     "overhead of a read by a command, in all"},
    [SIM_COMMAND_STORE] = {"command-store", "120ns",
                           "what a write by a command takes before it"},
    [SIM_LOOP] = {"loop", "200ns",
                  "from the end of a worker's transfer to its next one"},
    [SIM_TICK] = {"tick", "4ns", "of the device's clock"},
    [SIM_CHUNK] = {"chunk", "128", "bytes that the DMA engine handles at once"},
    [SIM_READ] = {"read", "2ns", "of the engine for each read"},
    [SIM_READ_CHUNK] = {"read-chunk", "8ns", "and for each chunk of it"},
    [SIM_READ_ODD] = {"read-odd", "0ns",
                      "at least, if it is not whole words of 4 bytes"},
    [SIM_WRITE] = {"write", "2ns", "of the engine for each write"},
    [SIM_WRITE_CHUNK] = {"write-chunk", "8ns", "and for each chunk of it"},
    [SIM_BURST] = {"burst", "2ns",
                   "between two bursts of writes, MRRS bytes each"},
    [SIM_TURN] = {"turn", "0ns",
                  "what a line that is read keeps writes from the link"},
    [SIM_TURN_MAX] = {"turn-max", "0ns", "the same for a transfer, at most"},
    [SIM_INFLIGHT] = {"inflight", "32", "read requests in flight at a time"},
    [SIM_WORKERS] = {"workers", "96", "transfers under way at a time"},
    [SIM_DLLP] = {"dllp", "16",
                  "bytes of Acks and UpdateFCs that a request brings back"},
    [SIM_CREDITS] = {"credits", "128", "for headers of writes (PH)"},
    [SIM_DATA_CREDITS] = {"data-credits", "2048",
                          "for data of writes (PD), 16 bytes each"},
    [SIM_UPDATE] = {"update", "100ns",
                    "from taking in a write to the return of its credits"},
    [SIM_COMBINE] = {"combine", "0",
                     "shorter requests are answered in pieces of RCB bytes"},
    [SIM_COMBINE_ALIGN] = {"combine-align", "1",
                           "and so are those that begin between multiples"},
    [SIM_RC] = {"rc", "300ns", "latency of the root complex"},
    [SIM_LINE] = {"line", "1ns", "occupancy of the root complex by a line"},
    [SIM_LLC] = {"llc", "15M", "size of the last-level cache"},
    [SIM_WAYS] = {"ways", "20", "of it"},
    [SIM_DDIO_WAYS] = {"ddio-ways", "2",
                       "ways that writes of a device may fill; 0: none"},
    [SIM_SNOOP] = {"snoop", "15ns", "more, where a CPU wrote the line"},
    [SIM_MISS] = {"miss", "70ns", "more, where a read misses the cache"},
    [SIM_ALLOCATE] = {"allocate", "60ns",
                      "more, where a write of a whole line misses"},
    [SIM_EVICT] = {"evict", "2ns", "and for each line that it pushes out"},
    [SIM_REFRESH] = {"refresh", "350ns", "how long memory is refreshed"},
    [SIM_REFRESH_EVERY] = {"refresh-every", "7800ns",
                           "and how often; 0ns: never"},
    [SIM_REMOTE] = {"remote", "60ns", "more, for a read from node 1"},
    [SIM_REMOTE_WRITE] = {"remote-write", "120ns",
                          "more, for a write to node 1 that misses"},
    [SIM_IOMMU] = {"iommu", "off", "whether addresses are translated: on, off"},
    [SIM_PAGE] = {"page", "4K", "that an entry of the IO-TLB stands for"},
    [SIM_IOTLB] = {"iotlb", "64", "entries of the IO-TLB"},
    [SIM_IOTLB_WAYS] = {"iotlb-ways", "4", "of it"},
    [SIM_WALK] = {"walk", "280ns", "time of a walk through the page table"},
    [SIM_WALK_READS] = {"walk-reads", "2", "reads of memory of a walk"},
    [SIM_WALK_CACHED] = {"walk-cached", "75",
                         "how many of a hundred of them a cache answers"},
    [SIM_WALK_HOLD] = {"walk-hold", "0ns",
                       "how much longer a walk for a read keeps its place"},
    [SIM_WALKS] = {"walks", "6", "walks at a time"},
    [SIM_JITTER] = {"jitter", "10ns",
                    "mean of the noise, which is at most twice that"},
    [SIM_STALL1] = {"stall1", "8us", "a rare stall: how long at least"},
    [SIM_STALL1_SPREAD] = {"stall1-spread", "2us", "and how much longer"},
    [SIM_STALL1_ODDS] = {"stall1-odds", "4", "in a million transfers"},
    [SIM_STALL2] = {"stall2", "0ns", "another one"},
    [SIM_STALL2_SPREAD] = {"stall2-spread", "0ns", ""},
    [SIM_STALL2_ODDS] = {"stall2-odds", "0", ""},
    [SIM_STALL3] = {"stall3", "0ns", "another one"},
    [SIM_STALL3_SPREAD] = {"stall3-spread", "0ns", ""},
    [SIM_STALL3_ODDS] = {"stall3-odds", "0", ""},
    [SIM_LINK] = {"link", "gen3x8/mps256/mrrs512/rcb64",
                  "the link, as pcb-csv(5) writes it"},
    [SIM_NPARAMS] = {NULL, NULL, NULL},
};

/* The place of a word among those allowed: comma between, none twice. */
static const char *
parse_word(const char *words, const char *text, uint64_t *value)
{
	size_t length = strlen(text);

	for (uint64_t i = 0; length; i++) {
		size_t word = strcspn(words, ",");

		if (word == length && !strncmp(words, text, length)) {
			*value = i;
			return NULL;
		}
		if (!words[word])
			break;
		words += word + 1;
	}
	return "no such word";
}

static const char *
parse_interface(const char *text, uint64_t *value)
{
	return parse_word("engine,command", text, value)
	           ? "neither engine nor command"
	           : NULL;
}

static const char *
parse_switch(const char *text, uint64_t *value)
{
	return parse_word("off,on", text, value) ? "neither on nor off" : NULL;
}

/* A page or a boundary. */
static const char *
parse_power(const char *text, uint64_t *value)
{
	uint64_t size = 0;
	const char *why = parse_size(text, &size);

	if (why)
		return why;
	if (!size || (size & (size - 1)))
		return "not a power of two";
	*value = size;
	return NULL;
}

/* How the numbers among them are read, and what is sensible. */
static const struct range {
	const char *(*parse)(const char *text, uint64_t *value);
	uint64_t least, most;
	const char *text;
} any_time = {parse_time, 0, MILLISECOND, "not within 0ns to 1ms"},
  million = {parse_count, 0, 1000000, "not within 0 to 1M"},
  some = {parse_count, 1, 65536, "not within 1 to 65536"},
  few = {parse_count, 1, 64, "not within 1 to 64"},
  ranges[SIM_NUMBERS] = {
      [SIM_INTERFACE] = {parse_interface, 0, 1, ""},
      [SIM_TICK] = {parse_time, 1, MILLISECOND, "not within 1ps to 1ms"},
      [SIM_CHUNK] = {parse_size, 4, 65536, "not within 4 to 64K"},
      [SIM_DLLP] = {parse_size, 0, 1024, "not within 0 to 1K"},
      [SIM_DATA_CREDITS] = {parse_count, 256, 65536, "not within 256 to 65536"},
      [SIM_COMBINE] = {parse_size, 0, 8192, "not within 0 to 8K"},
      [SIM_COMBINE_ALIGN] = {parse_power, 1, 4096, "not within 1 to 4K"},
      [SIM_LLC] = {parse_size, LINE, MEMORY, "not within 64 to 1024G"},
      [SIM_DDIO_WAYS] = {parse_count, 0, 64, "not within 0 to 64"},
      [SIM_IOMMU] = {parse_switch, 0, 1, ""},
      [SIM_PAGE] = {parse_power, 4096, UINT64_C(1) << 30,
                    "not within 4K to 1G"},
      [SIM_WALK_READS] = {parse_count, 0, 8, "not within 0 to 8"},
      [SIM_WALK_CACHED] = {parse_count, 0, 100, "not within 0 to 100"},
      [SIM_STALL1] = {parse_time, 0, 1000 * MILLISECOND,
                      "not within 0ns to 1s"},
};

static const struct range *
range_of(enum sim_param param)
{
	switch (param) {
	case SIM_INFLIGHT:
	case SIM_WORKERS:
	case SIM_CREDITS:
	case SIM_IOTLB:
		return &some;
	case SIM_WAYS:
	case SIM_IOTLB_WAYS:
	case SIM_WALKS:
		return &few;
	case SIM_STALL1_ODDS:
	case SIM_STALL2_ODDS:
	case SIM_STALL3_ODDS:
		return &million;
	case SIM_STALL1_SPREAD:
	case SIM_STALL2:
	case SIM_STALL2_SPREAD:
	case SIM_STALL3:
	case SIM_STALL3_SPREAD:
		return &ranges[SIM_STALL1];
	default:
		return ranges[param].parse ? &ranges[param] : &any_time;
	}
}

static const char *
set_link(struct sim_params *params, const char *text)
{
	struct link link = {.bus = BUS_UNKNOWN};
	const char *why = link_parse(text, &link);

	if (!why && link.bus != BUS_PCIE)
		why = "only PCI Express is simulated";
	if (!why)
		params->link = link;
	return why;
}

static const char *
set_number(struct sim_params *params, enum sim_param param, const char *text)
{
	const struct range *range = range_of(param);
	uint64_t value = 0;
	const char *why = range->parse(text, &value);

	if (why)
		return why;
	if (value < range->least || value > range->most)
		return range->text;
	params->number[param] = value;
	return NULL;
}

const char *
sim_param_set(struct sim_params *params, enum sim_param param, const char *text)
{
	const char *why = param == SIM_LINK ? set_link(params, text)
	                                    : set_number(params, param, text);

	if (!why)
		params->text[param] = text;
	return why;
}

/* Sizes and their units, as IEC 80000-13 writes them. */
static const struct {
	const char *unit, *suffix;
} size_units[] = {{"B", ""}, {"KiB", "K"}, {"MiB", "M"}, {"GiB", "G"}};

static const char *
size_suffix(const char *unit)
{
	for (size_t i = 0; i < ARRAY_LEN(size_units); i++) {
		if (!strcmp(unit, size_units[i].unit))
			return size_units[i].suffix;
	}
	return NULL;
}

static bool
is_time_unit(const char *unit)
{
	static const char *const units[] = {"ps", "ns", "us", "ms"};

	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		if (!strcmp(unit, units[i]))
			return true;
	}
	return false;
}

const char *
sim_param_value(enum sim_param param, const char *value, const char *unit,
                char **text)
{
	const char *(*parse)(const char *, uint64_t *) =
	    param == SIM_LINK ? NULL : range_of(param)->parse;
	const char *suffix = "";

	if (parse == parse_time) {
		if (!is_time_unit(unit))
			return "the unit of a time is ps, ns, us or ms";
		suffix = unit;
	} else if (parse == parse_size || parse == parse_power) {
		suffix = size_suffix(unit);
		if (!suffix)
			return "the unit of a size is B, KiB, MiB or GiB";
	} else if (*unit) {
		return "this has no unit";
	}
	*text = xasprintf("%s%s", value, suffix);
	return NULL;
}

static bool
refuse(struct session *s, enum sim_param param, const char *text,
       const char *why)
{
	return fail(s, STATUS_TROUBLE, "-O %s=%s: %s", sim_options[param].name,
	            text, why);
}

/* What one parameter allows depends on another one. */
static bool
agree(struct session *s, const struct sim_params *p)
{
	const uint64_t *n = p->number;

	if (n[SIM_LLC] / LINE < n[SIM_WAYS])
		return refuse(s, SIM_WAYS, p->text[SIM_WAYS],
		              "more than the cache has lines");
	if (n[SIM_DDIO_WAYS] > n[SIM_WAYS])
		return refuse(s, SIM_DDIO_WAYS, p->text[SIM_DDIO_WAYS],
		              "more than the cache has ways");
	if (n[SIM_IOTLB] % n[SIM_IOTLB_WAYS])
		return refuse(s, SIM_IOTLB_WAYS, p->text[SIM_IOTLB_WAYS],
		              "does not divide the entries of the IO-TLB");
	return true;
}

static bool
read_settings(struct session *s, struct sim_params *params)
{
	const struct request *request = s->request;

	for (size_t i = 0; i < request->nsettings; i++) {
		const struct setting *set = &request->setting[i];
		enum sim_param param = SIM_INTERFACE;
		const char *why;

		while (param < SIM_NPARAMS &&
		       strcmp(sim_options[param].name, set->name) != 0)
			param++;
		why = sim_param_set(params, param, set->value);
		if (why)
			return refuse(s, param, set->value, why);
	}
	return true;
}

bool
sim_params_read(struct session *s, struct sim_params *params)
{
	const char *which = s->request->which;

	for (enum sim_param i = SIM_INTERFACE; i < SIM_NPARAMS; i++)
		sim_param_set(params, i, sim_options[i].value);
	if (!which || !strcmp(which, "default"))
		params->profile = xstrdup("default");
	else if (!sim_profile_read(params, which))
		return fail(s, STATUS_ABSENT,
		            "sim:%s: no such profile; pcb-sim(7) lists them",
		            which);
	return read_settings(s, params) && agree(s, params);
}

void
sim_params_free(struct sim_params *params)
{
	for (size_t i = 0; i < SIM_NPARAMS; i++)
		free(params->own[i]);
	free(params->profile);
}
