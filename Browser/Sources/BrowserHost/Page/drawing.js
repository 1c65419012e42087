// Draws the app that the server runs for this tab, and reports what the user does. It never parses HTML: elements are
// made one by one, text is set as text, and the few attributes with a meaning to the browser are listed.
//
// The parts of the script are the body of one function, in the order in which Page.swift names them.

const elements = new Map();
const screen = document.getElementById("screen");
const frame = document.getElementById("device-frame");
const state = document.getElementById("state");
const options = new URLSearchParams(location.search);
const allowed = new Set([
    "class",
    "role",
    "tabindex",
    "type",
    "disabled",
    "src",
    "srcdoc",
    "sandbox",
    "alt",
    "lang",
    "dir",
    "draggable",
    "referrerpolicy",
    "value",
    "placeholder",
    "inputmode",
    "autocomplete",
    "autocapitalize",
    "spellcheck",
    "enterkeyhint",
    "min",
    "max",
    "step",
]);
const tags = new Set(["div", "span", "button", "img", "iframe", "header", "h1", "input", "textarea"]);
const newID = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
const tab = sessionStorage.getItem("tab") || newID();
sessionStorage.setItem("tab", tab);
const base = `tabs/${tab}/`;
// Tells this page from others of its tab: from the one before a reload, and from a duplicate.
const pageID = newID();

// ---- Drawing ----
function setAttribute(element, name, value) {
    if (name.startsWith("data-animation-")) return play(element, name, value);
    if (!allowed.has(name) && !name.startsWith("data-") && !name.startsWith("aria-")) return;
    if (value === null) return element.removeAttribute(name);
    if (name === "src" && element.tagName === "IFRAME") {
        if (!/^https?:/i.test(value)) return;
    } else if (name === "src") {
        if (!value.startsWith("image/")) return;
        value = base + value;
    }
    if (name === "data-value") return setText(element, value);
    element.setAttribute(name, value);
    if (name === "data-releases") letSheetGo(element);
    if (name === "data-track" || name === "data-edge") watchFollower(element);
    if (name === "data-focus") element.pendingFocus = value.endsWith(":1");
    if (name === "data-zoom") noteZoom(element, value);
    if (name === "data-offset") element.pendingOffset = Number(value.split(":")[1]);
    if (name === "data-leaving") element.leaving = new Set(value.split(":")[1].split(","));
    if (name === "data-arriving") element.arriving = new Set(value.split(":")[1].split(","));
}

// While a user types, what comes back of it is older than what stands there; another number says that the
// app set it.
function setText(element, value) {
    const [revision] = value.split(":", 1);
    if (element !== document.activeElement || element.revision !== revision)
        element.value = value.slice(revision.length + 1);
    element.revision = revision;
}

function setStyle(element, name, value) {
    if (value === null) return element.style.removeProperty(name);
    element.style.setProperty(name, name === "--image" ? value.replace('url("', `url("${base}`) : value);
}

function apply(change) {
    let element = elements.get(change.i);
    if (change.n !== undefined) {
        const old = element;
        element = document.createElement(tags.has(change.n) ? change.n : "div");
        element.dataset.id = change.i;
        elements.set(change.i, element);
        if (old) old.replaceWith(element);
        if (element.tagName === "IFRAME") element.addEventListener("load", () => report({ i: change.i, k: "loaded" }));
    }
    if (!element) return;
    // An animation starts from what is shown: the browser must have taken that in before anything changes.
    if (change.s?.transition && change.n === undefined) {
        void element.offsetWidth;
        element.style.setProperty("transition", change.s.transition);
    }
    for (const [name, value] of Object.entries(change.a || {})) setAttribute(element, name, value);
    // What goes goes first: a shorthand that comes sets the same sides.
    const styles = Object.entries(change.s || {});
    for (const [name, value] of styles) if (value === null) setStyle(element, name, value);
    for (const [name, value] of styles) if (value !== null) setStyle(element, name, value);
    if (change.t !== undefined && change.c === undefined) element.textContent = change.t;
}

function arrange(change) {
    const element = elements.get(change.i);
    if (!element || change.c === undefined) return;
    const wanted = change.c.map((id) => elements.get(id)).filter(Boolean);
    const keep = new Set(wanted);
    for (const child of Array.from(element.childNodes)) {
        if (!keep.has(child) && !child.isLeaving) remove(child, element);
    }
    const known = new Set(element.childNodes);
    const skip = (node) => {
        while (node?.isLeaving) node = node.nextSibling;
        return node;
    };
    let next = skip(element.firstChild);
    for (const child of wanted) {
        if (next === child) next = skip(next.nextSibling);
        else element.insertBefore(child, next || null);
        if (!known.has(child) && element.arriving?.delete(child.dataset.id)) arrive(child);
    }
}

// ---- Elements that move through values ----
const isStill = matchMedia("(prefers-reduced-motion: reduce)");
const movable = new Set([
    "opacity",
    "transform",
    "translate",
    "scale",
    "rotate",
    "backgroundColor",
    "borderRadius",
    "left",
    "top",
    "width",
    "height",
]);
function play(element, name, text) {
    element.playing ||= new Map();
    element.playing.get(name)?.cancel();
    element.playing.delete(name);
    if (text === null || isStill.matches) return;
    const { p, v, o, e, t, d, w, n, a, f, c, r } = JSON.parse(text);
    if (!movable.has(p)) return;
    const frames = v.map((value, index) => ({ [p]: value, offset: o[index], easing: e[index] || "linear" }));
    const timing = { duration: d, delay: w, iterations: n ?? Infinity, easing: t, fill: f };
    if (a) timing.direction = "alternate";
    const animation = element.animate(frames, timing);
    element.playing.set(name, animation);
    if (c === undefined) return;
    // The user steers it, or has let it go on from there, or back.
    if (r) animation.playbackRate = r;
    else animation.pause();
    animation.currentTime = c;
}

// ---- Rows that leave and arrive ----
const timing = { duration: 300, easing: "ease-in-out" };
function remove(child, parent) {
    if (!parent.leaving?.delete(child.dataset.id) || isStill.matches) return child.remove();
    child.isLeaving = true;
    child.classList.add("leaving");
    const frames = [
        { height: `${child.offsetHeight}px`, opacity: 1 },
        { height: "0px", opacity: 0 },
    ];
    child.animate(frames, { ...timing, fill: "forwards" }).onfinish = () => child.remove();
}

function arrive(child) {
    if (isStill.matches) return;
    const animation = child.animate(
        [
            { height: "0px", opacity: 0 },
            { height: `${child.offsetHeight}px`, opacity: 1 },
        ],
        timing,
    );
    child.isArriving = true;
    animation.onfinish = () => {
        child.isArriving = false;
        measureSoon();
    };
}

// ---- Cells that show something else are new elements, and take the focus that was in the ones before ----
function wayTo(element) {
    const way = [];
    for (let next = element; next && next !== screen && screen.contains(next); next = next.parentElement)
        way.push([next.dataset.id, Array.from(next.parentElement.children).indexOf(next)]);
    return way;
}

function heir(way) {
    for (const [depth, [id]] of way.entries()) {
        let element = id && screen.querySelector(`[data-replaces="${CSS.escape(id)}"]`);
        if (!element) continue;
        for (const [, index] of way.slice(0, depth).reverse()) element = element?.children[index];
        return element;
    }
    return null;
}

function update(message) {
    const focused = document.activeElement;
    const way = wayTo(focused);
    if (message.displaced) return leave();
    if (message.reset) {
        elements.clear();
        screen.replaceChildren();
    }
    if (message.diff) {
        message.diff.p.forEach(apply);
        message.diff.p.forEach(arrange);
        message.diff.d.forEach((id) => elements.delete(id));
    }
    if (message.root) screen.append(elements.get(message.root));
    const hasMoved = settleModals(focused);
    for (const element of screen.querySelectorAll("[data-focus]")) {
        if (element.pendingFocus === true) element.focus();
        if (element.pendingFocus === false) element.blur();
        element.pendingFocus = undefined;
    }
    const isLost = focused && focused.isConnected && focused !== document.activeElement;
    if (isLost && !hasMoved && focused.pendingFocus === undefined) focused.focus({ preventScroll: true });
    if (way.length > 0 && !focused.isConnected && document.activeElement === document.body)
        heir(way)?.focus({ preventScroll: true });
    const root = screen.firstElementChild;
    if (root) frame.style.setProperty("color-scheme", root.style.getPropertyValue("color-scheme"));
    if (message.announce) announce(message.announce);
    // Browsers that want to be asked by a tap first, or not at all, refuse.
    if (message.copy) navigator.clipboard?.writeText(message.copy).catch(() => {});
    if (message.open) window.open(message.open, "_blank", "noopener,noreferrer");
    for (const element of scrollers()) {
        if (element.pendingOffset !== undefined) moveTo(element, element.pendingOffset);
        element.pendingOffset = undefined;
        if (element.pendingZoom) settleZoom(element);
        if (!element.isWatched) watch(element);
    }
    // A bar over what does not scroll has nothing below it.
    for (const navigation of screen.querySelectorAll(".navigation")) {
        if (navigation.querySelector(navigation.matches(".under") ? "[data-lead]" : "[data-scroll]")) continue;
        navigation.classList.remove("scrolled", "collapsed");
        navigation.style.removeProperty("--lift");
    }
    for (const tabs of screen.querySelectorAll(".tabs.covering")) {
        if (!tabs.querySelector("[data-trail]")) tabs.classList.remove("covering");
    }
    measureSoon();
    document.body.dataset.messages = String(Number(document.body.dataset.messages || 0) + 1);
}
