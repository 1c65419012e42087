"use strict";
// Offers names where Liquid is written, and in the lists of plain fields. The names are the API's.
(() => {
    const editor = document.querySelector("form[data-editor][data-names]");
    if (!editor) return;
    const text = globalThis.placardText;
    let names;

    // ---- Names ----
    async function load() {
        const answer = await fetch(editor.dataset.names, { headers: { Accept: "application/json" } });
        if (!answer.ok || answer.redirected) return;
        names = await answer.json();
        list("attribute-names", [
            ...new Set([...names.attributes, ...names.kept_attributes, ...names.custom_attributes]),
        ]);
        list("event-names", names.events);
        list("product-names", names.products);
        offerBlocks();
        list("property-names", ["price", "quantity", "currency", "product_id", ...names.event_properties]);
    }
    function list(id, values) {
        const box = document.createElement("datalist");
        box.id = id;
        box.append(...values.map((value) => Object.assign(document.createElement("option"), { value })));
        editor.append(box);
    }
    load().catch(() => {});

    // ---- Content blocks from a menu, into the text of the card that was written in last ----
    let writtenIn = null;
    function offerBlocks() {
        const blocks = names?.content_blocks ?? [];
        for (const label of editor.querySelectorAll("[data-insert-block][hidden]")) {
            if (blocks.length === 0) return;
            const select = label.querySelector("select");
            select.append(
                ...blocks.map(({ name, description }) => {
                    const words = description ? `${name} – ${description}` : name;
                    return Object.assign(document.createElement("option"), { value: name, textContent: words });
                }),
            );
            label.hidden = false;
        }
    }
    function insertBlock(select) {
        const card = select.closest(".variant");
        const last = card.contains(writtenIn) ? writtenIn : null;
        const area = last ?? card.querySelector(".text-description textarea");
        if (!select.value || !area) return;
        area.focus();
        const text = `{{content_blocks.\${${select.value}}}}`;
        area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
        select.value = "";
        area.dispatchEvent(new Event("input", { bubbles: true }));
        close();
    }
    editor.addEventListener("focusin", (event) => {
        if (event.target.matches("[data-liquid]")) writtenIn = event.target;
    });
    editor.addEventListener("change", (event) => {
        if (event.target.closest("[data-insert-block]")) insertBlock(event.target);
    });
    new MutationObserver(offerBlocks).observe(editor, { childList: true, subtree: true });

    // Properties that this form's own texts name count as known.
    function written(object) {
        const found = new Set();
        for (const area of editor.querySelectorAll("[data-liquid]"))
            for (const match of area.value.matchAll(new RegExp(`${object}\\.\\$\\{([\\w.-]+)\\}`, "g")))
                found.add(match[1]);
        return [...found];
    }

    // ---- What fits at the caret ----
    const campaign = ["name", "api_id", "message_name", "message_api_id"];
    function members(object) {
        switch (object) {
            case "":
                return names.attributes;
            case "custom_attribute":
                return names.custom_attributes;
            case "api_trigger_properties":
                return [...new Set([...names.trigger_properties, ...written(object)])];
            case "event_properties":
                return [...new Set([...names.event_properties, ...written(object)])];
            case "content_blocks":
                return names.content_blocks.map((block) => block.name);
            case "campaign":
                return campaign;
            default:
                return [];
        }
    }
    function expressions() {
        const objects = [
            "custom_attribute",
            "api_trigger_properties",
            "event_properties",
            "content_blocks",
            "campaign",
        ];
        return [
            ...names.attributes.map((name) => `\${${name}}`),
            ...objects.flatMap((object) => [...members(object).map((name) => `${object}.\${${name}}`)]),
        ];
    }

    // The part of the text that a choice takes the place of, and the choices.
    function suggest(area) {
        if (!names || area.selectionStart !== area.selectionEnd) return null;
        const before = area.value.slice(0, area.selectionStart);
        const output = before.lastIndexOf("{{");
        const tag = before.lastIndexOf("{%");
        const start = Math.max(output, tag);
        if (start < 0 || before.lastIndexOf("}}") > start || before.lastIndexOf("%}") > start) return null;
        const inside = before.slice(start + 2);
        const end = output > tag ? "}}" : "%}";
        const after = area.value.slice(area.selectionStart);
        const isClosed = /^[^{]*?(\}\}|%\})/.test(after);
        const closing = isClosed ? "" : ` ${end}`;
        let match = inside.match(/(?:([a-z_]+)\.)?\$\{([^}]*)$/);
        if (match) {
            const brace = (after.startsWith("}") && !after.startsWith("}}")) || after.startsWith("}}}") ? "" : "}";
            return fit(match[2], members(match[1] ?? ""), "name", (name) => name + brace + (brace ? closing : ""));
        }
        match = inside.match(/\|\s*([a-z0-9_]*)$/);
        if (match) return fit(match[1], names.filters, "filter", (name) => name + closing);
        match = tag > output && inside.match(/^-?\s*([a-z_]*)$/);
        if (match)
            return fit(
                match[1],
                names.tags,
                "tag",
                (name) => (match[0].includes(" ") ? "" : " ") + name + " " + (isClosed ? "" : "%}"),
                1 + (isClosed ? 0 : 2),
            );
        match = inside.match(/(?:^|[\s(,:=<>])([a-z_][\w.$]*|\$)?$/);
        if (match)
            return fit(match[1] ?? "", expressions(), "name", (name) => (inside === "" ? " " : "") + name + closing);
        return null;
    }
    function fit(typed, all, kind, write) {
        const word = typed.toLowerCase();
        const found = all.filter((name) => name.toLowerCase().includes(word) && name !== typed);
        found.sort((a, b) => b.toLowerCase().startsWith(word) - a.toLowerCase().startsWith(word));
        return found.length ? { typed, kind, write, choices: found.slice(0, 40) } : null;
    }

    // ---- The list: the focus stays in the text, and the chosen name is said ----
    const box = document.createElement("ul");
    box.id = "liquid-names";
    box.className = "completion";
    box.setAttribute("role", "listbox");
    box.setAttribute("aria-label", text("Names"));
    box.hidden = true;
    document.querySelector("main").append(box);
    const count = document.createElement("p");
    count.className = "unseen";
    count.setAttribute("role", "status");
    document.body.append(count);
    let current = null;
    let active = 0;

    function open(area) {
        const found = suggest(area);
        if (!found) return close();
        const isNew = !current;
        current = { ...found, area };
        active = 0;
        box.replaceChildren(
            ...found.choices.map((name, index) => {
                const item = document.createElement("li");
                item.id = `liquid-name-${index}`;
                item.setAttribute("role", "option");
                item.textContent = name;
                item.addEventListener("mousedown", (event) => {
                    event.preventDefault();
                    active = index;
                    accept();
                });
                return item;
            }),
        );
        const frame = area.getBoundingClientRect();
        const height = Math.min(240, found.choices.length * 30 + 10);
        const isBelow = frame.bottom + height < innerHeight || frame.top < height;
        box.style.left = `${frame.left + scrollX}px`;
        box.style.top = `${(isBelow ? frame.bottom + 4 : frame.top - height - 4) + scrollY}px`;
        box.style.width = `${Math.min(frame.width, 420)}px`;
        box.hidden = false;
        area.setAttribute("aria-controls", box.id);
        const offered = {
            name: text("Names: {1}. Up and down choose, Enter takes, Escape closes.", found.choices.length),
            filter: text("Filters: {1}. Up and down choose, Enter takes, Escape closes.", found.choices.length),
            tag: text("Tags: {1}. Up and down choose, Enter takes, Escape closes.", found.choices.length),
        };
        if (isNew) count.textContent = offered[found.kind];
        mark();
    }
    function mark() {
        [...box.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === active)));
        const item = box.children[active];
        item?.scrollIntoView({ block: "nearest" });
        current.area.setAttribute("aria-activedescendant", item?.id ?? "");
    }
    function close() {
        if (!current) return;
        current.area.removeAttribute("aria-activedescendant");
        current.area.removeAttribute("aria-controls");
        current = null;
        box.hidden = true;
        count.textContent = "";
    }
    function accept() {
        const { area, typed, write, choices } = current;
        const name = choices[active];
        const from = area.selectionStart - typed.length;
        const text = write(name);
        area.focus();
        area.setRangeText(text, from, area.selectionStart, "end");
        // The caret stays before what only closes, so that a filter can follow.
        const tail = text.match(/(\s*(\}\}|%\}))$/)?.[0].length ?? 0;
        area.setSelectionRange(area.selectionStart - tail, area.selectionStart - tail);
        close();
        area.dispatchEvent(new Event("input", { bubbles: true }));
        close();
    }

    editor.addEventListener("input", (event) => {
        if (event.target.matches("[data-liquid]") && document.activeElement === event.target) open(event.target);
    });
    editor.addEventListener("keydown", (event) => {
        const area = event.target;
        // What an input method asks is answered by its own keys.
        if (!area.matches?.("[data-liquid]") || event.isComposing) return;
        if (!current) {
            if (event.key === " " && event.ctrlKey) (event.preventDefault(), open(area));
            return;
        }
        const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
        if (event.key in steps) {
            const last = current.choices.length - 1;
            const next = active + steps[event.key];
            active =
                Math.abs(steps[event.key]) > 1 ? Math.max(0, Math.min(last, next)) : (next + last + 1) % (last + 1);
            mark();
        } else if (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) accept();
        else if (event.key === "Escape") close();
        else {
            if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) close();
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    });
    editor.addEventListener("focusout", close);
    addEventListener("resize", close);
    for (const area of editor.querySelectorAll("[data-liquid]")) prepare(area);
    editor.addEventListener("focusin", (event) => event.target.matches("[data-liquid]") && prepare(event.target));
    function prepare(area) {
        area.setAttribute("aria-autocomplete", "list");
        area.setAttribute("aria-haspopup", "listbox");
    }
})();
