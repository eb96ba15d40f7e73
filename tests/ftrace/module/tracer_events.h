/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An event of a module with every kind of field and print helper that the
 * kernel's macros know: what a reader of formats has to understand.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM otst_tracer

#if !defined(OTST_TRACER_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define OTST_TRACER_EVENTS_H

#include <linux/tracepoint.h>
#include <linux/version.h>

/* The kernel dropped the second argument. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
#define set_str(field, from) __assign_str(field)
#else
#define set_str(field, from) __assign_str(field, from)
#endif

TRACE_EVENT(tracer_fields,
	TP_PROTO(int n, const char *text),
	TP_ARGS(n, text),
	TP_STRUCT__entry(
		__field(s8, small)
		__field(u8, byte)
		__field(s16, word)
		__field(int, n)
		__field(u64, wide)
		__field(bool, odd)
		__array(char, name, 12)
		__array(u8, mac, 6)
		__array(u32, numbers, 3)
		__string(text, text)
		__dynamic_array(u16, list, (n % 5) + 1)
	),
	TP_fast_assign(
		int i;

		__entry->small = -n;
		__entry->byte = n;
		__entry->word = -n * 300;
		__entry->n = n;
		__entry->wide = 0x123456789abcdefULL * n;
		__entry->odd = n & 1;
		snprintf(__entry->name, sizeof(__entry->name), "name%d", n);
		for (i = 0; i < 6; i++)
			__entry->mac[i] = n + 16 * i;
		for (i = 0; i < 3; i++)
			__entry->numbers[i] = n * i;
		set_str(text, text);
		for (i = 0; i <= n % 5; i++)
			((u16 *)__get_dynamic_array(list))[i] = n + i;
	),
	TP_printk("small=%d byte=%u word=%hd n=%05d wide=%#llx odd=%s name=%s mac=%pM numbers=%s text=%s list=%s flags=%s kind=%s hex=%s%c",
		  __entry->small, __entry->byte, __entry->word, __entry->n, __entry->wide,
		  __entry->odd ? "yes" : "no", __entry->name, __entry->mac,
		  __print_array(__entry->numbers, 3, 4), __get_str(text),
		  __print_array(__get_dynamic_array(list), __get_dynamic_array_len(list) / 2, 2),
		  __print_flags(__entry->n & 15, "|", { 1, "one" }, { 2, "two" }, { 4, "four" }),
		  __print_symbolic(__entry->n % 4, { 0, "zero" }, { 1, "one" }, { 3, "three" }),
		  __print_hex(__entry->mac, 6), '.')
);

/*
 * On their own: some kernels print a bitmask over the text of other helpers,
 * and lose a string next to a pointer that is not hashed.
 */
TRACE_EVENT(tracer_mask,
	TP_PROTO(int n),
	TP_ARGS(n),
	TP_STRUCT__entry(__bitmask(mask, 70)),
	TP_fast_assign(memset(__get_dynamic_array(mask), n, __get_dynamic_array_len(mask));),
	TP_printk("mask=%s", __get_bitmask(mask))
);

TRACE_EVENT(tracer_pointer,
	TP_PROTO(const void *where),
	TP_ARGS(where),
	TP_STRUCT__entry(__field(const void *, where)),
	TP_fast_assign(__entry->where = where;),
	TP_printk("where=%pS short=%ps ptr=%p", __entry->where, __entry->where, __entry->where)
);

/* Two events of one class; the second prints differently. */
DECLARE_EVENT_CLASS(tracer_class,
	TP_PROTO(int n),
	TP_ARGS(n),
	TP_STRUCT__entry(__field(int, n)),
	TP_fast_assign(__entry->n = n;),
	TP_printk("n=%d", __entry->n)
);

DEFINE_EVENT(tracer_class, tracer_plain, TP_PROTO(int n), TP_ARGS(n));

DEFINE_EVENT_PRINT(tracer_class, tracer_other, TP_PROTO(int n), TP_ARGS(n),
	TP_printk("n is %s %d", __entry->n > 5 ? "more than 5:" : "", __entry->n * 2)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE tracer_events
#include <trace/define_trace.h>
