/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events for the metrics. */
#include "ddio/ddio.h"

#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <ctype.h>
#include <strings.h>

#define REQUEST(name)                                                          \
	{"UNC_CHA_TOR_INSERTS.IO_" name, OF_SOCKET, 0},                        \
	{                                                                      \
		"UNC_CHA_TOR_OCCUPANCY.IO_" name, OF_SOCKET, 0                 \
	}

/* Lines, by the socket whose memory they are in. */
#define BY_SOCKET(name)                                                        \
	{"UNC_CHA_TOR_INSERTS.IO_" name "_LOCAL", OF_SOCKET, 64},              \
	{                                                                      \
		"UNC_CHA_TOR_INSERTS.IO_" name "_REMOTE", OF_SOCKET, 64        \
	}

#define LOOKED_UP(name)                                                        \
	REQUEST(name), REQUEST("HIT_" name), REQUEST("MISS_" name)

/* Tables 1, 3 and 5 of the DDIO paper, and events of other metrics. */
static const struct event events[] = {
    LOOKED_UP("PCIRDCUR"),
    LOOKED_UP("ITOM"),
    LOOKED_UP("ITOMCACHENEAR"),
    BY_SOCKET("PCIRDCUR"),
    BY_SOCKET("ITOM"),
    BY_SOCKET("ITOMCACHENEAR"),
    REQUEST("WBMTOI"),
    REQUEST("CLFLUSH"),
    {"UNC_CHA_CLOCKTICKS", OF_SOCKET, 0},
    {"UNC_IIO_CLOCKTICKS", OF_PART, 0},
    {"UNC_IIO_TXN_REQ_OF_CPU.MEM_WRITE", OF_PART, 0},
    {"UNC_IIO_TXN_REQ_OF_CPU.MEM_READ", OF_PART, 0},
    {"UNC_IIO_TXN_REQ_OF_CPU.CMPD", OF_PART, 0},
    {"UNC_IIO_TXN_REQ_BY_CPU.MEM_WRITE", OF_PART, 0},
    {"UNC_IIO_TXN_REQ_BY_CPU.MEM_READ", OF_PART, 0},
    {"UNC_IIO_TXN_REQ_BY_CPU.CFG_READ", OF_PART, 0},
    {"UNC_IIO_DATA_REQ_OF_CPU.MEM_WRITE", OF_PART, 4},
    {"UNC_IIO_DATA_REQ_OF_CPU.MEM_READ", OF_PART, 4},
    {"UNC_IIO_DATA_REQ_OF_CPU.CMPD", OF_PART, 4},
    {"UNC_IIO_DATA_REQ_BY_CPU.MEM_WRITE", OF_PART, 4},
    {"UNC_IIO_DATA_REQ_BY_CPU.MEM_READ", OF_PART, 4},
    {"UNC_IIO_NUM_REQ_OF_CPU_BY_TGT.UBOX_POSTED", OF_PART, 0},
    {"UNC_IIO_COMP_BUF_INSERTS.CMPD", OF_PART, 0},
    {"UNC_IIO_COMP_BUF_OCCUPANCY.CMPD", OF_PART, 0},
    {"UNC_I_CLOCKTICKS", OF_PART, 0},
    {"UNC_I_FAF_INSERTS", OF_PART, 0},
    {"UNC_I_FAF_OCCUPANCY", OF_PART, 0},
    {"UNC_I_TRANSACTIONS.WR_PREF", OF_PART, 0},
    {"UNC_I_COHERENT_OPS.PCITOM", OF_PART, 0},
    {"UNC_I_COHERENT_OPS.RFO", OF_PART, 0},
    {"UNC_I_CACHE_TOTAL_OCCUPANCY.MEM", OF_PART, 0},
    {"UNC_I_MISC1.LOST_FWD", OF_PART, 0},
    {"UNC_M_CAS_COUNT.RD", OF_SOCKET, 64},
    {"UNC_M_CAS_COUNT.WR", OF_SOCKET, 64},
    {"upstream_read_beats", OF_PART, 64},
    {"upstream_write_beats", OF_PART, 64},
    {"rx_mrd_latency", OF_PART, 0},
    {"rx_mrd_cnt", OF_PART, 0},
    {"rx_mwr_latency", OF_PART, 0},
    {"rx_mwr_cnt", OF_PART, 0},
    {"rx_pcie_tlp_data_payload", OF_PART, 1},
    {"tx_pcie_tlp_data_payload", OF_PART, 1},
    {"rd_bytes_loc", OF_PART, 1},
    {"rd_req_loc", OF_PART, 0},
    {"wr_bytes_loc", OF_PART, 1},
    {"wr_req_loc", OF_PART, 0},
};

/*
 * Other names of these events. Two subchannels together are a channel; local
 * and remote memory together are all memory.
 */
static const struct {
	const char *other, *name;
} aliases[] = {
    {"cas_count_read", "UNC_M_CAS_COUNT.RD"},
    {"cas_count_write", "UNC_M_CAS_COUNT.WR"},
    {"UNC_M_CAS_COUNT_SCH0.RD", "UNC_M_CAS_COUNT.RD"},
    {"UNC_M_CAS_COUNT_SCH1.RD", "UNC_M_CAS_COUNT.RD"},
    {"UNC_M_CAS_COUNT_SCH0.WR", "UNC_M_CAS_COUNT.WR"},
    {"UNC_M_CAS_COUNT_SCH1.WR", "UNC_M_CAS_COUNT.WR"},
    {"local_socket_upstream_read_beats", "upstream_read_beats"},
    {"local_socket_upstream_write_beats", "upstream_write_beats"},
    {"remote_socket_upstream_read_beats", "upstream_read_beats"},
    {"remote_socket_upstream_write_beats", "upstream_write_beats"},
    {"local_or_remote_socket_upstream_read_data_beats", "upstream_read_beats"},
    {"local_or_remote_socket_upstream_write_data_beats",
     "upstream_write_beats"},
    {"rd_bytes_rem", "rd_bytes_loc"},
    {"rd_req_rem", "rd_req_loc"},
    {"wr_bytes_rem", "wr_bytes_loc"},
    {"wr_req_rem", "wr_req_loc"},
};

/* Moves digits behind one of these endings to `part`. */
static void
cut_part(const char *name, size_t *length, char part[PART_MAX])
{
	static const char *const endings[] = {".part", "_iom", "_io_"};
	size_t digits = 0, before;

	*part = '\0';
	while (digits < *length &&
	       isdigit((unsigned char)name[*length - 1 - digits]))
		digits++;
	if (!digits || digits >= PART_MAX)
		return;
	before = *length - digits;
	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		size_t ending = strlen(endings[i]);

		if (before < ending || strncasecmp(name + before - ending,
		                                   endings[i], ending) != 0)
			continue;
		memcpy(part, name + before, digits);
		part[digits] = '\0';
		*length = before - ending;
		return;
	}
}

const struct event *
find_event(const char *name, char part[PART_MAX])
{
	const char *slash = strchr(name, '/');
	const struct event *found = NULL;
	size_t length;
	char *bare;

	/* Without PMU, modifiers and part. */
	if (slash)
		name = slash + 1;
	length = strcspn(name, "/ :[,");
	cut_part(name, &length, part);
	bare = xasprintf("%.*s", (int)length, name);
	name = bare;
	for (size_t i = 0; i < ARRAY_LEN(aliases); i++) {
		if (!strcasecmp(name, aliases[i].other))
			name = aliases[i].name;
	}
	for (size_t i = 0; i < ARRAY_LEN(events) && !found; i++) {
		if (!strcasecmp(name, events[i].name))
			found = &events[i];
	}
	free(bare);
	return found;
}

char *
unit_in_event(const char *name)
{
	const char *bracket = strchr(name, '[');
	const char *slash = strchr(name, '/');
	const char *from = bracket ? bracket + 1 : slash ? name : "";

	return pmu_unit(from, strcspn(from, "]/"));
}
