"use strict";
// Everything works without this file, but for what is live: it only saves loading whole pages.
(() => {
    document.documentElement.classList.add("scripted");
    const $ = (selector, root = document) => root.querySelector(selector);
    const $$ = (selector, root = document) => Array.from(root.querySelectorAll(selector));

    // ---- Texts in the language of the page, which brings them; English is what the scripts say ----
    const texts = JSON.parse($("#texts")?.textContent ?? "{}");
    const text = (english, ...values) =>
        (texts[english] ?? english).replace(/\{(\d)\}/g, (_, number) => values[number - 1]);
    globalThis.placardText = text;

    // ---- Previews of cards are as dark as the page, where the system decides that ----
    if (document.documentElement.dataset.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches) {
        for (const select of $$("select[data-by-theme]")) select.value = "dark";
        for (const frame of $$("iframe[data-by-theme]")) {
            const address = new URL(frame.src);
            address.searchParams.set("preview_look", "dark");
            frame.closest(".phone-screen")?.classList.add("dark");
            frame.src = address;
        }
    }

    // ---- The menu of narrow windows ----
    const menuButton = $("[data-menu]");
    menuButton?.addEventListener("click", () => {
        const isOpen = $("#menu").classList.toggle("open");
        menuButton.setAttribute("aria-expanded", String(isOpen));
    });

    // ---- Asking before something is done ----
    document.addEventListener("submit", (event) => {
        // A form that isn't sent for another reason comes again.
        if (event.defaultPrevented) return;
        const choice = $$("option[data-confirm]", event.target).find((option) => option.selected);
        const question = event.submitter?.dataset.confirm || event.target.dataset.confirm || choice?.dataset.confirm;
        if (!question || event.target.dataset.confirmed) return;
        event.preventDefault();
        const dialog = document.createElement("dialog");
        const words = document.createElement("p");
        const count = $$('tbody input[type="checkbox"]:checked', event.target).length;
        words.textContent = question.replace("{count}", count);
        words.id = "question";
        dialog.setAttribute("aria-labelledby", "question");
        const actions = document.createElement("div");
        actions.className = "actions";
        const no = document.createElement("button");
        no.textContent = text("Cancel");
        no.className = "quiet";
        const yes = document.createElement("button");
        yes.textContent = event.submitter?.textContent.trim() || text("Continue");
        yes.className = "go";
        no.addEventListener("click", () => dialog.close());
        yes.addEventListener("click", () => {
            event.target.dataset.confirmed = "1";
            dialog.close();
            event.target.requestSubmit(event.submitter);
        });
        dialog.addEventListener("close", () => dialog.remove());
        // In the order of all forms; what has the focus first is what does nothing.
        actions.append(yes, no);
        no.autofocus = true;
        dialog.append(words, actions);
        document.body.append(dialog);
        dialog.showModal();
    });

    // ---- A form is sent once ----
    // A second press while the answer is under way would be refused as sent already, and hide what the first one did.
    const sent = new WeakSet();
    function mayBeSentAgain(form) {
        sent.delete(form);
        form.removeAttribute("aria-busy");
    }
    document.addEventListener("submit", (event) => {
        const form = event.target;
        const goesElsewhere = event.submitter?.hasAttribute("formtarget") || form.hasAttribute("target");
        if (event.defaultPrevented || goesElsewhere || form.getAttribute("method") !== "post") return;
        if (sent.has(form)) return event.preventDefault();
        sent.add(form);
        form.setAttribute("aria-busy", "true");
        // Where no answer comes, such as where loading was stopped, it can be sent again.
        setTimeout(() => mayBeSentAgain(form), 15_000);
    });
    // Whoever comes back to the page can send its forms again, and is asked again.
    addEventListener("pageshow", () => {
        for (const form of $$("form")) {
            mayBeSentAgain(form);
            delete form.dataset.confirmed;
        }
    });

    // ---- Actions on several rows of a list ----
    const bulk = $("[data-bulk]");
    if (bulk) {
        const boxes = $$('tbody input[type="checkbox"]', bulk);
        const all = $("[data-pick-all]", bulk);
        const update = () => {
            const count = boxes.filter((box) => box.checked).length;
            bulk.classList.toggle("some", count > 0);
            const said = $("[data-picked]", bulk);
            if (said) said.textContent = count > 0 ? text("{1} selected", count) : "";
            if (!all) return;
            all.checked = count > 0 && count === boxes.length;
            all.indeterminate = count > 0 && count < boxes.length;
        };
        if (all) all.hidden = boxes.length === 0;
        all?.addEventListener("change", () => {
            for (const box of boxes) box.checked = all.checked;
            update();
        });
        bulk.addEventListener("change", update);
        // Enter in the field of tags adds the tag, and does not press the first button.
        $('[name="tag"]', bulk)?.addEventListener("keydown", (event) => {
            if (event.key !== "Enter" || event.isComposing) return;
            event.preventDefault();
            $('button[value="tag"]', bulk).click();
        });
        // What was selected is gone on the page that would ask for a tag.
        bulk.addEventListener("submit", (event) => {
            const tag = $('[name="tag"]', bulk);
            if (event.submitter?.value !== "tag" || tag.value.trim()) return;
            event.preventDefault();
            $("[data-picked]", bulk).textContent = text("Enter a tag.");
            tag.setAttribute("aria-invalid", "true");
            tag.focus();
        });
        $('[name="tag"]', bulk)?.addEventListener("input", (event) => {
            if (!event.target.hasAttribute("aria-invalid")) return;
            event.target.removeAttribute("aria-invalid");
            update();
        });
        addEventListener("pageshow", update);
    }

    // ---- Undo ----
    // What is offered stays in the address, so that a page that is loaded again offers it, too, for the seconds that
    // are left. What no address has room for answers a form, which isn't to be sent again: the address becomes that of
    // the page, and the notice is kept with it, in the tab's history.
    const hasUndo = () => new URL(location.href).searchParams.has("undo");
    // What is loaded again later, or kept as a bookmark, says nothing of a change.
    function forgetUndo() {
        const address = new URL(location.href);
        for (const name of ["undo", "done"]) address.searchParams.delete(name);
        history.replaceState({ ...history.state, undo: 0, notice: null }, "", address);
    }
    function keepUndo(notice) {
        const kept = { notice: new XMLSerializer().serializeToString(notice), until: Date.now() + 60_000 };
        history.replaceState(history.state, "", $('[name="back"]', notice).value);
        try {
            history.replaceState({ ...history.state, ...kept }, "");
        } catch {
            // The history has no room for it: the notice is gone when the page is loaded again.
        }
    }
    function keptUndo() {
        const { undo, notice, until } = history.state ?? {};
        if (!(undo > 0) || !notice || until < Date.now()) return null;
        const kept = $("[data-undo]", new DOMParser().parseFromString(notice, "text/html"));
        if (kept) $("#main").prepend(kept);
        return kept;
    }
    // Ten seconds, which don't pass while the notice is in use.
    function offerUndo(notice) {
        let left = history.state?.undo || 10;
        const note = () => history.replaceState({ ...history.state, undo: left }, "");
        note();
        const timer = setInterval(() => {
            if (notice.matches(":hover, :focus-within") || document.hidden) return;
            left -= 1;
            note();
            if (left > 0) return;
            clearInterval(timer);
            $("form", notice)?.remove();
            forgetUndo();
        }, 1000);
        $("form", notice).addEventListener("submit", () => {
            clearInterval(timer);
            forgetUndo();
            // Whoever comes back to the page isn't offered again what was used.
            addEventListener("pageshow", () => notice.remove());
        });
    }
    const undoNotice = $("[data-undo]");
    if (undoNotice && !hasUndo()) keepUndo(undoNotice);
    const undoOffer = undoNotice ?? keptUndo();
    if (undoOffer) offerUndo(undoOffer);
    else if (hasUndo()) forgetUndo();

    // ---- Copying ----
    for (const button of $$("[data-copy]")) {
        button.hidden = false;
        button.addEventListener("click", async () => {
            const source = $(button.dataset.copy);
            try {
                await navigator.clipboard.writeText(source.textContent);
                button.textContent = text("Copied");
            } catch {
                // Pages without TLS have no clipboard, and members may refuse it: the text is chosen, to be copied.
                getSelection().selectAllChildren(source);
            }
        });
    }

    // ---- Passwords ----
    for (const field of $$('input[type="password"]')) {
        const show = document.createElement("button");
        show.type = "button";
        show.className = "quiet show-password";
        show.title = text("Show or hide the password");
        const set = (isShown) => {
            field.type = isShown ? "text" : "password";
            show.textContent = isShown ? text("Hide") : text("Show");
        };
        set(false);
        show.addEventListener("click", () => set(field.type === "password"));
        field.form?.addEventListener("submit", () => set(false));
        const box = document.createElement("span");
        box.className = "password-box";
        field.before(box);
        // Moving a field takes the focus from it.
        const hadFocus = document.activeElement === field || field.autofocus;
        box.append(field, show);
        if (hadFocus) field.focus();
    }
    // Only a hint: the server decides, and knows the words that are tried first.
    for (const field of $$("[data-strength]")) {
        const meter = document.createElement("span");
        meter.className = "hint block strength";
        meter.setAttribute("role", "status");
        field.closest("label").after(meter);
        field.addEventListener("input", () => {
            const letters = Array.from(field.value);
            const words = field.value.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2).length;
            const variety = new Set(letters).size;
            const isStrong = variety >= 12 && (letters.length >= 20 || (letters.length >= 16 && words >= 3));
            meter.textContent =
                letters.length === 0
                    ? ""
                    : letters.length < 12
                      ? text("Strength: too short, {1} more", 12 - letters.length)
                      : letters.length > 128
                        ? text("Strength: too long, 128 characters at most")
                        : variety < 7
                          ? text("Strength: weak, the same few characters")
                          : isStrong
                            ? text("Strength: strong")
                            : text("Strength: fair; several unrelated words are stronger");
            meter.dataset.level = isStrong ? "strong" : letters.length < 12 || variety < 7 ? "weak" : "fair";
        });
    }

    // ---- Parts of a page that the server draws again ----
    // What has the focus keeps it, and what is being typed stays.
    // A form that is being filled in isn't moved: a date of which parts are missing would be forgotten.
    function replaceAround(element, fresh) {
        const isTyped = (field) =>
            field === document.activeElement || field.value !== field.defaultValue || field.validity.badInput;
        const form = $$(":scope > form", element).find((form) => $$("input:not([type=hidden])", form).some(isTyped));
        const nodes = Array.from(fresh.childNodes);
        const place = form ? nodes.findIndex((node) => node.nodeName === "FORM") : -1;
        if (place < 0) return element.replaceChildren(...nodes);
        for (const node of Array.from(element.childNodes)) if (node !== form) node.remove();
        form.before(...nodes.slice(0, place));
        form.after(...nodes.slice(place + 1));
    }
    // How what has the focus is found in what takes its place, or `null`.
    function mark(element) {
        if (element.id) return `#${CSS.escape(element.id)}`;
        const names = ["name", "href", "aria-label", ...(element.localName === "button" ? ["value"] : [])];
        const parts = names
            .filter((name) => element.hasAttribute(name))
            .map((name) => `[${name}="${CSS.escape(element.getAttribute(name))}"]`);
        return parts.length > 0 ? element.localName + parts.join("") : null;
    }
    globalThis.placardReplace = replace;
    function replace(element, html) {
        const fresh = new DOMParser().parseFromString(html, "text/html");
        const focused = element.contains(document.activeElement) ? mark(document.activeElement) : null;
        const open = $$("details[open]", element).map((details) => $$("details", element).indexOf(details));
        replaceAround(element, fresh.body);
        open.forEach((index) => $$("details", element)[index]?.setAttribute("open", ""));
        if (focused) $(focused, element)?.focus({ preventScroll: true });
        $$("[data-copy]", element).forEach((button) => (button.hidden = false));
    }

    const live = $$("[data-live]");
    if (live.length > 0) {
        let isLoading = false;
        let isStale = false;
        const load = async () => {
            if (isLoading || document.hidden) return void (isStale = true);
            isLoading = true;
            isStale = false;
            for (const element of live) {
                try {
                    const answer = await fetch(element.dataset.live, { headers: { Accept: "text/html" } });
                    globalThis.placardFollow(answer);
                    if (answer.ok && !answer.redirected) replace(element, await answer.text());
                } catch {
                    /* The stream tells when the server is back. */
                }
            }
            isLoading = false;
            if (isStale) load();
        };
        const dot = $("[data-live-dot]");
        let source;
        let retry;
        const listen = () => {
            source = new EventSource("/dashboard/live");
            source.addEventListener("changed", load);
            source.addEventListener("open", () => dot?.classList.remove("off"));
            source.addEventListener("error", () => {
                dot?.classList.add("off");
                // Refused, such as where many pages are open: what is new is asked for until there is room.
                if (source.readyState !== EventSource.CLOSED) return;
                clearTimeout(retry);
                retry = setTimeout(() => {
                    load();
                    listen();
                }, 60_000);
            });
        };
        listen();
        document.addEventListener("visibilitychange", () => isStale && !document.hidden && load());
        addEventListener("pagehide", () => {
            clearTimeout(retry);
            source.close();
        });
    }
})();
