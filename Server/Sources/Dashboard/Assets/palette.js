"use strict";
// The command palette: campaigns, users, segments, content blocks and pages by their names, from any page.
(() => {
    const opener = document.querySelector("[data-palette]");
    if (!opener) return;
    const text = globalThis.placardText ?? ((english) => english);
    const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
    const PAUSE = 150;

    const make = (name, attributes = {}, words = "") => {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
        element.textContent = words;
        return element;
    };

    const dialog = make("dialog", { class: "palette", "aria-label": text("Search") });
    const input = make("input", {
        type: "text",
        role: "combobox",
        "aria-expanded": "false",
        "aria-controls": "palette-list",
        "aria-autocomplete": "list",
        "aria-label": text("Search campaigns, users, segments, content blocks and pages"),
        placeholder: text("Search campaigns, users, segments, content blocks and pages"),
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: "false",
        maxlength: "200",
    });
    // Phones have neither Escape nor room beside the dialog.
    const close = make("button", { type: "button", class: "quiet" }, text("Close"));
    close.addEventListener("click", () => dialog.close());
    const head = make("div", { class: "palette-head" });
    head.append(input, close);
    const list = make("div", { id: "palette-list", role: "listbox", "aria-label": text("Results") });
    const status = make("p", { class: "hint palette-status", role: "status" });
    dialog.append(head, list, status);
    document.body.append(dialog);

    let options = [];
    let chosen = -1;
    let timer = 0;
    let request = null;
    // The text whose results are shown, and whether the first result of what is typed is to be opened once it is there.
    let answered = null;
    let isAwaited = false;

    const typed = () => input.value.trim();

    function choose(index) {
        options[chosen]?.setAttribute("aria-selected", "false");
        chosen = index;
        const option = options[chosen];
        if (!option) return void input.removeAttribute("aria-activedescendant");
        option.setAttribute("aria-selected", "true");
        input.setAttribute("aria-activedescendant", option.id);
        option.scrollIntoView({ block: "nearest" });
    }

    function show(answer) {
        list.replaceChildren();
        options = [];
        answer.groups.forEach((group, number) => {
            const box = make("div", { role: "group", "aria-labelledby": `palette-group-${number}` });
            box.append(
                make("p", { id: `palette-group-${number}`, class: "palette-group", role: "presentation" }, group.name),
            );
            for (const item of group.items) {
                const index = options.length;
                const option = make("a", {
                    id: `palette-${index}`,
                    role: "option",
                    "aria-selected": "false",
                    tabindex: "-1",
                    href: item.address,
                });
                option.append(
                    make("span", { class: "palette-name" }, item.name),
                    make("span", { class: "hint" }, item.detail),
                );
                option.addEventListener("pointermove", () => chosen !== index && choose(index));
                options.push(option);
                box.append(option);
            }
            list.append(box);
        });
        input.setAttribute("aria-expanded", String(options.length > 0));
        const count = options.length === 1 ? text("1 result") : text("{1} results", options.length);
        status.textContent =
            options.length === 0
                ? text("Nothing found.")
                : answer.complete
                  ? count
                  : text("Users could not be searched. Try again.");
        choose(options.length > 0 ? 0 : -1);
    }

    // Opens the chosen result of what is typed, never one of an earlier text: its own are waited for.
    function openChosen() {
        isAwaited = answered !== typed();
        if (!isAwaited) options[chosen]?.click();
        else if (timer || !request) search();
    }

    async function search() {
        request?.abort();
        clearTimeout(timer);
        timer = 0;
        const own = (request = new AbortController());
        const asked = typed();
        const failed = (problem) => {
            if (own !== request) return;
            request = null;
            isAwaited = false;
            status.textContent = problem;
        };
        try {
            const { answer, problem } = await globalThis.placardAsk(
                `/dashboard/search?q=${encodeURIComponent(asked)}`,
                () => ({ signal: own.signal, headers: { Accept: "application/json" } }),
            );
            // The page stays as it is, with what may be typed on it.
            if (problem) return void failed(problem);
            const found = await answer.json();
            if (own !== request) return;
            request = null;
            answered = asked;
            show(found);
            if (isAwaited) openChosen();
        } catch (error) {
            if (error.name !== "AbortError") failed(text("The search failed. Try again."));
        }
    }

    function open() {
        if (dialog.open || document.querySelector("dialog[open]")) return;
        input.value = "";
        list.replaceChildren();
        options = [];
        choose(-1);
        input.setAttribute("aria-expanded", "false");
        answered = null;
        status.textContent = "";
        dialog.showModal();
        input.focus();
        search();
    }

    input.addEventListener("input", () => {
        isAwaited = false;
        clearTimeout(timer);
        timer = setTimeout(search, PAUSE);
    });

    input.addEventListener("keydown", (event) => {
        if (event.isComposing) return;
        const last = options.length - 1;
        const next = {
            ArrowDown: chosen >= last ? 0 : chosen + 1,
            ArrowUp: chosen <= 0 ? last : chosen - 1,
            PageDown: last,
            PageUp: 0,
        }[event.key];
        if (next !== undefined && last >= 0) {
            event.preventDefault();
            isAwaited = false;
            choose(next);
        } else if (event.key === "Enter") {
            event.preventDefault();
            openChosen();
        }
    });

    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.addEventListener("close", () => {
        clearTimeout(timer);
        timer = 0;
        isAwaited = false;
        request?.abort();
        request = null;
    });

    document.addEventListener("keydown", (event) => {
        const isAsked =
            (isApple ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) &&
            !event.altKey &&
            !event.shiftKey;
        if (!isAsked || event.key.toLowerCase() !== "k") return;
        event.preventDefault();
        dialog.open ? dialog.close() : open();
    });

    opener.hidden = false;
    opener.querySelector("kbd").textContent = isApple ? "⌘K" : "Ctrl K";
    opener.addEventListener("click", open);
})();
