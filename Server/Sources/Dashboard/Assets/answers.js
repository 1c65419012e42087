"use strict";
// What the answers to the scripts' requests mean, and a question before something typed is left.
(() => {
    const $ = (selector, root = document) => root.querySelector(selector);
    const $$ = (selector, root = document) => Array.from(root.querySelectorAll(selector));
    const text = globalThis.placardText;
    // How long the server may take to answer, in milliseconds.
    const PATIENCE = 20_000;
    const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

    // ---- A session that has ended, and another that goes on ----
    // Gives what the page sends a token of the session that is open, such as one that was begun in another tab. Returns
    // `false` where there is no session, and `null` where nobody answers.
    globalThis.placardRenew = async () => {
        const request = { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(PATIENCE) };
        const answer = await fetch("/dashboard/account", request).catch(() => null);
        if (answer?.redirected) return false;
        const page = answer?.ok ? await answer.text().catch(() => "") : "";
        const token = $("[name=csrf]", parsed(page))?.value;
        if (!token) return null;
        for (const input of $$("[name=csrf], [data-import-token]")) input.value = token;
        return true;
    };

    // Whether an answer is the page that asks to sign in, in place of what was asked for.
    const isSignIn = (answer) => answer.redirected && new URL(answer.url).pathname === "/dashboard/sign-in";

    // Says of numbers that follow the server whether they still do, by an answer to them: those that stand still look
    // like those of now.
    globalThis.placardFollow = (answer) => {
        const known = $("#stands-still");
        if (answer.ok && !answer.redirected) return known?.remove();
        if (known || !isSignIn(answer)) return;
        const link = document.createElement("a");
        link.href = `/dashboard/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
        link.textContent = text("Sign in");
        const note = document.createElement("p");
        note.id = "stands-still";
        note.className = "problem";
        note.setAttribute("role", "alert");
        note.append(text("Your session has ended, and this page is no longer updated."), " ", link);
        $("#main").prepend(note);
    };

    // ---- Requests ----
    const isJSON = (answer) => answer.headers.get("Content-Type")?.startsWith("application/json") ?? false;

    // Sends what `request` makes. Returns the answer, `problem`, which is what to say where it isn't as it should be,
    // and whether one has to sign in again. A form token that is over is replaced, and the request sent once more.
    globalThis.placardAsk = async (address, request) => {
        const send = () =>
            fetch(address, request()).catch((error) => {
                if (error.name === "AbortError") throw error;
                return null;
            });
        let answer = await send();
        // A token of an earlier session is refused as a role is: with another one, only the role still is.
        const mayBeOld = answer?.status === 403 && !isJSON(answer);
        const isOpen = mayBeOld ? await globalThis.placardRenew() : null;
        if (isOpen) answer = await send();
        if (!answer) return { answer, isEnded: false, problem: text("The server did not answer. Try again.") };
        const isEnded = isSignIn(answer) || answer.status === 401 || isOpen === false;
        // A member who has to set something up first is led there.
        if (!isEnded && answer.redirected) return { answer, isEnded, problem: meaning(403) };
        if (!isEnded) return { answer, isEnded, problem: answer.ok ? null : await reason(answer) };
        const problem = text("Your session has ended. Sign in again in another tab, then try again.");
        return { answer, isEnded, problem };
    };

    // What the server says of a refusal, by JSON or by a page of its own, or else what its status says.
    async function reason(answer) {
        const body = await answer.text().catch(() => "");
        if (isJSON(answer)) return messageOf(body) ?? meaning(answer.status);
        const page = parsed(body);
        const heading = $("#main h1, .gate h1", page)?.textContent.trim();
        const words = $("#main h1 + p, .gate h1 + p, .page-head + .card > p", page)?.textContent.trim();
        return heading && words ? text("{1}: {2}", heading, words) : meaning(answer.status);
    }

    function messageOf(body) {
        try {
            const { error } = JSON.parse(body);
            return error?.message ?? error ?? null;
        } catch {
            return null;
        }
    }

    function meaning(status) {
        switch (status) {
            case 403:
                return text("You don’t have permission to do this. Contact your administrator.");
            case 409:
                return text("This was changed or sent in the meantime. Copy what you typed, then reload the page.");
            case 413:
                return text("This is too large for the server. Shorten it, then try again.");
            case 429:
                return text("Too many requests. Wait a moment, then try again.");
            case 502:
            case 503:
            case 504:
                return text("The server is busy. Try again in a few seconds.");
            default:
                return text(
                    "{1}: {2}",
                    text("Something went wrong"),
                    text("Try again. If the problem persists, contact your administrator."),
                );
        }
    }

    // ---- Long forms ----
    // The browser's page of an error would take the place of what was typed: a form is sent once a server answers.
    const waiting = new WeakSet();
    const answered = new WeakSet();
    // Returns whether a form is sent now, by its `submit` event. Else it is in a moment, or `tell` gets the reason, and
    // whether it is that one has to sign in again.
    globalThis.placardMaySend = (event, tell) => {
        const form = event.target;
        if (answered.delete(form)) return true;
        event.preventDefault();
        if (!waiting.has(form)) sendOnceAnswered(form, event.submitter, tell);
        return false;
    };
    async function sendOnceAnswered(form, button, tell) {
        waiting.add(form);
        const isOpen = await globalThis.placardRenew();
        waiting.delete(form);
        if (isOpen === null)
            return tell(text("The server did not answer. Everything you typed is still here: try again."), false);
        // A session that is gone, such as of a member who was signed out everywhere, carries no form on.
        if (!isOpen) return tell(text("Your session has ended. Sign in again in another tab, then try again."), true);
        answered.add(form);
        form.requestSubmit(button);
        answered.delete(form);
    }

    for (const form of $$("form[data-guard]")) {
        let isDirty = form.hasAttribute("data-dirty");
        const tell = (words) => {
            const note = $("#form-refused") ?? document.createElement("p");
            note.id = "form-refused";
            note.className = "problem";
            note.setAttribute("role", "alert");
            note.textContent = words;
            form.append(note);
        };
        form.addEventListener("input", () => (isDirty = true));
        form.addEventListener("submit", (event) => event.defaultPrevented || globalThis.placardMaySend(event, tell));
        // Behind the question that may come before: where it is answered with no, what was typed is still unsaved.
        document.addEventListener("submit", (event) => {
            if (event.target === form && !event.defaultPrevented) isDirty = false;
        });
        addEventListener("beforeunload", (event) => isDirty && event.preventDefault());
    }
})();
