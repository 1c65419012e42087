"use strict";
const root = document.currentScript.dataset.root;
/** What the page says in its language; the texts of other languages than English are in a script of their own. */
const text = (english, value = "") => (window.texts?.[english] ?? english).replace("{1}", value);
const one = (selector) => document.querySelector(selector);

// Light, dark, or as the system has it.
const themes = ["system", "light", "dark"];
const themeLabels = {
    system: text("Appearance: system"),
    light: text("Appearance: light"),
    dark: text("Appearance: dark"),
};
const themeButton = one(".theme");
function showTheme() {
    themeButton.setAttribute("aria-label", themeLabels[document.documentElement.dataset.theme || "system"]);
    themeButton.title = themeButton.getAttribute("aria-label");
}
themeButton.hidden = false;
themeButton.addEventListener("click", () => {
    const now = document.documentElement.dataset.theme || "system";
    const next = themes[(themes.indexOf(now) + 1) % themes.length];
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
        if (next === "system") localStorage.removeItem("placard-docs-theme");
        else localStorage.setItem("placard-docs-theme", next);
    } catch {
        /* It holds for this page. */
    }
    showTheme();
});
showTheme();

// The navigation of a small screen.
const menuButton = one(".menu-button");
menuButton.hidden = false;
function toggleMenu(open) {
    menuButton.setAttribute("aria-expanded", String(open));
    document.body.classList.toggle("menu-open", open);
}
menuButton.addEventListener("click", () => toggleMenu(menuButton.getAttribute("aria-expanded") !== "true"));
document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.body.classList.contains("menu-open")) {
        toggleMenu(false);
        menuButton.focus();
    }
});
const current = one(".side [aria-current]");
if (current) {
    const side = one(".side");
    side.scrollTop = Math.max(0, current.offsetTop - side.clientHeight / 2);
}
const tab = one(".tabs [aria-current]");
if (tab) {
    const list = one(".tabs ul");
    list.scrollLeft = Math.max(0, tab.offsetLeft - list.clientWidth / 2 + tab.offsetWidth / 2);
}

// Copying code. A file:// page has no clipboard API in some browsers, so that the selection is copied there.
for (const button of document.querySelectorAll(".copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
        const code = button.parentElement.querySelector("code");
        const isConsole = button.parentElement.dataset.language === "console";
        const copied = isConsole
            ? code.textContent
                  .split("\n")
                  .filter((line) => line.startsWith("$ "))
                  .map((line) => line.slice(2))
                  .join("\n")
            : code.textContent;
        let done = true;
        try {
            await navigator.clipboard.writeText(copied);
        } catch {
            const range = document.createRange();
            range.selectNodeContents(code);
            getSelection().removeAllRanges();
            getSelection().addRange(range);
            done = document.execCommand("copy");
        }
        button.textContent = done ? text("Copied") : text("Press Ctrl-C");
        setTimeout(() => {
            button.textContent = text("Copy");
        }, 1600);
    });
}

// The part of the page that is read now, in its table of contents.
const links = new Map(
    [...document.querySelectorAll(".contents a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
);
if (links.size) {
    const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
    const mark = () => {
        let at = headings[0];
        for (const heading of headings) {
            if (heading.getBoundingClientRect().top > 140) break;
            at = heading;
        }
        for (const link of links.values()) link.removeAttribute("aria-current");
        const link = links.get(at.id);
        link.setAttribute("aria-current", "true");
        const box = one(".contents");
        if (link.offsetTop < box.scrollTop || link.offsetTop > box.scrollTop + box.clientHeight - 40)
            box.scrollTop = link.offsetTop - box.clientHeight / 2;
    };
    let isWaiting = false;
    addEventListener(
        "scroll",
        () => {
            if (isWaiting) return;
            isWaiting = true;
            requestAnimationFrame(() => {
                isWaiting = false;
                mark();
            });
        },
        { passive: true },
    );
    mark();
}

// The search loads its index when it is first wanted.
const box = one(".search"),
    query = one("#ui-query"),
    results = one("#ui-results"),
    found = one(".found"),
    note = one(".found-note");
box.hidden = false;
let shown = [],
    chosen = -1;
const loading = new Map();
function loadScript(file) {
    if (!loading.has(file)) {
        loading.set(
            file,
            new Promise((resolve, reject) => {
                const script = document.createElement("script");
                script.src = root + file;
                script.onload = resolve;
                script.onerror = reject;
                document.head.append(script);
            }),
        );
    }
    return loading.get(file);
}
const searches = new Map();
/** The search of the languages that a reader can mean: that of the page and English; and Japanese for a query in it. */
async function load(query) {
    const own = document.documentElement.lang,
        asksInJapanese = /[\u3041-\u30ff\u3400-\u9fff]/.test(query);
    const languages = [...new Set([asksInJapanese ? "ja" : own, own, "en"])];
    await Promise.all([
        loadScript("assets/search.js"),
        ...languages.map((language) => loadScript(`assets/search-index.${language}.js`)),
    ]);
    const key = languages.join();
    if (!searches.has(key)) searches.set(key, makeSearches(languages.map((language) => window.searchIndex[language])));
    return searches.get(key);
}
function choose(place) {
    chosen = place;
    [...results.children].forEach((row, at) => row.setAttribute("aria-selected", String(at === place)));
    if (place >= 0) {
        query.setAttribute("aria-activedescendant", results.children[place].id);
        results.children[place].scrollIntoView({ block: "nearest" });
    } else query.removeAttribute("aria-activedescendant");
}
function close() {
    found.hidden = true;
    query.setAttribute("aria-expanded", "false");
    choose(-1);
}
function open(row, inNewTab) {
    close();
    if (inNewTab) window.open(row.dataset.address);
    else location.href = row.dataset.address;
}
function marked(text, words) {
    const line = document.createElement("span");
    const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
    text.split(pattern).forEach((part, at) => {
        if (at % 2) {
            const mark = document.createElement("mark");
            mark.textContent = part;
            line.append(mark);
        } else line.append(part);
    });
    return line;
}
async function show() {
    const asked = query.value.trim();
    if (!asked) {
        close();
        return;
    }
    let search;
    try {
        search = await load(asked);
    } catch {
        note.textContent = text("The search could not be loaded.");
        found.hidden = false;
        return;
    }
    if (asked !== query.value.trim()) return;
    const words = search.words(asked);
    shown = search.find(asked, 20);
    results.replaceChildren(
        ...shown.map((hit, at) => {
            const row = document.createElement("li"),
                title = document.createElement("strong"),
                kind = document.createElement("em");
            row.id = `ui-result-${at}`;
            row.setAttribute("role", "option");
            row.setAttribute("aria-selected", "false");
            row.dataset.address = root + hit.address;
            kind.textContent = hit.section ? hit.title : hit.kind;
            title.append(words.length ? marked(hit.section || hit.title, words) : hit.title);
            row.append(title, kind);
            if (hit.summary) {
                const line = document.createElement("small");
                line.append(marked(hit.summary, words));
                row.append(line);
            }
            return row;
        }),
    );
    note.textContent = shown.length ? "" : text("Nothing found for “{1}”.", asked);
    found.hidden = false;
    query.setAttribute("aria-expanded", "true");
    choose(shown.length ? 0 : -1);
}
query.addEventListener("focus", () => {
    load("").catch(() => {});
    if (query.value) show();
});
query.addEventListener("input", show);
query.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        if (shown.length) choose((chosen + (event.key === "ArrowDown" ? 1 : -1) + shown.length) % shown.length);
    } else if (event.key === "Enter" && chosen >= 0 && !found.hidden) {
        event.preventDefault();
        open(results.children[chosen], event.metaKey || event.ctrlKey);
    } else if (event.key === "Escape") {
        if (found.hidden) query.blur();
        close();
    }
});
document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
    if (
        (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) ||
        (event.key === "k" && (event.metaKey || event.ctrlKey))
    ) {
        event.preventDefault();
        query.focus();
        query.select();
    }
});
document.addEventListener("click", (event) => {
    if (!box.contains(event.target)) close();
});
results.addEventListener("click", (event) => {
    const row = event.target.closest("li");
    if (row) open(row, event.metaKey || event.ctrlKey);
});
