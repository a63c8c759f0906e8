/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts in XML: topologies of NCCL (NCCL_TOPO_DUMP_FILE) and lstopo, and the
 * output of nvidia-smi -q -x, whose values smi.c knows. NCCL has the lesser of
 * what both ends of a link support, and leaves out root ports and the
 * downstream ports of switches. lstopo has only the product of rate and lanes:
 * no link.
 */
#include "common/base/util.h"
#include "common/facts/facts.h"

#include <math.h>

/* A number of an attribute, or -1. */
static long
number_of(const struct xml *x, const char *name, int base)
{
	char value[16], *end;
	long number;

	xml_value(x, name, value, sizeof value);
	number = strtol(value, &end, base);
	return end > value && number >= 0 && number <= 0xffffff ? number : -1;
}

static void PRINTF_LIKE(4, 5) add(struct facts *facts, const char *bdf,
                                  enum fact_kind kind, const char *format, ...)
{
	const struct fact_xml *x = &facts->xml;
	va_list ap;
	char *value;

	va_start(ap, format);
	value = xvasprintf(format, ap);
	va_end(ap);
	if (*value)
		facts_add(facts, bdf, kind,
		          x->document == XML_NCCL ? FROM_NCCL : FROM_LSTOPO,
		          (double)NAN, value);
	free(value);
}

static void
add_ids(struct facts *facts, const char *bdf, long class, long vendor,
        long device)
{
	if (class > 0)
		add(facts, bdf, FACT_CLASS, "0x%06lx", class & 0xffffff);
	/* Clouds make up switches: 0xffff. */
	if (vendor > 0 && vendor < 0xffff && device >= 0) {
		add(facts, bdf, FACT_VENDOR, "0x%04lx", vendor);
		add(facts, bdf, FACT_DEVICE, "0x%04lx", device & 0xffff);
	}
}

/* <pci busid="0000:01:00.0" class="0x030200" link_speed="16.0 GT/s PCIe" .../>
 */
static void
take_pci(struct facts *facts, struct xml_place *here)
{
	const struct xml *x = &facts->xml.xml;
	long class = number_of(x, "class", 16);
	long lanes = number_of(x, "link_width", 10);
	char text[32], above[BDF_MAX];
	unsigned gen;

	memcpy(above, here->bdf, sizeof above);
	xml_value(x, "busid", text, sizeof text);
	*here->bdf = '\0';
	if (!parse_bdf(text, here->bdf))
		return;
	add(facts, here->bdf, FACT_ABOVE, "%s", above);
	add_ids(facts, here->bdf, class, number_of(x, "vendor", 16),
	        number_of(x, "device", 16));
	add(facts, here->bdf, FACT_KIND, "%s",
	    class >> 8 == 0x0604 ? "Switch Upstream Port" : "Endpoint");
	xml_value(x, "link_speed", text, sizeof text);
	gen = facts_gen(strtod(text, NULL));
	if (gen)
		add(facts, here->bdf, FACT_PAIR_GEN, "%u", gen);
	if (lanes > 0 && lanes <= 32)
		add(facts, here->bdf, FACT_PAIR_LANES, "%ld", lanes);
	if (here->node >= 0)
		add(facts, here->bdf, FACT_NODE, "%d", here->node);
}

/* A tag of NCCL. */
static void
take_nccl(struct facts *facts, struct xml_place *here)
{
	const struct xml *x = &facts->xml.xml;
	char name[32];

	if (xml_is(x, "cpu"))
		here->node = (int)number_of(x, "numaid", 10);
	else if (xml_is(x, "pci"))
		take_pci(facts, here);
	if (!*here->bdf)
		return;
	xml_value(x, "name", name, sizeof name);
	if (xml_is(x, "net"))
		add(facts, here->bdf, FACT_NAME, "%s", name);
}

/*
 * A node of NUMA, which is around what is near it or, from version 2 on, before
 * that. Several are near none.
 */
static void
take_node(struct fact_xml *x, struct xml_place *here)
{
	here->node = (int)number_of(&x->xml, "os_index", 10);
	for (size_t i = x->depth; i-- && !*x->place[i].bdf;) {
		struct xml_place *around = &x->place[i];

		around->node = around->nodes++ ? -1 : here->node;
		if (!around->cache)
			return;
	}
}

/* A function: pci_busid="0000:01:00.0" pci_type="0302 [10de:1db8] [..." */
static void
take_function(struct facts *facts, struct xml_place *here, const char *bdf)
{
	char type[48], above[BDF_MAX], *next;
	long class, vendor = 0, device = 0;
	struct bdf_numbers at = bdf_split(bdf);

	memcpy(above, here->bdf, sizeof above);
	memcpy(here->bdf, bdf, sizeof here->bdf);
	add(facts, bdf, FACT_ABOVE, "%s", above);
	if (!*above && here->root.domain == at.domain &&
	    here->root.bus == at.bus)
		add(facts, bdf, FACT_ABOVE, "pci%04x:%02x", at.domain, at.bus);
	xml_value(&facts->xml.xml, "pci_type", type, sizeof type);
	class = strtol(type, &next, 16) & 0xffff;
	if (!strncmp(next, " [", 2))
		vendor = strtol(next + 2, &next, 16);
	if (*next == ':')
		device = strtol(next + 1, NULL, 16);
	add_ids(facts, bdf, class << 8, vendor, device);
	if (here->node >= 0)
		add(facts, bdf, FACT_NODE, "%d", here->node);
}

/* A tag of lstopo. */
static void
take_object(struct facts *facts, struct xml_place *here)
{
	struct fact_xml *x = &facts->xml;
	char text[64], bdf[BDF_MAX], *next;

	if (!xml_is(&x->xml, "object"))
		return;
	xml_value(&x->xml, "type", text, sizeof text);
	here->nodes = 0;
	here->cache = !strcmp(text, "MemCache");
	if (!strcmp(text, "NUMANode"))
		take_node(x, here);
	if (!strcmp(text, "OSDev") && *here->bdf) {
		xml_value(&x->xml, "name", text, sizeof text);
		add(facts, here->bdf, FACT_NAME, "%s", text);
	}
	xml_value(&x->xml, "pci_busid", text, sizeof text);
	if (parse_bdf(text, bdf)) {
		take_function(facts, here, bdf);
		return;
	}
	/* A root complex: bridge_pci="0000:[00-0c]" */
	xml_value(&x->xml, "bridge_pci", text, sizeof text);
	if (*text) {
		here->root.domain = (unsigned)strtoul(text, &next, 16);
		here->root.bus = !strncmp(next, ":[", 2)
		                     ? (unsigned)strtoul(next + 2, NULL, 16)
		                     : 256;
	}
}

/*
 * Elements with facts inside; what a text lacks that shows nothing of it, or
 * not its end. All that nvidia-smi has is inside its GPUs.
 */
static const struct {
	const char *start, *empty, *cut;
} documents[] = {
    [XML_NCCL] = {"system", "a topology of NCCL without PCI",
                  "a topology of NCCL without its end, </system>"},
    [XML_LSTOPO] = {"topology", "XML of lstopo without PCI",
                    "XML of lstopo without its end, </topology>"},
    [XML_SMI] = {"gpu", "nvidia-smi -q -x without a link",
                 "nvidia-smi -q -x that ends within a GPU"},
};

const char *
facts_open_xml(const struct facts *facts)
{
	return documents[facts->xml.document].cut;
}

/* A tag that begins or ends a document. */
static void
take_document(struct facts *facts)
{
	struct fact_xml *x = &facts->xml;
	const char *tag = x->xml.tag;

	for (size_t i = XML_NCCL; i < ARRAY_LEN(documents); i++) {
		/* NCCL has a <gpu> in its <system>. */
		if (x->document && i == XML_SMI && x->document != i)
			continue;
		if (xml_is(&x->xml, documents[i].start)) {
			x->document = (enum xml_document)i;
			x->depth = 0;
			if (!facts->kind)
				facts->kind = documents[i].empty;
		}
		if (*tag == '/' && !strcmp(tag + 1, documents[i].start))
			x->document = XML_NONE;
	}
}

/* Sets the place of the elements inside this tag's; `text` is behind it. */
static void
take_tag(struct facts *facts, const char *text)
{
	static const char *const outer[] = {"/cpu", "/pci", "/object"};
	struct fact_xml *x = &facts->xml;
	struct xml_place here = {.node = -1, .root.bus = 256};
	bool begins = false;

	take_document(facts);
	for (size_t i = 0; i < ARRAY_LEN(outer); i++) {
		x->depth -= x->depth && xml_is(&x->xml, outer[i]);
		begins |= xml_is(&x->xml, outer[i] + 1);
	}
	if (x->depth && x->depth <= XML_DEPTH)
		here = x->place[x->depth - 1];
	if (x->document == XML_NCCL && x->depth <= XML_DEPTH)
		take_nccl(facts, &here);
	else if (x->document == XML_LSTOPO && x->depth <= XML_DEPTH)
		take_object(facts, &here);
	else if (x->document == XML_SMI || x->document == XML_NONE)
		facts_take_smi_tag(facts, text);
	if (!begins || xml_is_empty(&x->xml))
		return;
	if (x->depth < XML_DEPTH)
		x->place[x->depth] = here;
	x->depth++;
}

bool
facts_take_xml(struct facts *facts, const char *line)
{
	static const char *const starts[] = {"<system", "<topology",
	                                     "<attached_gpus", "<gpu id="};
	struct fact_xml *x = &facts->xml;
	bool begun = x->document || x->xml.inside;

	for (size_t i = 0; *line == '<' && !begun && i < ARRAY_LEN(starts); i++)
		begun = strstr(line, starts[i]);
	if (!begun || (*line != '<' && !x->xml.inside))
		return false;
	while (xml_next(&x->xml, &line))
		take_tag(facts, line);
	return true;
}
