// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright (C) 2026 otst authors
// The page of otst --report: sorts and filters tables, draws captures by time and as a
// flame graph. Without it the page has the same tables and stacks. Strings become text
// by textContent alone.
"use strict";
(() => {
	const make = (name, attributes, ...children) => {
		const svg = ["svg", "g", "line", "text", "circle", "title"].includes(name);
		const e = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);

		for (const [key, value] of Object.entries(attributes || {}))
			e.setAttribute(key, value);
		e.append(...children);
		return e;
	};
	const number = (count, one, many) => `${count} ${count === 1 ? one : many}`;
	const button = (text, act) => {
		const b = make("button", { type: "button" }, text);

		b.addEventListener("click", act);
		return b;
	};
	const chooser = (text, values, act) => {
		const s = make("select", {}, ...values.map((v) => make("option", {}, v)));

		s.addEventListener("change", act);
		return [make("label", {}, text, s), s];
	};
	const search = (text, act) => {
		const i = make("input", { type: "search", size: 24 });

		i.addEventListener("input", act);
		return [make("label", {}, text, i), i];
	};

	// ---- a block in a dialog ----

	const dialog = make("dialog", { "aria-labelledby": "dialog-head" });

	document.body.append(dialog);
	const show = (details) => {
		const pre = details.querySelector("pre").cloneNode(true);
		const close = button("Close", () => dialog.close());

		pre.tabIndex = 0;
		dialog.replaceChildren(make("h2", { id: "dialog-head" }, details.querySelector("summary").textContent),
			pre, make("div", { class: "bar" }, close));
		dialog.showModal();
		close.focus();
	};
	document.addEventListener("click", (event) => {
		const link = event.target.closest("a.screen");
		const details = link && document.querySelector(link.hash).closest("details");

		if (event.target === dialog)
			dialog.close();
		if (details) {
			event.preventDefault();
			show(details);
		}
	});
	for (const pre of document.querySelectorAll("pre"))
		pre.tabIndex = 0;

	// ---- tables ----

	const key = (row, column) => row.cells[column].textContent;
	const compare = (a, b) => {
		const x = Number(a), y = Number(b);

		return a !== "" && b !== "" && !isNaN(x) && !isNaN(y) ? x - y : a < b ? -1 : a > b ? 1 : 0;
	};
	const FEW = 25;
	// any number of rows: a call takes only so many arguments
	const fill = (body, rows) => {
		const all = document.createDocumentFragment();

		rows.forEach((row) => all.append(row));
		body.replaceChildren(all);
	};
	const real = (body) => [...body.rows].filter((r) => r.className !== "group");

	for (const table of document.querySelectorAll("table.sortable")) {
		const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];

		heads.forEach((head, column) => {
			const text = head.textContent;

			head.replaceChildren(button(text, () => {
				const down = head.getAttribute("aria-sort") === "ascending" ||
					(head.className === "n" && !head.hasAttribute("aria-sort"));
				const rows = real(body);

				heads.forEach((h) => h.removeAttribute("aria-sort"));
				head.setAttribute("aria-sort", down ? "descending" : "ascending");
				rows.sort((a, b) => (down ? -1 : 1) * compare(key(a, column), key(b, column)));
				fill(body, rows);
				table.dispatchEvent(new Event("sorted"));
			}));
		});
	}

	// a button behind the table that shows what is beyond the first rows
	const opener = (table, act) => {
		const all = button("", act), bar = make("div", { class: "bar" }, all);

		table.parentNode.after(bar);
		return (hidden, total) => {
			bar.hidden = !hidden;
			all.textContent = `Show all ${total}`;
		};
	};
	for (const table of document.querySelectorAll("table.few")) {
		let whole = false;
		const draw = () => {
			const rows = real(table.tBodies[0]);

			rows.forEach((row, i) => { row.hidden = !whole && i >= FEW; });
			open(!whole && rows.length > FEW, rows.length);
		};
		const open = opener(table, () => { whole = true; draw(); });
		const rows = real(table.tBodies[0]), last = rows.length ? rows[0].cells.length - 1 : 0;

		fill(table.tBodies[0], rows.sort((a, b) => compare(key(b, last), key(a, last))));
		table.addEventListener("sorted", draw);
		draw();
	}

	// by owner, those with most rows first; each owner under a line of its own
	const group = (body, column) => {
		const groups = new Map();

		for (const row of real(body)) {
			// the first text of the cell; why it is nobody's stands below it
			const name = row.cells[column].firstChild?.textContent.replace(/ !$/, "") ?? "";

			if (!groups.has(name))
				groups.set(name, []);
			groups.get(name).push(row);
		}
		const ordered = [...groups].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));

		fill(body, ordered.flatMap(([name, rows]) => [make("tr", { class: "group" },
			make("th", { scope: "rowgroup", colspan: rows[0].cells.length }, `${name}: ${rows.length}`)), ...rows]));
	};
	for (const table of document.querySelectorAll("table.filtered")) {
		const [body, ...rest] = table.tBodies, said = make("span", { role: "status" });

		// of many rows all but the first are in a body of their own, which is not laid out
		for (const other of rest) {
			const rows = [...other.rows];

			rows.forEach((row) => { row.hidden = true; });
			fill(body, [...body.rows, ...rows]);
			other.remove();
		}
		const count = real(body).length;
		let whole = false;
		const filter = () => {
			const words = input.value.toLowerCase().split(/\s+/), filtered = input.value.trim() !== "";
			let found = 0, shown = 0, head = null;

			// a copy: the live list is slow while rows change
			for (const row of [...body.rows]) {
				if (row.className === "group") {
					head = row;
					head.hidden = true;
					continue;
				}
				// of many functions the row shows their number; their names are in data-more, if not too many
				const fits = "cut" in row.dataset || !filtered ||
					words.every((w) => `${row.textContent} ${row.dataset.more || ""}`.toLowerCase().includes(w));

				found += fits;
				row.hidden = !fits || (!whole && !filtered && shown >= FEW);
				shown += !row.hidden;
				if (head && !row.hidden)
					head.hidden = false;
			}
			said.textContent = `${found} of ${count}`;
			open(shown < found, count);
		};
		const [label, input] = search("Filter", filter);
		const open = opener(table, () => { whole = true; filter(); });

		table.addEventListener("sorted", filter);
		group(body, 7);
		filter();
		table.parentNode.before(make("div", { class: "bar" }, label, said));
	}

	// ---- captures ----

	const captures = JSON.parse(document.getElementById("data").textContent);
	const colours = ["#3b7dd8", "#d9730d", "#2e9e5b", "#b64fc8", "#d43f5e", "#8a7a12", "#1898a8", "#7b61d9"];
	const sources = [...new Set(captures.map((c) => c.s))];
	const colour = (source) => colours[sources.indexOf(source) % colours.length];
	const headline = (c) => document.querySelector(`#c${c.i} summary`).textContent;

	const timeline = (place) => {
		const timed = captures.filter((c) => "t" in c);
		const clocks = [...new Set(timed.map((c) => c.c))];
		const seconds = (t) => (clock.value === "counter" || clock.value === "x86-tsc" ? String(Math.round(t)) : (t / 1e9).toFixed(6));
		const size = 22, left = 130, crash = Number(place.dataset.crash), unit = make("span", {});
		let all, rows, from, to, width;

		if (!timed.length)
			return;
		const svg = make("svg", { role: "img", "aria-label": "Captures by time, source and cpu; the list below has the same" });
		const x = (t) => left + ((t - from) / (to - from)) * (width - left - 12);
		const draw = () => {
			const height = (rows.length + 1) * size + 8;

			width = Math.max(svg.clientWidth, left + 60);
			svg.setAttribute("height", height);
			svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
			svg.replaceChildren();
			rows.forEach((name, i) => svg.append(
				make("line", { x1: left, x2: width, y1: (i + 0.5) * size + 4, y2: (i + 0.5) * size + 4 }),
				make("text", { x: 6, y: (i + 0.5) * size + 8 }, name)));
			const ticks = Math.max(1, Math.floor((width - left) / 150));
			for (let i = 0; i <= ticks; i++) {
				const t = from + ((to - from) * i) / ticks;

				svg.append(make("text", { x: x(t), y: height - 6,
					"text-anchor": i === ticks ? "end" : i ? "middle" : "start" }, seconds(t)));
			}
			if (crash && clock.value === "local" && crash >= from && crash <= to)
				svg.append(make("line", { class: "crash", x1: x(crash), x2: x(crash), y1: 0, y2: height - 20 }),
					make("text", { x: x(crash) - 4, y: 12, "text-anchor": "end" }, "crash"));
			for (const c of all) {
				if (c.t < from || c.t > to)
					continue;
				const dot = make("circle", { class: "dot", cx: x(c.t), cy: (rows.indexOf(c.row) + 0.5) * size + 4,
					r: 6, fill: colour(c.s) }, make("title", {}, headline(c)));

				dot.addEventListener("click", () => show(document.getElementById(`c${c.i}`)));
				svg.append(dot);
			}
		};
		const reset = () => {
			all = timed.filter((c) => c.c === clock.value);
			for (const c of all)
				c.row = "u" in c ? `${c.s} cpu ${c.u}` : c.s;
			rows = [...new Set(all.map((c) => c.row))].sort();
			from = Math.min(...all.map((c) => c.t));
			to = Math.max(...all.map((c) => c.t), clock.value === "local" && crash ? crash : -Infinity);
			unit.textContent = clock.value === "counter" ? "entries counted" : clock.value === "x86-tsc" ? "cycles" :
				clock.value === "local" ? "seconds since boot" : `seconds of the clock ${clock.value}`;
			const edge = (to - from) * 0.02 || 1;
			from -= edge;
			to += edge;
			draw();
		};
		// by @factor around @at, a share of the width
		const zoom = (factor, at) => {
			const t = from + (to - from) * at;

			if ((to - from) * factor < 10)
				return;
			[from, to] = [t - (t - from) * factor, t + (to - t) * factor];
			draw();
		};
		const move = (share) => {
			const by = (to - from) * share;

			from += by;
			to += by;
			draw();
		};
		const [label, clock] = chooser("Clock", clocks, reset);
		const plot = make("div", { class: "plot", tabindex: 0, role: "group",
			"aria-label": "Timeline: plus and minus zoom, arrows move, 0 shows all" }, svg);
		const keys = { "+": () => zoom(0.5, 0.5), "-": () => zoom(2, 0.5), 0: reset,
			ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2) };

		plot.addEventListener("keydown", (event) => {
			if (keys[event.key]) {
				event.preventDefault();
				keys[event.key]();
			}
		});
		plot.addEventListener("wheel", (event) => {
			if (!event.ctrlKey && !event.shiftKey && document.activeElement !== plot)
				return;
			event.preventDefault();
			const at = (event.clientX - svg.getBoundingClientRect().left - left) / (width - left - 12);
			zoom(event.deltaY < 0 ? 0.8 : 1.25, Math.min(1, Math.max(0, at)));
		}, { passive: false });
		plot.addEventListener("pointermove", (event) => {
			if (event.buttons & 1)
				move(-event.movementX / (width - left));
		});
		place.append(make("h3", {}, "Timeline: captures by source and cpu"), make("div", { class: "bar" }, label, unit, button("Zoom in", keys["+"]),
			button("Zoom out", keys["-"]), button("Earlier", keys.ArrowLeft), button("Later", keys.ArrowRight), button("All", reset)), plot);
		reset();
		new ResizeObserver(() => svg.clientWidth !== width && draw()).observe(plot);
	};

	const flames = (place) => {
		let root, nodes;
		const said = make("span", { role: "status" }), graph = make("div", { class: "flame", role: "group",
			"aria-label": "Flame graph: arrows go to callers, callees and neighbours, Enter zooms, Escape shows all" });
		const build = () => {
			root = { name: source.value, count: 0, children: new Map(), depth: 0 };
			for (const c of captures) {
				if (!c.f.length || (source.value !== "all" && c.s !== source.value))
					continue;
				let node = root;

				node.count += c.n;
				// who called the outermost frame was cut off
				for (const name of [...c.f, ...(c.x ? ["(cut)"] : [])].reverse()) {
					if (!node.children.has(name))
						node.children.set(name, { name, count: 0, children: new Map(), depth: node.depth + 1, up: node });
					node = node.children.get(name);
					node.count += c.n;
				}
			}
			draw(root);
		};
		const add = (node, left, share) => {
			// too narrow to be seen
			if (share < 0.0008)
				return;
			const percent = ((100 * node.count) / root.count).toFixed(1);
			const b = make("button", { type: "button", tabindex: node === nodes.focus ? 0 : -1,
				title: `${node.name}: ${node.count}, ${percent} %`, class: / \[/.test(node.name) ? "module" : "" }, node.name);

			b.style.left = `${left * 100}%`;
			b.style.width = `${share * 100}%`;
			b.style.bottom = `${node.depth * 1.25}rem`;
			b.addEventListener("click", () => draw(node));
			b.node = node;
			node.button = b;
			nodes.push(node);
			graph.append(b);
			for (const child of [...node.children.values()].sort((a, c) => (a.name < c.name ? -1 : 1))) {
				add(child, left, (share * child.count) / node.count);
				left += (share * child.count) / node.count;
			}
		};
		const draw = (focus) => {
			const had = graph.contains(document.activeElement);

			graph.replaceChildren();
			nodes = [];
			nodes.focus = focus;
			if (root.count) {
				const up = [];

				for (let n = focus.up; n; n = n.up)
					up.push(n);
				for (const n of up.reverse()) {
					const children = n.children;

					n.children = new Map();
					add(n, 0, 1);
					n.children = children;
				}
				add(focus, 0, 1);
			}
			graph.style.height = `${(Math.max(0, ...nodes.map((n) => n.depth)) + 1) * 1.25}rem`;
			if (had && focus.button)
				focus.button.focus();
			find();
		};
		const find = () => {
			const word = input.value.toLowerCase();
			let count = 0, functions = 0;

			for (const n of nodes) {
				const found = word !== "" && n !== root && n.name.toLowerCase().includes(word);

				n.button.classList.toggle("found", found);
				functions += found;
			}
			if (word)
				for (const c of captures)
					if ((source.value === "all" || c.s === source.value) && c.f.some((f) => f.toLowerCase().includes(word)))
						count += c.n;
			const all = number(root.count, "stack", "stacks");

			said.textContent = word ? `${count} of ${all}, ${number(functions, "box", "boxes")}` : all;
		};
		const [label, source] = chooser("Source", ["all", ...sources], build);
		const [found, input] = search("Search", () => find());

		graph.addEventListener("keydown", (event) => {
			const node = event.target.node, shown = (list) => list.filter((n) => n && n.button && n.button.isConnected);
			const beside = node && node.up ? shown([...node.up.children.values()]).sort((a, b) => (a.name < b.name ? -1 : 1)) : [];
			const at = beside.indexOf(node);
			const next = !node ? null : { ArrowDown: node.up, ArrowUp: shown([...node.children.values()])[0],
				ArrowLeft: beside[at - 1], ArrowRight: beside[at + 1] }[event.key];

			if (event.key === "Escape")
				draw(root);
			if (next && next.button && next.button.isConnected) {
				event.preventDefault();
				node.button.tabIndex = -1;
				next.button.tabIndex = 0;
				next.button.focus();
			}
		});
		place.append(make("h3", {}, "Flame graph: callers below, the captured function on top"),
			make("div", { class: "bar" }, label, found, button("All", () => draw(root)), said), graph);
		build();
	};

	if (captures.length) {
		timeline(document.getElementById("timeline"));
		flames(document.getElementById("flames"));
	}
})();
