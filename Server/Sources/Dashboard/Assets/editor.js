"use strict";
// The editor of campaigns, segments and content blocks. Without this file each button loads the whole page, and nothing
// else is missing but what is said while one types.
(() => {
    const $ = (selector, root = document) => root.querySelector(selector);
    const $$ = (selector, root = document) => Array.from(root.querySelectorAll(selector));
    const text = globalThis.placardText;
    const editor = $("form[data-editor]");
    if (!editor) return;
    const fields = $("[data-fields]", editor);

    // ---- What is said aloud ----
    const voice = document.createElement("p");
    voice.className = "unseen";
    voice.setAttribute("role", "status");
    document.body.append(voice);
    const say = (words) => (voice.textContent = words);

    // ---- Nothing typed is lost ----
    let isDirty = editor.dataset.dirty === "true";
    editor.addEventListener("input", () => (isDirty = true));
    addEventListener("beforeunload", (event) => isDirty && event.preventDefault());
    editor.addEventListener("keydown", (event) => {
        if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        editor.requestSubmit($(".save-bar .primary", editor));
    });

    // A session that has ended: what is on the page stays, and goes on with the token of the new session.
    function tellOfEnd() {
        if ($("#session-ended")) return;
        const note = document.createElement("p");
        note.id = "session-ended";
        note.className = "problem";
        note.setAttribute("role", "alert");
        note.append(text("Your session has ended. Everything you typed is still here: "));
        const link = document.createElement("a");
        link.href = "/dashboard/account";
        link.target = "_blank";
        link.textContent = text("sign in again in another tab");
        note.append(link, text(", then come back to this one."));
        editor.prepend(note);
    }
    async function renewToken() {
        if (document.hidden || !$("#session-ended")) return;
        const answer = await fetch("/dashboard/account", { headers: { Accept: "text/html" } });
        if (!answer.ok || answer.redirected) return;
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const token = $("[name=csrf]", page)?.value;
        if (!token) return;
        $$("[name=csrf]").forEach((input) => (input.value = token));
        $("#session-ended").remove();
        say(text("You are signed in again."));
        check();
    }
    addEventListener("focus", renewToken);
    document.addEventListener("visibilitychange", renewToken);

    // What a button sends. The long texts of a row that it removes needn't arrive, so that a form that became too large
    // can become smaller.
    function sent(button) {
        const body = new URLSearchParams(new FormData(editor, button));
        const [order, row] = button?.value.split(" ") ?? [];
        if (order !== "remove") return body;
        for (const [name, value] of Array.from(body))
            if (name.startsWith(`${row}.`) && value.length > 40) body.set(name, "");
        return body;
    }

    // Sends the form to where nothing is kept; `null` where there is no answer to it.
    async function ask(address, button, signal) {
        if ($("#session-ended")) return null;
        const body = sent(button);
        const answer = await fetch(address, { method: "POST", body, headers: { "Placard-Part": "form" }, signal });
        if (answer.redirected || answer.status === 401 || answer.status === 403) return (tellOfEnd(), null);
        return answer.ok ? answer : null;
    }

    // The answer to a form that is too large would take the place of what was typed.
    function isTooLarge(button) {
        const limit = Number(editor.dataset.limit);
        // Browsers send a line's end as two characters, which are six in a form.
        return limit > 0 && sent(button).toString().replaceAll("%0A", "%0D%0A").length > limit;
    }
    function tellOfSize() {
        const note = $("#form-too-large") ?? document.createElement("p");
        note.id = "form-too-large";
        note.className = "problem";
        note.tabIndex = -1;
        note.setAttribute("role", "alert");
        note.textContent = text("This is too large to save. Shorten texts or remove languages; nothing typed is lost.");
        editor.prepend(note);
        note.focus();
    }

    // ---- Rows that come and go: the server draws the form again ----
    editor.addEventListener("submit", async (event) => {
        const button = event.submitter;
        $("#form-too-large")?.remove();
        if (!event.defaultPrevented && isTooLarge(button)) return (event.preventDefault(), tellOfSize());
        if (!button?.hasAttribute("data-swap")) {
            if (!event.defaultPrevented && !button?.formTarget) isDirty = false;
            return;
        }
        event.preventDefault();
        // Another button's row may have another number once the answer is there.
        if (isReshaping) return;
        isReshaping = true;
        const html = await reshaped(button).catch(() => null);
        if (html !== null) replace(html, button);
        isReshaping = false;
        if (html === null) return say(text("The server did not answer. Try again."));
        isDirty = true;
        check();
        preview();
    });

    // What is typed while the answer is under way is in the next one.
    let isReshaping = false;
    let edits = 0;
    editor.addEventListener("input", () => (edits += 1));
    async function reshaped(button) {
        for (;;) {
            const before = edits;
            const answer = await ask(button.getAttribute("formaction"), button);
            const html = answer && (await answer.text());
            if (html === null || edits === before) return html;
        }
    }

    function replace(html, button) {
        const fresh = new DOMParser().parseFromString(html, "text/html");
        const open = new Map($$("details[id]", fields).map((details) => [details.id, details.open]));
        fields.replaceChildren(...fresh.body.childNodes);
        $$("details[id]", fields).forEach((details) => open.get(details.id) && (details.open = true));
        remember();
        const done = $("[data-reshaped]", fields);
        const target = done
            ? place(done.dataset.reshaped)
            : $(`[name=do][value="${CSS.escape(button.value)}"]`, fields);
        const problem = $("[aria-invalid=true]", fields);
        reveal(button.value === "json" && problem ? problem : target);
        if (done) say(done.textContent);
        const reach = $("[data-reach]", fields)?.textContent;
        if (button.value === "reach" && reach) say(reach);
    }

    // The first field of a row, or the button that adds to a list.
    function place(name) {
        const isField = (element) => element.name.startsWith(name) && element.type !== "hidden";
        const row = name.endsWith("]") && $$("input, select, textarea", fields).find(isField);
        return (
            row || $$(`[name=do][value^="add ${CSS.escape(name)}"]`, fields).pop() || $(".save-bar .primary", editor)
        );
    }

    function reveal(element) {
        for (
            let box = element?.closest("details:not([open])");
            box;
            box = box.parentElement.closest("details:not([open])")
        )
            box.open = true;
        if (!element) return;
        const target = element.matches("input, select, textarea, button, a")
            ? element
            : $("input:not([type=hidden]), select, textarea, button", element) || element;
        target.focus();
        element.scrollIntoView({ block: "center" });
    }

    document.addEventListener("click", (event) => {
        const link = event.target.closest(".problems a[href^='#']");
        const target = link && document.getElementById(link.getAttribute("href").slice(1));
        if (!target) return;
        event.preventDefault();
        reveal(target);
    });
    if (location.hash.startsWith("#f-")) reveal(document.getElementById(location.hash.slice(1)));
    else $("#problems")?.focus();

    // ---- What is wrong, while one types ----
    // The fields of which the server said something, with what was in them then.
    const noted = new Map();
    remember();

    function remember() {
        noted.clear();
        for (const field of $$("[data-field]", editor))
            if ($(".field-note", field)) noted.set(field.dataset.field, value(field));
    }

    function value(field) {
        return $$("input, select, textarea", field)
            .map((element) => element.value)
            .join("\n");
    }

    function show(field, notes) {
        const box = $("[data-notes]", field);
        const control = document.getElementById(field.dataset.field);
        const before = $$(".field-note > span", box)
            .map((note) => note.textContent)
            .join("\n");
        // What the server said when the form was drawn stays until the field is changed.
        if (notes.length === 0 && before && noted.get(field.dataset.field) === value(field)) return;
        const after = notes.map((note) => note.text).join("\n");
        if (before === after) return;
        box.replaceChildren(...notes.map((note) => draw(note, control)));
        const isWrong = notes.some((note) => !note.warning);
        isWrong ? control?.setAttribute("aria-invalid", "true") : control?.removeAttribute("aria-invalid");
        const hint = $(".hint", field)?.id;
        const ids = [hint, ...notes.map((note) => note.id)].filter(Boolean).join(" ");
        ids ? control?.setAttribute("aria-describedby", ids) : control?.removeAttribute("aria-describedby");
        if (field.contains(document.activeElement)) say(after || text("Fixed."));
    }

    function draw(note, control) {
        const line = document.createElement("p");
        line.id = note.id;
        line.className = note.warning ? "field-note field-warning" : "field-note";
        const words = document.createElement("span");
        words.textContent = note.text;
        line.append(words);
        if (note.excerpt) {
            const excerpt = document.createElement("code");
            excerpt.className = "excerpt";
            excerpt.textContent = note.excerpt;
            line.append(excerpt);
        }
        if (note.line && control?.setSelectionRange) {
            const button = document.createElement("button");
            button.type = "button";
            button.className = "quiet small-button";
            button.textContent = text("Go there");
            button.addEventListener("click", () => goTo(control, note.line, note.column));
            line.append(button);
        }
        return line;
    }

    // Lines and columns count from 1, columns in characters and not in UTF-16 units.
    function goTo(control, line, column) {
        const lines = control.value.split("\n");
        const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
        const offset =
            start +
            Array.from(lines[line - 1] ?? "")
                .slice(0, column - 1)
                .join("").length;
        control.focus();
        control.setSelectionRange(offset, offset);
    }

    let checkTimer;
    let running;
    function check() {
        clearTimeout(checkTimer);
        checkTimer = setTimeout(look, 450);
    }
    async function look() {
        if (!editor.dataset.check) return;
        running?.abort();
        running = new AbortController();
        const answer = await ask(editor.dataset.check, null, running.signal).catch(() => null);
        if (!answer) return;
        const found = await answer.json();
        const notes = new Map(found.fields.map((field) => [field.id, field.notes]));
        for (const field of $$("[data-field]", fields)) show(field, notes.get(field.dataset.field) ?? []);
        const reach = $("[data-reach]", fields);
        if (reach && reach.textContent !== found.reach) reach.textContent = found.reach;
        reach?.classList.toggle("good", found.has_users);
        // The JSON follows the conditions, unless it is being edited.
        const json = $("#f-audience_json", fields);
        if (json && json.value === (json.dataset.shown ?? json.defaultValue))
            json.value = json.dataset.shown = found.audience;
        const others = $("[data-others]", editor);
        if (others && others.textContent !== found.others.join(" ")) others.textContent = found.others.join(" ");
    }
    editor.addEventListener("input", (event) => event.target.name?.startsWith("preview_") || check());
    check();

    // ---- The shares beside the weights: the server adds per cents up, which need not be 100 while one types ----
    const weight = (input) => (/^\s*\d{1,15}\s*$/.test(input.value) ? Number(input.value) : 0);
    const percent = (share) => {
        const digits = share < 0.1 ? 2 : 1;
        const style = { minimumFractionDigits: digits, maximumFractionDigits: digits };
        return `${(share * 100).toLocaleString(document.documentElement.lang, style)}%`;
    };
    function showShares() {
        const weights = $$(".variant-head .weight input", fields);
        const isPercent = $("[name=split]", fields)?.value === "percent";
        const whole = isPercent ? 100 : weights.reduce((sum, input) => sum + weight(input), 0);
        for (const input of weights) {
            const share = $("[data-share]", input.closest(".variant-head"));
            share.textContent = whole > 0 ? percent(weight(input) / whole) : "–";
        }
    }
    fields.addEventListener("input", (event) => event.target.closest(".weight") && showShares());

    // ---- The preview: a new frame takes the place of the old one when it is drawn ----
    const screen = $(".phone-screen");
    // How long a loaded frame may take until it is on the screen, in milliseconds.
    const DRAWING = 150;
    let isDrawn = false;
    let previewTimer;
    function preview() {
        clearTimeout(previewTimer);
        previewTimer = setTimeout(drawPreview, 250);
    }
    // Where a card says no aspect ratio, the app goes by the picture's own, which only a browser that loads it knows.
    const ratios = new Map();
    function measured(address) {
        if (!/^https?:\/\/[^{]*$/.test(address ?? "")) return null;
        if (!ratios.has(address)) {
            ratios.set(address, null);
            const image = new Image();
            image.referrerPolicy = "no-referrer";
            image.addEventListener("load", () => {
                ratios.set(address, image.naturalHeight > 0 ? image.naturalWidth / image.naturalHeight : null);
                preview();
            });
            image.src = address;
        }
        return ratios.get(address);
    }
    function drawPreview() {
        if (!screen || $("#session-ended")) return;
        const old = $$("iframe", screen);
        const frame = document.createElement("iframe");
        frame.name = `preview-${Date.now()}`;
        frame.className = "waiting";
        // Only one preview is there for a reader, and has the title.
        frame.ariaHidden = "true";
        frame.setAttribute("sandbox", "");
        const isDark = $("[name=preview_look]", editor)?.value === "dark";
        // An empty frame has nothing to cover the new one with.
        if (!isDrawn) screen.classList.toggle("dark", isDark);
        screen.append(frame);
        frame.addEventListener("load", () => {
            // A frame that is loaded isn't drawn yet: until then the old one stays above it.
            old.forEach((other) => {
                other.classList.add("former");
                other.ariaHidden = "true";
                other.title = "";
            });
            frame.classList.remove("waiting");
            frame.ariaHidden = null;
            frame.title = text("Preview of the card");
            isDrawn = true;
            setTimeout(() => {
                screen.classList.toggle("dark", isDark);
                old.forEach((other) => other.remove());
            }, DRAWING);
        });
        const form = document.createElement("form");
        form.method = "post";
        form.action = editor.dataset.preview ?? "/dashboard/campaigns/preview";
        form.target = frame.name;
        form.hidden = true;
        const data = new FormData(editor);
        const picture = data.get(`c.variants[${data.get("preview_variant") ?? 0}].card.image`)?.trim();
        const ratio = measured(picture);
        if (ratio) {
            data.set("preview_image", picture);
            data.set("preview_ratio", String(ratio));
        }
        for (const [name, value] of data) {
            const input = document.createElement("input");
            input.type = "hidden";
            input.name = name;
            input.value = value;
            form.append(input);
        }
        document.body.append(form);
        form.submit();
        form.remove();
    }
    editor.addEventListener("input", preview);
    $("[data-preview-button]", editor)?.setAttribute("hidden", "");
    drawPreview();
    // The first thing to do here is to name the campaign: the menu's links stay behind it.
    if (editor.action.endsWith("/campaigns/new") && document.activeElement === document.body && !location.hash) {
        $("input:not([type=hidden]), textarea", $("[data-fields]", editor))?.focus({ preventScroll: true });
    }
})();
