/* make_xclbin FILE KERNEL INSTANCE - the smallest xclbin that XRT 2.13 and VART 2.5 open: a kernel with a
 * buffer in, a buffer out and a number, one memory, no bitstream. A name that begins with DPU is what VART
 * looks for. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xrt/xclbin.h>

enum { SECTIONS = 7, MOST_BYTES = 1 << 16, KERNEL_ADDRESS = 0x80000, MEMORY_KIB = 0x400000 };

typedef struct image {
    union {
        struct axlf head;
        char bytes[MOST_BYTES];
    };
    size_t length;
    unsigned n_sections;
} image;

static void add(image *x, enum axlf_section_kind kind, const char *name, const void *bytes, size_t length)
{
    x->length = (x->length + 7) & ~(size_t)7;
    if (x->n_sections == SECTIONS || length > MOST_BYTES - x->length)
        abort();
    struct axlf_section_header *s = (struct axlf_section_header *)&x->head.m_sections[x->n_sections++];
    s->m_sectionKind = kind;
    snprintf(s->m_sectionName, sizeof s->m_sectionName, "%s", name);
    s->m_sectionOffset = x->length;
    s->m_sectionSize = length;
    memcpy(x->bytes + x->length, bytes, length);
    x->length += length;
}

static void begin(image *x)
{
    struct axlf *a = &x->head;
    memcpy(a->m_magic, "xclbin2", sizeof "xclbin2");
    a->m_signature_length = -1;
    memset(a->reserved, 0xff, sizeof a->reserved);
    memset(a->m_keyBlock, 0xff, sizeof a->m_keyBlock);
    a->m_uniqueId = 1;
    a->m_header.m_timeStamp = 1;
    a->m_header.m_versionMajor = 2;
    a->m_header.m_versionMinor = 13;
    a->m_header.m_mode = XCLBIN_FLAT;
    snprintf((char *)a->m_header.m_platformVBNV, sizeof a->m_header.m_platformVBNV, "stand-in");
    for (unsigned i = 0; i < sizeof a->m_header.uuid; i++)
        a->m_header.uuid[i] = (unsigned char)(i + 1);
    a->m_header.m_numSections = SECTIONS;
    x->length = sizeof *a + (SECTIONS - 1) * sizeof(struct axlf_section_header);
}

/* What XRT reads of the kernel: where its arguments are, and how many bytes each has. */
static void add_metadata(image *x, const char *kernel, const char *instance)
{
    static const char form[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<project name=\"test\"><platform vendor=\"none\" boardid=\"none\" name=\"none\" "
        "featureRomTime=\"0\">"
        "<version major=\"0\" minor=\"0\"/><device name=\"fpga0\" fpgaDevice=\"none\" addrWidth=\"0\">"
        "<core name=\"OCL_REGION_0\" target=\"bitstream\" type=\"clc_region\" clockFreq=\"0MHz\" "
        "numComputeUnits=\"60\"><kernelClocks><clock port=\"DATA_CLK\" "
        "frequency=\"300.0MHz\"/></kernelClocks>"
        "<kernel name=\"%s\" language=\"c\" vlnv=\"x:x:%s:1.0\" preferredWorkGroupSizeMultiple=\"0\" "
        "workGroupSize=\"1\" interrupt=\"true\" hwControlProtocol=\"ap_ctrl_hs\">"
        "<port name=\"MEMORY\" mode=\"master\" range=\"0xFFFFFFFF\" dataWidth=\"32\" "
        "portType=\"addressable\" "
        "base=\"0x0\"/><port name=\"CONTROL\" mode=\"slave\" range=\"0x1000\" dataWidth=\"32\" "
        "portType=\"addressable\" base=\"0x0\"/>"
        "<arg name=\"in\" addressQualifier=\"1\" id=\"0\" port=\"MEMORY\" size=\"0x8\" offset=\"0x10\" "
        "hostOffset=\"0x0\" hostSize=\"0x8\" type=\"void*\"/>"
        "<arg name=\"out\" addressQualifier=\"1\" id=\"1\" port=\"MEMORY\" size=\"0x8\" offset=\"0x1C\" "
        "hostOffset=\"0x0\" hostSize=\"0x8\" type=\"void*\"/>"
        "<arg name=\"n\" addressQualifier=\"0\" id=\"2\" port=\"CONTROL\" size=\"0x4\" offset=\"0x28\" "
        "hostOffset=\"0x0\" hostSize=\"0x4\" type=\"unsigned int\"/>"
        "<instance name=\"%s\"><addrRemap base=\"0x00080000\" range=\"0x10000\" port=\"CONTROL\"/></instance>"
        "</kernel></core></device></platform></project>\n";
    char text[8192];
    int length = snprintf(text, sizeof text, form, kernel, kernel, instance);
    if (length < 0 || (size_t)length >= sizeof text)
        abort();
    add(x, EMBEDDED_METADATA, "metadata", text, (size_t)length);
}

static void add_tables(image *x, const char *kernel, const char *instance)
{
    struct mem_topology memory = {.m_count = 1};
    memory.m_mem_data[0].m_type = MEM_DDR4;
    memory.m_mem_data[0].m_used = 1;
    memory.m_mem_data[0].m_size = MEMORY_KIB;
    snprintf((char *)memory.m_mem_data[0].m_tag, sizeof memory.m_mem_data[0].m_tag, "bank0");
    add(x, MEM_TOPOLOGY, "memory", &memory, sizeof memory);
    add(x, ASK_GROUP_TOPOLOGY, "groups", &memory, sizeof memory);

    union {
        struct connectivity table;
        char bytes[sizeof(struct connectivity) + sizeof(struct connection)];
    } lines = {.table = {.m_count = 2}};
    struct connection *line =
        (struct connection *)(lines.bytes + offsetof(struct connectivity, m_connection));
    line[1].arg_index = 1;
    add(x, CONNECTIVITY, "lines", &lines, sizeof lines);
    add(x, ASK_GROUP_CONNECTIVITY, "group_lines", &lines, sizeof lines);

    struct ip_layout kernels = {.m_count = 1};
    kernels.m_ip_data[0].m_type = IP_KERNEL;
    kernels.m_ip_data[0].properties = IP_INT_ENABLE_MASK | (AP_CTRL_HS << IP_CONTROL_SHIFT);
    kernels.m_ip_data[0].m_base_address = KERNEL_ADDRESS;
    snprintf((char *)kernels.m_ip_data[0].m_name, sizeof kernels.m_ip_data[0].m_name, "%s:%s", kernel,
             instance);
    add(x, IP_LAYOUT, "kernels", &kernels, sizeof kernels);
}

int main(int argc, char **argv)
{
    static image x;
    if (argc != 4) {
        fputs("usage: make_xclbin FILE KERNEL INSTANCE\n", stderr);
        return 2;
    }
    begin(&x);
    add(&x, BITSTREAM, "none", "none", 4);
    add_metadata(&x, argv[2], argv[3]);
    add_tables(&x, argv[2], argv[3]);
    x.head.m_header.m_length = x.length;
    FILE *file = fopen(argv[1], "wb");
    bool good = file && fwrite(x.bytes, 1, x.length, file) == x.length;
    if (!file || fclose(file) != 0 || !good) {
        perror(argv[1]);
        return 1;
    }
    return 0;
}
