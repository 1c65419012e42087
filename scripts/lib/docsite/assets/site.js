"use strict";
const root = document.currentScript.dataset.root;
const one = (selector) => document.querySelector(selector);

// Light, dark, or as the system has it.
const themes = ["system", "light", "dark"];
const themeButton = one(".theme");
function showTheme() {
  themeButton.setAttribute("aria-label", `Appearance: ${document.documentElement.dataset.theme || "system"}`);
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
  } catch { /* It holds for this page. */ }
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
  if (event.key === "Escape" && document.body.classList.contains("menu-open")) { toggleMenu(false); menuButton.focus(); }
});
const current = one(".side [aria-current]");
if (current) {
  const side = one(".side");
  side.scrollTop = Math.max(0, current.offsetTop - side.clientHeight / 2);
}
const tab = one(".tabs [aria-current]");
if (tab) { const list = one(".tabs ul"); list.scrollLeft = Math.max(0, tab.offsetLeft - list.clientWidth / 2 + tab.offsetWidth / 2); }

// Copying code. A file:// page has no clipboard API in some browsers, so that the selection is copied there.
for (const button of document.querySelectorAll(".copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = button.parentElement.querySelector("code");
    const isConsole = button.parentElement.dataset.language === "console";
    const text = isConsole ? code.textContent.split("\n").filter((line) => line.startsWith("$ ")).map((line) => line.slice(2)).join("\n") : code.textContent;
    let done = true;
    try { await navigator.clipboard.writeText(text); } catch {
      const range = document.createRange();
      range.selectNodeContents(code);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      done = document.execCommand("copy");
    }
    button.textContent = done ? "Copied" : "Press Ctrl-C";
    setTimeout(() => { button.textContent = "Copy"; }, 1600);
  });
}

// The part of the page that is read now, in its table of contents.
const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
if (links.size) {
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  const mark = () => {
    let at = headings[0];
    for (const heading of headings) { if (heading.getBoundingClientRect().top > 140) break; at = heading; }
    for (const link of links.values()) link.removeAttribute("aria-current");
    const link = links.get(at.id);
    link.setAttribute("aria-current", "true");
    const box = one(".contents");
    if (link.offsetTop < box.scrollTop || link.offsetTop > box.scrollTop + box.clientHeight - 40) box.scrollTop = link.offsetTop - box.clientHeight / 2;
  };
  let isWaiting = false;
  addEventListener("scroll", () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => { isWaiting = false; mark(); });
  }, { passive: true });
  mark();
}

// The search loads its index when it is first wanted.
const box = one(".search"), query = one("#ui-query"), results = one("#ui-results"), found = one(".found"), note = one(".found-note");
box.hidden = false;
let search, loading, shown = [], chosen = -1;
function load() {
  loading ??= Promise.all(["search-index.js", "assets/search.js"].map((file) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = root + file;
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  }))).then(() => { search = makeSearch(window.searchIndex); });
  return loading;
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
    if (at % 2) { const mark = document.createElement("mark"); mark.textContent = part; line.append(mark); } else line.append(part);
  });
  return line;
}
async function show() {
  const text = query.value.trim();
  if (!text) { close(); return; }
  try { await load(); } catch { note.textContent = "The search could not be loaded."; found.hidden = false; return; }
  if (text !== query.value.trim()) return;
  const words = search.words(text);
  shown = search.find(text, 20);
  results.replaceChildren(...shown.map((hit, at) => {
    const row = document.createElement("li"), title = document.createElement("strong"), kind = document.createElement("em");
    row.id = `ui-result-${at}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", "false");
    row.dataset.address = root + hit.address;
    kind.textContent = hit.section ? `${hit.page}` : hit.kind;
    title.append(words.length ? marked(hit.section || hit.page, words) : hit.page);
    row.append(title, kind);
    if (hit.summary) { const line = document.createElement("small"); line.append(marked(hit.summary, words)); row.append(line); }
    return row;
  }));
  note.textContent = shown.length ? "" : `Nothing found for “${text}”.`;
  found.hidden = false;
  query.setAttribute("aria-expanded", "true");
  choose(shown.length ? 0 : -1);
}
query.addEventListener("focus", () => { load().catch(() => {}); if (query.value) show(); });
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
  if ((event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) || (event.key === "k" && (event.metaKey || event.ctrlKey))) {
    event.preventDefault();
    query.focus();
    query.select();
  }
});
document.addEventListener("click", (event) => { if (!box.contains(event.target)) close(); });
results.addEventListener("click", (event) => {
  const row = event.target.closest("li");
  if (row) open(row, event.metaKey || event.ctrlKey);
});
