// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_event_text.c - print formats, their C and their conversions, on a record
 * written by hand; what is expected is what the kernel's TP_printk() would print.
 */
#include "mock.h"

#include <stdio.h>
#include <string.h>

#include "../../src/events/plan.h"

#define SIZE 160

static const char dump[] =
	"vmcoreinfo NUMBER(SECTION_SIZE_BITS)=27\n"
	"sym _stext 0xffffffff81000000\n"
	"sym do_work 0xffffffff81000100 0x40\n"
	"sym do_more 0xffffffff81000140 0x40\n"
	"sym _etext 0xffffffff81001000\n"
	"sym ptr_key 0xffffffff82000000\n"
	"sym filled_random_ptr_key 0xffffffff82000010\n"
	"sym vmemmap_base 0xffffffff82000020\n"
	"sym memstart_addr 0xffffffff82000028\n"
	"sym mem_section 0xffffffff82000200 8\n"
	"type page 64\n"
	"	flags 0 u64\n"
	"type mem_section 32\n"
	"	section_mem_map 0 u64\n"
	/* section 1: its pages are at 0xffff888001200000, less 64 bytes for each frame before it */
	"u64 0xffffffff82000200: 0xffffffff82000300\n"
	"u64 0xffffffff82000300: 0xffffffff82000400\n"
	"u64 0xffffffff82000400: 0 0 0 0 0xffff888001000003\n"
	"enum STATE_TWO 2\n"
	"enum CREATE_COOLDOWN 250\n"
	"u64 0xffffffff82000000: 0x0706050403020100 0x0f0e0d0c0b0a0908\n"
	"u8 0xffffffff82000010: 1\n"
	"u64 0xffffffff82000020: 0xffffea0000000000 0xfff0800040000000\n"
	"str 0xffffffff82000100 \"a constant\"\n";

#define FIELD(n, t, o, s, e, sgn, k)                                                          \
	{                                                                                     \
		.name = n, .type = t, .offset = o, .size = s, .element = e, .is_signed = sgn, \
		.kind = k                                                                     \
	}

static const struct otst_event_field fields[] = {
	FIELD("common_pid", "int", 4, 4, 4, true, OTST_FIELD_VALUE),
	FIELD("five", "unsigned int", 8, 4, 4, false, OTST_FIELD_VALUE),
	FIELD("neg", "int", 12, 4, 4, true, OTST_FIELD_VALUE),
	FIELD("addr", "void *", 16, 8, 8, false, OTST_FIELD_VALUE),
	FIELD("comm", "char[16]", 24, 16, 1, true, OTST_FIELD_ARRAY),
	FIELD("str", "__data_loc char[]", 40, 4, 1, true, OTST_FIELD_DATA_LOC),
	FIELD("bytes", "__data_loc u8[]", 44, 4, 1, false, OTST_FIELD_DATA_LOC),
	FIELD("half", "u16", 48, 2, 2, false, OTST_FIELD_VALUE),
	FIELD("byte", "u8", 50, 1, 1, false, OTST_FIELD_VALUE),
	FIELD("sbyte", "s8", 51, 1, 1, true, OTST_FIELD_VALUE),
	FIELD("rel", "__rel_loc char[]", 52, 4, 1, true, OTST_FIELD_REL_LOC),
	FIELD("mac", "u8[6]", 56, 6, 1, false, OTST_FIELD_ARRAY),
	FIELD("ip6", "__u8[16]", 64, 16, 1, false, OTST_FIELD_ARRAY),
	FIELD("words", "__data_loc unsigned long[]", 80, 4, 8, false, OTST_FIELD_DATA_LOC),
	FIELD("out", "__data_loc char[]", 84, 4, 1, true, OTST_FIELD_DATA_LOC),
	FIELD("const_str", "const char *", 88, 8, 8, false, OTST_FIELD_VALUE),
	FIELD("v4", "__data_loc u8[]", 96, 4, 1, false, OTST_FIELD_DATA_LOC),
	FIELD("empty", "__data_loc u8[]", 100, 4, 1, false, OTST_FIELD_DATA_LOC),
	FIELD("beyond", "u64", 156, 8, 8, false, OTST_FIELD_VALUE),
	FIELD("past", "u32", 0xfffffffe, 4, 4, false, OTST_FIELD_VALUE),
	FIELD("unended", "char[4]", 104, 4, 1, true, OTST_FIELD_ARRAY),
	FIELD("i64", "s64", 112, 8, 8, true, OTST_FIELD_VALUE),
};

static const struct otst_event_format format = { .id = 400,
						 .system = "test",
						 .name = "hand",
						 .fields = fields,
						 .nr_fields = sizeof(fields) / sizeof(*fields),
						 .nr_common = 1 };

static void make_record(uint8_t *d)
{
	memset(d, 0, SIZE);
	mock_put(d + 4, 77, 4);
	mock_put(d + 8, 5, 4);
	mock_put(d + 12, (uint64_t)-3, 4);
	mock_put(d + 16, 0xffffffff81000110, 8);
	memcpy(d + 24, "bash", 4);
	mock_put(d + 40, 6 << 16 | 120, 4);
	memcpy(d + 120, "hello", 5);
	mock_put(d + 44, 3 << 16 | 126, 4);
	memcpy(d + 126, "\x01\xab\xff", 3);
	mock_put(d + 48, 0xbeef, 2);
	d[50] = 200;
	d[51] = 0xfe;
	mock_put(d + 52, 4 << 16 | (129 - 56), 4);
	memcpy(d + 129, "rel", 3);
	memcpy(d + 56, "\x00\x11\x22\xaa\xbb\xcc", 6);
	memcpy(d + 64, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01", 16);
	mock_put(d + 80, 16 << 16 | 136, 4);
	mock_put(d + 136, 3, 8);
	mock_put(d + 144, 0x100000001, 8);
	mock_put(d + 84, 100 << 16 | 150, 4);
	mock_put(d + 88, 0xffffffff82000100, 8);
	mock_put(d + 96, 8 << 16 | 152, 4);
	memcpy(d + 152, "\x02\x00\x1f\x90\x7f\0\0\x01", 8);
	mock_put(d + 100, 0, 4);
	memcpy(d + 104, "abcd", 4);
	mock_put(d + 108, 0x41414141, 4);
	mock_put(d + 112, (uint64_t)-5000000000, 8);
}

/* prints the record by @print_fmt, or the error's number */
static const char *print(struct mock *m, const char *print_fmt, bool hash, uint32_t size,
			 size_t room)
{
	static const struct otst_event_style style = { .hash_ptr = true };
	static char text[512];
	static uint8_t data[SIZE];
	struct otst_plan plan = { 0 };
	struct otst_run r = { .o = m->o, .style = &style, .data = data, .size = size, .hash = hash };
	int err = otst_plan_parse(m->o, &format, print_fmt, &plan);

	if (err) {
		sprintf(text, "error %d", err);
		return text;
	}
	make_record(data);
	r.out = otst_text_in(text, room - 1);
	otst_plan_run(&r, &plan);
	text[otst_text_len(&r.out)] = '\0';
	return text;
}

struct sample {
	const char *print_fmt;
	const char *text;
};

static void check(const struct sample *s, size_t count)
{
	struct mock *m = mock_open(dump);
	size_t i;

	for (i = 0; i < count; i++) {
		if (strcmp(print(m, s[i].print_fmt, true, SIZE, 512), s[i].text))
			print_error("%s\n", s[i].print_fmt);
		assert_string_equal(print(m, s[i].print_fmt, true, SIZE, 512), s[i].text);
	}
	mock_close(m);
}

#define CHECK(samples) check(samples, sizeof(samples) / sizeof(*(samples)))

static void test_numbers(void **state)
{
	static const struct sample samples[] = {
		{ "\"%u %d\", REC->five, REC->neg", "5 -3" },
		{ "\"%u\", REC->neg", "4294967293" },
		{ "\"%lu %llx\", (unsigned long)REC->neg, (u64)REC->five",
		  "18446744073709551613 5" },
		{ "\"%x %X %#x %#x %o %#o\", REC->half, REC->half, REC->half, 0, REC->byte, 0",
		  "beef BEEF 0xbeef 0x0 310 0" },
		{ "\"[%5d|%-5d|%05d|%+d|% d]\", 42, 42, 42, 42, 42",
		  "[   42|42   |00042|+42| 42]" },
		{ "\"[%.3d|%5.2d|%-5.2d|%08.3x]\", 7, 7, 7, 7", "[007|   07|07   |00000007]" },
		{ "\"[%#06x|%*d|%-*d]\", 0x1f, 4, 7, 4, 7", "[0x001f|   7|7   ]" },
		{ "\"[%*d]\", -4, 7", "[7   ]" },
		{ "\"%hhu %hhd %hu %hd\", REC->five + 255, REC->byte, REC->neg, REC->half",
		  "4 -56 65533 -16657" },
		{ "\"%c%c\", 'o', 111", "oo" },
		{ "\"100%% %d\", 1", "100% 1" },
		{ "\"%d %d\", REC->byte, REC->sbyte", "200 -2" },
		{ "\"%lld\", REC->i64", "-5000000000" },
		{ "\"%zu\", sizeof(REC->comm) + sizeof(u64) + sizeof(int)", "28" },
		{ "\"%d\", REC->common_pid + REC->ent.pid", "154" },
	};

	(void)state;
	CHECK(samples);
}

static void test_expressions(void **state)
{
	static const struct sample samples[] = {
		{ "\"%d\", 1 + 2 * 3 - 4 / 2 % 3", "5" },
		{ "\"%d\", (1 + 2) * 3 << 1 | 1", "19" },
		{ "\"%d %d\", REC->neg / 2, REC->neg % 2", "-1 -1" },
		{ "\"%d\", REC->neg >> 1", "-2" },
		{ "\"%x\", (unsigned int)REC->neg >> 28", "f" },
		{ "\"%d\", REC->neg < 0 && REC->five > 4U", "1" },
		/* as in C: -3 is converted to unsigned */
		{ "\"%d\", REC->neg < REC->five", "0" },
		{ "\"%d\", REC->sbyte < REC->byte", "1" },
		{ "\"%d\", REC->i64 < REC->five", "1" },
		{ "\"%s\", REC->five == 5 ? REC->neg ? \"a\" : \"b\" : \"c\"", "a" },
		{ "\"%d\", REC->five ? : 9", "5" },
		{ "\"%d %d\", !REC->five, ~REC->five", "0 -6" },
		{ "\"%d\", REC->five / 0", "0" },
		{ "\"%d\", (-2147483647 - 1) / -1", "-2147483648" },
		{ "\"%u,%u\", ((unsigned int) ((REC->half) >> 8)), "
		  "((unsigned int) ((REC->half) & ((1U << 8) - 1)))",
		  "190,239" },
		{ "\"%d\", STATE_TWO + (int)sizeof(struct page *)", "10" },
		{ "\"%u\", jiffies_to_msecs(REC->five)", "20" },
		{ "\"%llu.%09u\", __print_ns_to_secs(5000000007), "
		  "__print_ns_without_secs(5000000007)",
		  "5.000000007" },
		{ "\"%d\", ({ int _x = (REC->five); int _y = (3); (void)(&_x == &_y); "
		  "((_x) < (_y) ? (_x) : (_y)); })",
		  "3" },
		{ "\"%px\", (((struct page *)vmemmap_base) + (REC->five))", "ffffea0000000140" },
		/* irq_disable: with a caller, then without one */
		{ "\"caller=%pS parent=%pS\", (void *)((unsigned long)(_stext) + REC->five + 0x100), "
		  "(void *)((unsigned long)(_stext) + 0x7f000000)",
		  "caller=do_work+0x5/0x40 parent=0x0" },
		/* arm64 of 6.12, and of 6.1 */
		{ "\"%px\", (((struct page *)((-(((0x40000000UL)))) - "
		  "((((-((((1UL))) << (((48)) - 1))) - ((-((((1UL))) << ((52)))))) >> 12) * "
		  "sizeof(struct page))) - (memstart_addr >> 12)) + (REC->five))",
		  "ffffffffbf000140" },
		{ "\"%px\", (((struct page *)(-((((1UL))) << ((48) - (12 - (( "
		  "__builtin_constant_p(sizeof(struct page)) ? ( ((sizeof(struct page)) == 0 || "
		  "(sizeof(struct page)) == 1) ? 0 : ( __builtin_constant_p((sizeof(struct page)) - "
		  "1) ? (((sizeof(struct page)) - 1) < 2 ? 0 : 63 - __builtin_clzll((sizeof(struct "
		  "page)) - 1)) : (sizeof((sizeof(struct page)) - 1) <= 4) ? __ilog2_u32((sizeof("
		  "struct page)) - 1) : __ilog2_u64((sizeof(struct page)) - 1) ) + 1) : "
		  "__order_base_2(sizeof(struct page)) )))))) - (memstart_addr >> 12)) + "
		  "(REC->five))",
		  "000039ffff000140" },
		/* mm_page_alloc of 6.6 without SPARSEMEM_VMEMMAP; a section without pages */
		{ "\"%px\", REC->five != -1UL ? ({ unsigned long __pfn = (REC->five + 0x8000); "
		  "struct mem_section *__sec = __pfn_to_section(__pfn); "
		  "__section_mem_map_addr(__sec) + __pfn; }) : ((void *)0)",
		  "ffff888001200140" },
		{ "\"%px\", ({ unsigned long __pfn = (REC->five); struct mem_section *__sec = "
		  "__pfn_to_section(__pfn); __section_mem_map_addr(__sec) + __pfn; })",
		  "0000000000000140" },
		{ "\"%d %d %d\", __order_base_2(1), __order_base_2(64), __order_base_2(65)",
		  "0 6 7" },
		{ "\"%d %d %d\", __ilog2_u32(1), __ilog2_u64(64), __builtin_clzll(1)", "0 6 63" },
		{ "\"%d\", __builtin_expect(!!(REC->five), 0)", "1" },
		{ "\"%x\", __fswab16(REC->half)", "efbe" },
		{ "\"%d\", (REC)->five", "5" },
		{ "\"%lx %lx\", ((unsigned long *)__get_dynamic_array(words))[1], "
		  "*(unsigned long *)__get_dynamic_array(words)",
		  "100000001 3" },
		{ "\"%x %x\", REC->mac[1], REC->mac[5]", "11 cc" },
		/* an element that is not there */
		{ "\"%x\", REC->mac[1000000]", "0" },
		{ "\"%d\", true + false", "1" },
	};

	(void)state;
	CHECK(samples);
}

static void test_strings(void **state)
{
	static const struct sample samples[] = {
		{ "\"%s=%s\", REC->comm, __get_str(str)", "bash=hello" },
		{ "\"[%8s|%-8s|%.2s|%.*s]\", REC->comm, REC->comm, REC->comm, 3, REC->comm",
		  "[    bash|bash    |ba|bas]" },
		{ "\"%s\", __get_rel_str(rel)", "rel" },
		{ "\"a\" \"b\\n\\\"%s\\\"\\t.\", \"x\" \"y\"", "ab\n\"xy\"\t." },
		{ "\"%s\", REC->const_str", "a constant" },
		{ "\"%s %s\", (char *)0, (const char *)NULL", "(null) (null)" },
		{ "\"%s\", (char *)REC->addr", "(unreadable)" },
		{ "\"%d\", __get_dynamic_array_len(str)", "6" },
		/* no NUL in it: it ends with the field */
		{ "\"%s\", REC->unended", "abcd" },
		{ "\"%s\", __get_str(str)[0] ? \"some\" : \"none\"", "some" },
		{ "\"%s %s %s\", str_on_off(REC->five), str_read_write(!(REC->five)), str_yes_no(0)",
		  "on write no" },
		{ "\"[%10s]\", __print_symbolic(REC->five, { 5, \"five\" })", "[      five]" },
	};

	(void)state;
	CHECK(samples);
}

static void test_functions(void **state)
{
	static const struct sample samples[] = {
		{ "\"%s\", __print_flags(REC->five, \"|\", { 1, \"A\" }, { 2, \"B\" }, "
		  "{ 4, \"C\" })",
		  "A|C" },
		{ "\"%s\", __print_flags(REC->half, \"|\", { 0xf, \"LOW\" }, { 0x10, \"NO\" })",
		  "LOW|0xbee0" },
		{ "\"%s\", __print_flags(0, \"|\", { 1, \"A\" })", "" },
		{ "\"%s\", __print_flags(REC->five, \"\", { 1, \"A\" }, { -1, NULL })", "A0x4" },
		{ "\"%s\", __print_symbolic(REC->five, { 4, \"four\" }, { 5, \"five\" })", "five" },
		{ "\"%s\", __print_symbolic(REC->byte, { 4, \"four\" })", "0xc8" },
		{ "\"%s\", __print_symbolic(REC->neg, { -3, \"minus three\" })", "minus three" },
		{ "\"%s\", __print_hex(__get_dynamic_array(bytes), "
		  "__get_dynamic_array_len(bytes))",
		  "01 ab ff" },
		{ "\"%s\", __print_hex_str(REC->mac, 6)", "001122aabbcc" },
		/* more than there is */
		{ "\"%s\", __print_hex(__get_dynamic_array(bytes), 1000)", "01 ab ff" },
		{ "\"%s\", __print_array(__get_dynamic_array(words), "
		  "__get_dynamic_array_len(words) / sizeof(u64), sizeof(u64))",
		  "{0x3,0x100000001}" },
		{ "\"%s\", __print_dynamic_array(bytes, 1)", "{0x1,0xab,0xff}" },
		{ "\"%s\", __print_array(REC->mac, 2, 3)", "{}" },
		{ "\"%s\", __get_bitmask(words)", "00000001,00000001,00000000,00000003" },
		{ "\"%s\", __get_bitmask(bytes)", "ffab01" },
		{ "\"%s\", __print_hex(__get_dynamic_array(empty), 0)", "" },
	};

	(void)state;
	CHECK(samples);
}

static void test_pointers(void **state)
{
	static const struct sample samples[] = {
		{ "\"%pS %ps %pF\", REC->addr, REC->addr, REC->addr",
		  "do_work+0x10/0x40 do_work do_work+0x10/0x40" },
		{ "\"[%-20ps]\", REC->addr", "[do_work             ]" },
		{ "\"%pS\", (void *)0x1234", "0x1234" },
		/* SipHash's own test vector, of the bytes 0 to 7 with the key 0 to 15 */
		{ "\"%p\", (void *)0x0706050403020100", "000000009a932462" },
		{ "\"%p %p\", (void *)0, (void *)-22", "0000000000000000 ffffffffffffffea" },
		{ "\"%px\", REC->addr", "ffffffff81000110" },
		{ "\"%pe\", (void *)-12", "-ENOMEM" },
		{ "\"%pM %pMR %pm %pMF\", REC->mac, REC->mac, REC->mac, REC->mac",
		  "00:11:22:aa:bb:cc cc:bb:aa:22:11:00 001122aabbcc 00-11-22-aa-bb-cc" },
		{ "\"%pI4 %pi4 %pI4h\", &REC->mac[2], &REC->mac[2], &REC->mac[2]",
		  "34.170.187.204 034.170.187.204 204.187.170.34" },
		{ "\"%pI6 %pI6c %pi6\", REC->ip6, REC->ip6, REC->ip6",
		  "2001:0db8:0000:0000:0000:0000:0000:0001 2001:db8::1 "
		  "20010db8000000000000000000000001" },
		{ "\"%pISpc\", __get_sockaddr(v4)", "127.0.0.1:8080" },
		{ "\"%pU %pUb %pUl %pUL\", REC->ip6, REC->ip6, REC->ip6, REC->ip6",
		  "20010db8-0000-0000-0000-000000000001 20010db8-0000-0000-0000-000000000001 "
		  "b80d0120-0000-0000-0000-000000000001 B80D0120-0000-0000-0000-000000000001" },
		{ "\"%*ph %6phC %3phN\", 3, REC->mac, REC->mac, REC->mac",
		  "00 11 22 00:11:22:aa:bb:cc 001122" },
		{ "\"%*pbl\", 24, __get_dynamic_array(bytes)", "0,8-9,11,13,15-23" },
		{ "\"%pISc\", __get_sockaddr(bytes)", "(einval)" },
	};

	(void)state;
	CHECK(samples);
}

/* jiffies_to_msecs(7) and the note of a kernel that has what @more says */
static void check_hz(const char *more, const char *want, bool noted)
{
	struct mock *m = mock_open(more);
	struct otst_plan plan = { 0 };

	assert_string_equal(print(m, "\"%u\", jiffies_to_msecs(7)", true, SIZE, 512), want);
	assert_int_equal(
		otst_plan_parse(m->o, &format, "\"%u\", jiffies_to_msecs(REC->five)", &plan), 0);
	assert_int_equal(plan.note != NULL, noted);
	mock_close(m);
}

#define CLOCKSOURCE                                          \
	"sym clocksource_jiffies 0xffffffff82000000\n"       \
	"type clocksource 32\n	mult 24 u32\n	shift 28 u32\n" \
	"obj clocksource clocksource_jiffies\n"

static void test_hz(void **state)
{
	(void)state;
	check_hz("enum CREATE_COOLDOWN 1000\n", "7", false);
	/* TICK_NSEC << JIFFIES_SHIFT */
	check_hz(CLOCKSOURCE "	mult = 2560000000\n	shift = 8\n", "70", false);
	check_hz(CLOCKSOURCE "	mult = 853333248\n	shift = 8\n", "24", false);
	check_hz("enum CREATE_COOLDOWN 1000\n" CLOCKSOURCE
		 "	mult = 2560000000\n	shift = 8\n",
		 "7", false);
	/* nothing plausible tells it */
	check_hz(CLOCKSOURCE "	mult = 1\n	shift = 8\n", "28", true);
	check_hz(CLOCKSOURCE "	mult = 1\n	shift = 64\n", "28", true);
	check_hz("sym clocksource_jiffies 0xffffffff82000000\n", "28", true);
	check_hz("", "28", true);
}

/* ptr_to_id() with these bytes: what "%p" makes of NULL; of SipHash with the key 0 to 15 */
static void expect_null(const char *code, const char *want)
{
	static const char machine[] = "type new_utsname 390\n"
				      "	machine 260 char[65]\n"
				      "type uts_namespace 400\n"
				      "	name 0 struct new_utsname\n"
				      "sym init_uts_ns 0xffffffff82010000\n"
				      "obj uts_namespace 0xffffffff82010000\n"
				      "	name.machine = \"x86_64\"\n"
				      "sym ptr_to_id 0xffffffff81009000 0x10\n";
	char text[sizeof(dump) + sizeof(machine) + 256];
	struct mock *m;

	snprintf(text, sizeof(text), "%s%s%s", dump, machine, code);
	m = mock_open(text);
	assert_string_equal(print(m, "\"%p\", (void *)0", true, SIZE, 512), want);
	mock_close(m);
}

static void test_null(void **state)
{
	(void)state;
	/* 4.18: call, mov %eax,%eax, ret */
	expect_null("mem 0xffffffff81009000: e8 fb 0f 00 00 89 c0 c3 90 90 90 90 90 90 90 90\n",
		    "00000000a07681a7");
	/* later: cmp $-4096,%rdi before it */
	expect_null("mem 0xffffffff81009000: 48 81 ff 00 f0 ff ff 77 05 e8 f2 0f 00 00 c3 90\n",
		    "0000000000000000");
	/* nothing tells: as current kernels do */
	expect_null("", "0000000000000000");
}

/* the option hash-ptr off */
static void test_real_pointers(void **state)
{
	struct mock *m = mock_open(dump);

	(void)state;
	assert_string_equal(print(m, "\"%p\", REC->addr", false, SIZE, 512), "ffffffff81000110");
	mock_close(m);
}

/* records that are shorter than their fields say, places outside them */
static void test_damaged_records(void **state)
{
	struct mock *m = mock_open(dump);

	(void)state;
	assert_string_equal(print(m, "\"%d %llx\", REC->five, REC->beyond", true, SIZE, 512),
			    "5 0");
	assert_string_equal(print(m, "\"%d\", REC->past", true, SIZE, 512), "0");
	assert_string_equal(print(m, "\"[%s]\", REC->comm", true, 26, 512), "[ba]");
	assert_string_equal(print(m, "\"[%s]\", REC->comm", true, 10, 512), "[(null)]");
	assert_string_equal(print(m, "\"[%s]\", __get_str(str)", true, 122, 512), "[he]");
	assert_string_equal(print(m, "\"[%s]\", __get_str(str)", true, 60, 512), "[(null)]");
	/* 100 bytes from 150 on, of 160 */
	assert_string_equal(print(m, "\"%s\", __print_hex(__get_dynamic_array(out), 100)", true,
				  SIZE, 512),
			    "00 00 02 00 1f 90 7f 00 00 01");
	assert_string_equal(print(m, "\"%pM\", REC->mac", true, 60, 512), "");
	mock_close(m);
}

static void test_small_room(void **state)
{
	struct mock *m = mock_open(dump);

	(void)state;
	assert_string_equal(print(m, "\"%s and %d\", REC->comm, 12345", true, SIZE, 6), "bash ");
	assert_string_equal(print(m, "\"[%20s]\", REC->comm", true, SIZE, 10), "[bash    ");
	assert_string_equal(print(m, "\"%d\", 12345", true, SIZE, 1), "");
	mock_close(m);
}

/* text that is not a print format, or more than is understood */
static void test_garbage(void **state)
{
	static const char *const texts[] = {
		"",
		"no string",
		"\"unended",
		"\"%d\"",
		"\"%d\", ",
		"\"%d\", REC->",
		"\"%d\", REC->unknown",
		"\"%d\", (REC->five",
		"\"%d\", unknown_function(REC->five)",
		"\"%d\", UNKNOWN_NAME",
		"\"%d\", REC->five +",
		"\"%d\", 1 ? 2",
		"\"%s\", __print_flags(REC->five, \"|\", { 1 })",
		"\"%s\", __print_flags(REC->five, \"|\", { REC->five, \"x\" })",
		"\"%q\", 1",
		"\"%99999d\", 1",
		"\"%d\", ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
		"((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
		"((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1",
		"\"%d\", REC->comm.x",
		"\"%d\", ({ int x = 1; x",
		"\"%d\", *REC->five",
		"\"%s\", __get_str(unknown)",
		"\"%d\", (struct unknown)1",
	};
	struct mock *m = mock_open(dump);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (strncmp(print(m, texts[i], true, SIZE, 512), "error ", 6))
			print_error("taken: %s\n", texts[i]);
		assert_true(!strncmp(print(m, texts[i], true, SIZE, 512), "error ", 6));
		assert_true(otst_message(m->o)[0]);
	}
	mock_close(m);
}

static void test_values(void **state)
{
	uint8_t data[SIZE];
	struct otst_record r = { .data = data, .size = SIZE };
	struct otst_event_value v;
	size_t i;

	(void)state;
	make_record(data);
	assert_true(otst_event_value(&fields[2], &r, &v));
	assert_true(v.is_number && (int64_t)v.number == -3);
	assert_true(otst_event_value(&fields[4], &r, &v));
	assert_true(v.string && v.size == 4 && !memcmp(v.data, "bash", 4));
	assert_true(otst_event_value(&fields[5], &r, &v));
	assert_true(v.string && v.size == 5);
	assert_true(otst_event_value(&fields[6], &r, &v));
	assert_true(!v.string && !v.is_number && v.size == 3);
	assert_true(otst_event_value(&fields[10], &r, &v));
	assert_true(v.string && v.size == 3 && !memcmp(v.data, "rel", 3));
	assert_true(otst_event_value(&fields[14], &r, &v));
	assert_true(v.size <= 10);
	assert_false(otst_event_value(&fields[18], &r, &v));
	assert_false(otst_event_value(&fields[19], &r, &v));
	/* the record ends at every possible place */
	for (r.size = 0; r.size < SIZE; r.size++) {
		for (i = 0; i < format.nr_fields; i++) {
			if (otst_event_value(&fields[i], &r, &v))
				assert_true(v.data >= data && v.data + v.size <= data + r.size);
		}
	}
}

/* the option "fields" */
static void test_fields(void **state)
{
	struct otst_event_field copy[sizeof(fields) / sizeof(*fields)];
	struct otst_event_format by_filter = format;
	struct mock *m = mock_open("enum FILTER_STATIC_STRING 1\n"
				   "enum FILTER_DYN_STRING 2\n"
				   "enum FILTER_RDYN_STRING 3\n"
				   "enum FILTER_PTR_STRING 4\n"
				   "enum FILTER_TRACE_FN 5\n"
				   "enum FILTER_COMM 6\n"
				   "sym _stext 0xffffffff81000000\n"
				   "sym do_work 0xffffffff81000100 0x40\n"
				   "sym _etext 0xffffffff81001000\n"
				   "str 0xffffffff82000100 \"a constant\"\n");
	static const struct otst_event_style style;
	char text[1024];
	uint8_t data[SIZE];
	struct otst_run r = { .o = m->o, .style = &style, .data = data, .size = SIZE };

	(void)state;
	make_record(data);
	memcpy(copy, fields, sizeof(fields));
	copy[3].filter = 5;
	copy[4].filter = 6;
	copy[5].filter = copy[14].filter = 2;
	copy[10].filter = 3;
	copy[15].filter = 4;
	copy[20].filter = 1;
	by_filter.fields = copy;
	r.out = otst_text_in(text, sizeof(text) - 1);
	otst_put_fields(&r, &by_filter);
	text[otst_text_len(&r.out)] = '\0';
	assert_string_equal(
		text,
		"five=0x5 (5) neg=0xfffffffd (-3) addr=do_work+0x10/0x40 comm=bash "
		"str=hello bytes=01,ab,ff half=0xbeef (48879) byte='\\xc8'(200) sbyte='\\xfe'(254) "
		""
		"rel=rel mac=<INVALID-SIZE> ip6=<INVALID-SIZE> "
		"words=03,00,00,00,00,00,00,00,01,00,00,00,01,00,00,00 out=<OVERFLOW> "
		"const_str=(0xffffffff82000100:a constant) v4=02,00,1f,90,7f,00,00,01 "
		"empty= beyond=<OVERFLOW> past=<OVERFLOW> unended=abcd "
		"i64=0xfffffffed5fa0e00 (-5000000000)");
	mock_close(m);
}

/* vbin_printf() of lib/vsprintf.c: numbers aligned to their size, long ones to 4 */
static void test_bprint(void **state)
{
	static const uint8_t args[] = {
		7,    0,    0,	  0,				/* %d */
		'x',  0,    0x34, 0x12,				/* %c, %hx */
		'a',  'b',  0,	  0,				/* %s */
		0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, /* %llx */
		5,    0,    0,	  0,	9,    0,    0,	  0,	/* %*d */
		0x10, 1,    0,	  0x81, 0xff, 0xff, 0xff, 0xff, /* %pS */
		'1',  '.',  '2',  0,				/* %pI4, rendered */
	};
	struct mock *m = mock_open("sym _stext 0xffffffff81000000\n"
				   "sym do_work 0xffffffff81000100 0x40\n"
				   "sym _etext 0xffffffff81001000\n"
				   "str 0xffffffff82000200 "
				   "\"%d %c %hx %s %llx [%*d] %pS %pI4 100%%\\n\"\n");
	char text[200];
	int len;

	(void)state;
	len = otst_bprint_text(m->o, 0xffffffff82000200, NULL, args, sizeof(args), text,
			       sizeof(text));
	assert_string_equal(text, "7 x 1234 ab 1122334455667788 [    9] do_work+0x10/0x40 1.2 "
				  "100%\n");
	assert_int_equal(len, strlen(text));
	/* missing words are 0 and empty */
	len = otst_bprint_text(m->o, 0xffffffff82000200, NULL, args, 6, text, sizeof(text));
	assert_string_equal(text, "7 x 0  0 [0] 0x0  100%\n");
	assert_int_equal(otst_bprint_text(m->o, 0xffffffff83000000, NULL, args, 6, text, 10),
			 OTST_ERR_FAULT);
	mock_close(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),	   cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_strings),	   cmocka_unit_test(test_functions),
		cmocka_unit_test(test_pointers),   cmocka_unit_test(test_real_pointers),
		cmocka_unit_test(test_null),	   cmocka_unit_test(test_damaged_records),
		cmocka_unit_test(test_small_room), cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_values),	   cmocka_unit_test(test_fields),
		cmocka_unit_test(test_bprint),	   cmocka_unit_test(test_hz),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
