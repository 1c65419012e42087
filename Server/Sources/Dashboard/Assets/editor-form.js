"use strict";
// The editor of campaigns, segments and content blocks: the form, its rows and its session. Without the scripts of the
// editor each button loads the whole page, and nothing else is missing but what is said while one types.
(() => {
    const $ = (selector, root = document) => root.querySelector(selector);
    const $$ = (selector, root = document) => Array.from(root.querySelectorAll(selector));
    const text = globalThis.placardText;
    const editor = $("form[data-editor]");
    if (!editor) return;
    const fields = $("[data-fields]", editor);
    // What the parts of the editor use of each other: they are one file, in this order, for a browser.
    const parts = (globalThis.placardEditor = { $, $$, ask, editor, fields, say, text });

    // ---- What is said aloud ----
    const voice = document.createElement("p");
    voice.className = "unseen";
    voice.setAttribute("role", "status");
    document.body.append(voice);
    function say(words) {
        voice.textContent = words;
    }

    // ---- Nothing typed is lost ----
    let isDirty = editor.dataset.dirty === "true";
    editor.addEventListener("input", () => (isDirty = true));
    addEventListener("beforeunload", (event) => isDirty && event.preventDefault());
    editor.addEventListener("keydown", (event) => {
        if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        editor.requestSubmit($(".save-bar .primary", editor));
    });

    // What is wrong stands beside the buttons, which are in view wherever one types.
    function tell(id, ...words) {
        const note = document.getElementById(id) ?? document.createElement("p");
        note.id = id;
        note.className = "problem";
        note.setAttribute("role", "alert");
        note.replaceChildren(...words);
        ($(".save-bar", editor) ?? editor).prepend(note);
        return note;
    }

    // A session that has ended: what is on the page stays, and goes on with the token of the new session.
    function tellOfEnd() {
        if ($("#session-ended")) return;
        const link = document.createElement("a");
        link.href = "/dashboard/account";
        link.target = "_blank";
        link.textContent = text("sign in again in another tab");
        const before = text("Your session has ended. Everything you typed is still here: ");
        tell("session-ended", before, link, text(", then come back to this one."));
    }
    async function renewToken() {
        if (document.hidden || !$("#session-ended")) return;
        if (!(await globalThis.placardRenew())) return;
        $("#session-ended")?.remove();
        say(text("You are signed in again."));
        parts.check();
        parts.preview();
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

    // Sends the form to where nothing is kept; `null` where there is no answer to it, and what is wrong is said. What
    // is asked while one types is asked again soon, so that of its refusals only one that stays is said, once.
    let isRefused = false;
    async function ask(address, button, signal) {
        if ($("#session-ended") || (isRefused && !button)) return null;
        const request = () => ({ method: "POST", body: sent(button), headers: { "Placard-Part": "form" }, signal });
        const { answer, isEnded, problem } = await globalThis.placardAsk(address, request);
        isRefused = !isEnded && answer?.status === 403;
        if (isEnded) tellOfEnd();
        else if (problem && (button || isRefused)) tell("form-refused", problem);
        else if (!problem) $("#form-refused")?.remove();
        return problem ? null : answer;
    }

    // The answer to a form that is too large would take the place of what was typed.
    function isTooLarge(button) {
        const limit = Number(editor.dataset.limit);
        // Browsers send a line's end as two characters, which are six in a form.
        return limit > 0 && sent(button).toString().replaceAll("%0A", "%0D%0A").length > limit;
    }
    function tellOfSize() {
        const words = text("This is too large to save. Shorten texts or remove languages; nothing typed is lost.");
        const note = tell("form-too-large", words);
        note.tabIndex = -1;
        note.focus();
    }

    // ---- Rows that come and go: the server draws the form again ----
    editor.addEventListener("submit", async (event) => {
        const button = event.submitter;
        $("#form-too-large")?.remove();
        if (!event.defaultPrevented && isTooLarge(button)) return (event.preventDefault(), tellOfSize());
        if (!button?.hasAttribute("data-swap")) {
            if (event.defaultPrevented || button?.formTarget) return;
            const refuse = (words, isEnded) => (isEnded ? tellOfEnd() : tell("form-refused", words));
            if (globalThis.placardMaySend(event, refuse)) isDirty = false;
            return;
        }
        event.preventDefault();
        // Another button's row may have another number once the answer is there.
        if (isReshaping) return;
        isReshaping = true;
        const html = await reshaped(button).catch(() => {
            tell("form-refused", text("The server did not answer. Try again."));
            return null;
        });
        if (html !== null) replace(html, button);
        isReshaping = false;
        if (html === null) return;
        isDirty = true;
        parts.check();
        parts.preview();
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
        parts.remember();
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
    // The first thing to do here is to name the campaign: the menu's links stay behind it.
    if (editor.action.endsWith("/campaigns/new") && document.activeElement === document.body && !location.hash) {
        $("input:not([type=hidden]), textarea", fields)?.focus({ preventScroll: true });
    }
})();
