"use strict";
// Draws the app that the server runs for this tab, and reports what the user does. It never parses HTML: elements are
// made one by one, text is set as text, and the few attributes with a meaning to the browser are listed.
(() => {
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

    // While somebody types, what comes back of it is older than what stands there; another number says that the
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
            if (element.tagName === "IFRAME")
                element.addEventListener("load", () => report({ i: change.i, k: "loaded" }));
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

    // ---- What is presented keeps the focus, and gives it back to what had it ----
    let modals = [];
    function settleModals(focused) {
        const shown = Array.from(screen.querySelectorAll(".window > * > [aria-modal=true]"));
        const top = shown.at(-1);
        let isBehind = Boolean(top);
        for (const layer of screen.querySelector(".window")?.children || []) {
            if (layer.contains(top || null)) isBehind = false;
            layer.inert = isBehind;
        }
        const gone = modals.find((modal) => !shown.includes(modal.element));
        modals = modals.filter((modal) => shown.includes(modal.element));
        const known = modals.length;
        const previous = gone?.back || (focused !== document.body ? focused : null);
        for (const element of shown) {
            if (modals.some((modal) => modal.element === element)) continue;
            modals.push({ element, back: element.contains(previous) ? null : previous });
        }
        if (modals.length > known) {
            top.tabIndex = -1;
            top.focus({ preventScroll: true });
            return true;
        }
        if (!gone?.back?.isConnected) return false;
        gone.back.focus({ preventScroll: true });
        return true;
    }

    const reachable = "a[href], button, input, textarea, iframe, [tabindex]";
    addEventListener("keydown", (event) => {
        const modal = modals.at(-1)?.element;
        if (event.key !== "Tab" || !modal?.isConnected) return;
        const now = document.activeElement;
        if (now !== document.body && !screen.contains(now)) return;
        const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
        const found = Array.from(modal.querySelectorAll(reachable)).filter(
            (element) => element.tabIndex >= 0 && !element.disabled && isShown(element),
        );
        const [end, start] = event.shiftKey ? [found[0], found.at(-1)] : [found.at(-1), found[0]];
        const isInside = modal.contains(now) && now !== modal;
        if (found.length > 0 && isInside && now !== end) return;
        event.preventDefault();
        (start || modal).focus();
    });

    // ---- Keys that the app has commands for ----
    const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
    addEventListener("keydown", (event) => {
        const root = screen.querySelector(".window[data-keys]");
        if (!root || event.isComposing || event.defaultPrevented) return;
        const [command, control] = isApple ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
        const held = (command ? "c" : "") + (control ? "t" : "") + (event.altKey ? "a" : "");
        const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toLowerCase() : event.key;
        // What is typed with Shift is another character, unless it is a letter.
        const isOther = key.length === 1 && key.toUpperCase() === key;
        const names = event.shiftKey ? [`${held}s-${key}`] : [];
        if (!event.shiftKey || isOther) names.push(`${held}-${key}`);
        const isTyping = event.target.matches?.("input, textarea") && !command && !control && key !== "Escape";
        const known = root.dataset.keys.split(" ");
        const wanted = names.flatMap((name) => (isTyping ? [`!${name}`] : [name, `!${name}`]));
        const found = wanted.find((name) => known.includes(name));
        if (!found) return;
        event.preventDefault();
        report({ i: root.dataset.id, k: "key", t: found });
    });

    // A new element is read aloud even where its text is that of the one before.
    function announce(text) {
        const line = document.createElement("p");
        line.textContent = text;
        document.getElementById("announcements").replaceChildren(line);
    }

    // ---- Reporting ----
    let queue = [];
    let isSending = false;
    function report(event) {
        if (event.k === "scroll") queue = queue.filter((other) => other.k !== "scroll" || other.i !== event.i);
        if (event.k === "touch" && !event.b)
            queue = queue.filter((other) => other.k !== "touch" || other.i !== event.i || other.b);
        if (event.k === "zoom" && !event.t)
            queue = queue.filter((other) => other.k !== "zoom" || other.i !== event.i || other.t);
        if (event.k === "finger") queue = queue.filter((other) => other.k !== "finger" || other.p !== "moved");
        queue.push(event);
        send();
    }

    async function send(extra) {
        if (extra) queue.unshift(extra);
        if (isSending || queue.length === 0) return;
        isSending = true;
        document.body.dataset.sending = "";
        const sent = queue;
        queue = [];
        const environment = sent.filter((item) => item.environment).pop();
        const body = { events: sent.filter((item) => item.k) };
        if (environment) body.environment = environment.environment;
        try {
            await fetch(base + "events", {
                method: "POST",
                body: JSON.stringify(body),
                headers: { "Content-Type": "application/json" },
            });
        } catch {
            /* The stream notices too, and asks for everything when it is back. */
        }
        isSending = false;
        delete document.body.dataset.sending;
        send();
    }

    // ---- Scrolling: where each list is, and how high its rows are ----
    const scrollers = () => screen.querySelectorAll("[data-scroll]");
    const known = new WeakMap();
    const sizes = new ResizeObserver(measureSoon);
    function watch(element) {
        element.isWatched = true;
        element.addEventListener("scroll", measureSoon, { passive: true });
        element.addEventListener("scroll", noteScrolling, { passive: true });
        sizes.observe(element);
        if (element.firstElementChild) sizes.observe(element.lastElementChild);
    }

    function moveTo(element, offset) {
        const before = element.scrollTop;
        element.scrollTop = offset;
        if (element.scrollTop !== before) element.isMovedByApp = true;
    }

    // Who scrolls is told by what came before: content that becomes shorter moves by itself.
    let lastInput = -Infinity;
    for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"])
        addEventListener(kind, () => (lastInput = performance.now()), { passive: true, capture: true });

    function noteScrolling({ target: element }) {
        const phase = (name) => report({ i: element.dataset.id, k: "scrolling", t: name });
        if (!element.isScrolling && !element.isMovedByApp && performance.now() - lastInput < 500) {
            element.isScrolling = true;
            phase("b");
        }
        clearTimeout(element.restTimer);
        if (!element.isScrolling && !element.isMovedByApp) return;
        element.restTimer = setTimeout(() => {
            element.isScrolling = element.isMovedByApp = false;
            if (!element.isConnected) return;
            measure(element);
            phase("e");
        }, 150);
    }

    // ---- Two fingers, or a wheel with Control, that change the scale of what scrolls ----
    // What is at their place stays there; the app may want another point in the middle.
    function noteZoom(element, value) {
        const [least, greatest, scale, number, x, y] = value.split(" ").map(Number);
        const before = element.zoom;
        element.zoom = { least, greatest, scale, number };
        if (!before) watchZoom(element);
        // Two fingers are for what is zoomed, and not for the page around it.
        element.style.touchAction = least < greatest ? "pan-x pan-y" : "";
        const isWanted = number !== undefined && number !== before?.number;
        const ratio = before ? scale / before.scale : 1;
        if (isWanted || ratio !== 1) element.pendingZoom = { ratio, scale, center: isWanted ? [x, y] : null };
    }

    function settleZoom(element) {
        const { ratio, scale, center } = element.pendingZoom;
        const half = [element.clientWidth / 2, element.clientHeight / 2];
        const [x, y] = center ? half : element.zoomPlace || half;
        element.pendingZoom = undefined;
        element.isMovedByApp = true;
        element.scrollLeft = center ? center[0] * scale - x : (element.scrollLeft + x) * ratio - x;
        element.scrollTop = center ? center[1] * scale - y : (element.scrollTop + y) * ratio - y;
    }

    function wantScale(element, scale, x, y, phase) {
        const { left, top } = element.getBoundingClientRect();
        const { least, greatest } = element.zoom;
        element.zoomPlace = [x - left, y - top];
        clearTimeout(element.zoomRest);
        // The app's answers to the last steps come after the fingers have left.
        const forget = () => (element.zoomPlace = undefined);
        if (phase === "e") element.zoomRest = setTimeout(forget, 1000);
        const event = { i: element.dataset.id, k: "zoom", s: Math.min(Math.max(scale, least), greatest) };
        report(phase ? { ...event, t: phase } : event);
    }

    function watchZoom(element) {
        let pinch = null;
        const isFixed = () => element.zoom.least >= element.zoom.greatest;
        const follow = ({ touches: [one, other] }, phase) => {
            const [x, y] = [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2];
            const spread = Math.max(Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY), 1);
            pinch ||= { spread, from: element.zoom.scale };
            pinch.scale = (pinch.from * spread) / pinch.spread;
            pinch.place = [x, y];
            wantScale(element, pinch.scale, x, y, phase);
        };
        element.addEventListener("touchstart", (event) => {
            if (event.touches.length !== 2 || isFixed()) return;
            drag = null;
            follow(event, "b");
        });
        element.addEventListener(
            "touchmove",
            (event) => {
                if (!pinch || event.touches.length < 2) return;
                event.preventDefault();
                follow(event);
            },
            { passive: false },
        );
        const end = (event) => {
            if (!pinch || event.touches.length > 1) return;
            wantScale(element, pinch.scale, ...pinch.place, "e");
            pinch = null;
        };
        element.addEventListener("touchend", end);
        element.addEventListener("touchcancel", end);
        let rest = 0;
        let wheeled = null;
        element.addEventListener(
            "wheel",
            (event) => {
                if (!event.ctrlKey || isFixed()) return;
                event.preventDefault();
                const [x, y] = [event.clientX, event.clientY];
                const { least, greatest, scale } = element.zoom;
                // Steps add up, although the app hasn't answered to those before.
                const next = (wheeled ?? scale) * Math.exp(-event.deltaY / 100);
                wheeled = Math.min(Math.max(next, least), greatest);
                wantScale(element, wheeled, x, y);
                clearTimeout(rest);
                rest = setTimeout(() => {
                    wantScale(element, wheeled, x, y, "e");
                    wheeled = null;
                }, 200);
            },
            { passive: false },
        );
    }

    let isMeasuring = false;
    function measureSoon() {
        if (isMeasuring) return;
        isMeasuring = true;
        requestAnimationFrame(() => {
            isMeasuring = false;
            scrollers().forEach(measure);
        });
    }

    function measure(element) {
        const rows = {};
        const widths = {};
        let text = "";
        const measured =
            ":scope > .rows > .cell:not(.leaving), :scope > .content > .measured, " +
            ":scope > .sections > .section > .rows > .cell:not(.leaving), " +
            ":scope > .sections > .section > .section-edge.v, " +
            ":scope > .content > .across > .measured";
        for (const cell of element.querySelectorAll(measured)) {
            if (cell.isArriving) continue;
            const box = cell.getBoundingClientRect();
            const height = Math.round(box.height * 100) / 100;
            rows[cell.dataset.id] = height;
            text += cell.dataset.id + height;
            if (!cell.matches(".fitted")) continue;
            widths[cell.dataset.id] = Math.round(box.width * 100) / 100;
            text += `,${widths[cell.dataset.id]}`;
        }
        const refresh = element.querySelector(":scope > .refresh");
        const shift = refresh ? refresh.offsetHeight : 0;
        const header = element.querySelector(":scope > .table-header")?.offsetHeight || 0;
        const event = {
            i: element.dataset.id,
            k: "scroll",
            y: Math.max(element.scrollTop - shift, 0),
            w: element.clientWidth,
            h: element.clientHeight,
            c: element.scrollHeight,
            r: rows,
        };
        if (header) event.a = header;
        if (Object.keys(widths).length > 0) event.b = widths;
        text += [event.y, event.w, event.h, event.c, header].join();
        moveBars(element);
        if (known.get(element) === text) return;
        known.set(element, text);
        report(event);
    }

    // A bar is clear until something is below it, and a large title goes up with the list that begins there.
    function moveBars(element) {
        const navigation = element.closest(".navigation");
        const lead = element.dataset.lead;
        if (navigation && (lead !== undefined || !navigation.matches(".under"))) {
            const title = Number(lead || 0);
            const lift = Math.min(Math.max(element.scrollTop, 0), title);
            if (lift) navigation.style.setProperty("--lift", `${lift}px`);
            else navigation.style.removeProperty("--lift");
            element.style.setProperty("--lift", `${lift}px`);
            navigation.classList.toggle("collapsed", lift > 0 && lift > title - 8);
            navigation.classList.toggle("scrolled", element.scrollTop > title + 1);
        }
        if (element.dataset.trail === undefined) return;
        const left = element.scrollHeight - element.clientHeight - element.scrollTop;
        element.closest(".tabs")?.classList.toggle("covering", left > 1);
    }

    // ---- Taps, swipes and pulls ----
    let drag = null;
    let suppressClick = false;
    const isRTL = () => screen.dir === "rtl";

    screen.addEventListener("click", (event) => {
        if (suppressClick && event.detail !== 0) return event.preventDefault();
        // What lies around a sheet dismisses it, where the app lets it.
        if (event.target.dataset.beside) return report({ i: event.target.dataset.beside, k: "tap" });
        if (event.target.closest("[data-reorder]")) return;
        const target = event.target.closest("[data-tap], [data-refresh]");
        // What a row's control beside its content would do is asked about first, by the button that a swipe uncovers.
        const control = event.target.closest("[data-uncover]");
        if (control) return void control.closest(".cell")?.classList.toggle("open");
        const open = openRow();
        if (open && !event.target.closest(".swipe")) {
            close(open);
            if (open.contains(event.target)) return;
        }
        if (!target) return;
        const tap = { i: target.dataset.id, k: target.dataset.refresh === undefined ? "tap" : "refresh" };
        report(event.detail === 0 ? tap : { ...tap, ...place(event, target), n: event.detail });
    });

    // What a finger met, so that the app can tell a touch beside what it shows; keys and assistive devices have
    // no place.
    function place(event, target) {
        const box = target.getBoundingClientRect();
        return {
            e: event.target.closest("[data-id]").dataset.id,
            x: event.clientX - box.left,
            y: event.clientY - box.top,
        };
    }

    screen.addEventListener("keydown", (event) => {
        const target = event.target;
        if (target.tagName === "INPUT" && event.key === "Enter" && !event.isComposing && isText(target)) {
            event.preventDefault();
            report({ i: target.dataset.id, k: "return", t: target.value });
        }
        if (target.dataset.reorder !== undefined && ["ArrowUp", "ArrowDown"].includes(event.key)) {
            event.preventDefault();
            stepRow(target, event.key === "ArrowDown" ? 1 : -1);
        }
        if (target.matches("button, input, textarea")) return;
        if ((event.key === "Enter" || event.key === " ") && target.dataset.tap !== undefined) {
            event.preventDefault();
            target.click();
        }
        if (event.key === "Delete" || event.key === "Backspace") {
            const cell = target.closest(".cell");
            const [action] = cell ? actionsOf(cell, false) : [];
            if (action) report({ i: action.dataset.id, k: "tap" });
        }
    });

    screen.addEventListener("pointerdown", (event) => {
        suppressClick = false;
        // Any touch beside an open row closes it. In the list it does nothing else; bars and tabs take it as ever.
        const open = openRow();
        if (open && !open.contains(event.target)) {
            close(open);
            if (event.target.closest(".scroller") === open.closest(".scroller")) suppressClick = true;
        }
        if (event.button !== 0 || event.target.closest(".swipe") || event.target.type === "range") return;
        const mover = event.target.closest("[data-reorder]");
        if (mover) return void (drag = liftRow(mover, event.clientX, event.clientY));
        const held = event.target.closest("[data-hold]");
        if (held) hold(held, event.clientX, event.clientY);
        const edge = edgeBelow(event);
        const control = edge || event.target.closest("[data-track]");
        const list = event.target.closest(".scroller, .scroll");
        const cell = control ? null : event.target.closest(".cell:is([data-swipe], [data-swipe-leading])");
        drag = {
            control,
            isEdge: Boolean(edge),
            isTouch: event.pointerType === "touch",
            began: performance.now(),
            x: event.clientX,
            y: event.clientY,
            cell,
            wasOpen: cell === openRow() && cell !== null,
            isLeading: cell?.classList.contains("open-leading"),
            list,
            sheet: event.target.closest("input, textarea") ? null : event.target.closest("[data-sheet]"),
            dx: 0,
            dy: 0,
            atTop: list && list.scrollTop <= 0,
            refresh: list?.querySelector(":scope > .refresh"),
            mode: null,
        };
    });

    // What a finger from the edge of the screen leads back in.
    function edgeBelow(event) {
        const { left, right } = screen.getBoundingClientRect();
        const way = isRTL() ? right - event.clientX : event.clientX - left;
        return way <= 24 ? event.target.closest("[data-edge]") : null;
    }

    // What follows a finger leaves it to the list around it, where the app says so: before the finger has rested for a
    // moment, or whenever it moves up or down. A list inside of it scrolls first. The browser scrolls by itself then.
    function leavesToList({ control, list, refresh, isEdge, isTouch, began, mode, dx, dy }) {
        if (isEdge) return !mode && (isRTL() ? -dx : dx) <= Math.abs(dy);
        const way = control.dataset.track;
        const isLevel = Math.abs(dy) < Math.abs(dx);
        const scrolls = list && (list.scrollHeight > list.clientHeight || Boolean(refresh));
        if (!isTouch || mode) return false;
        if (list && control.contains(list)) return scrolls && !isLevel;
        if (way === "upright") return isLevel;
        if (!way || isLevel || !scrolls) return false;
        return way === "level" || performance.now() - began < 150;
    }

    function watchFollower(element) {
        if (element.isFollowing) return;
        element.isFollowing = true;
        const keep = (event) => {
            if (!event.cancelable) return;
            if (held?.isTold) return event.preventDefault();
            if (drag?.control !== element) return;
            const [{ clientX, clientY }] = event.touches;
            if (!leavesToList({ ...drag, dx: clientX - drag.x, dy: clientY - drag.y })) event.preventDefault();
        };
        element.addEventListener("touchmove", keep, { passive: false });
    }

    // A finger that stays where it is; once it has stayed long enough, it is no tap, and moves nothing.
    let held = null;
    function hold(control, x, y) {
        if (held) release();
        const wait = setTimeout(() => {
            held.isTold = true;
            drag = null;
            touch("moved", x, y, true, held);
        }, Number(control.dataset.hold));
        held = { control, x, y, wait, last: [x, y], kind: "hold" };
    }

    function moveHeld(x, y) {
        if (!held) return false;
        held.last = [x, y];
        if (held.isTold) touch("moved", x, y, false, held);
        else if (Math.hypot(x - held.x, y - held.y) > 10) release();
        return Boolean(held?.isTold);
    }

    function release() {
        const { isTold, wait, last } = held;
        clearTimeout(wait);
        if (isTold) {
            touch("ended", ...last, false, held);
            suppressClick = true;
            setTimeout(() => {
                suppressClick = false;
            }, 0);
        }
        held = null;
    }

    // A swipe towards the start of the text uncovers what is at the end of the row, and the other way around.
    const openRow = () => screen.querySelector(".cell:is(.open, .open-leading)");
    const close = (cell) => cell.classList.remove("open", "open-leading");
    const actionsOf = (cell, isLeading) =>
        Array.from(cell.querySelectorAll(`:scope > .swipe${isLeading ? ".leading" : ":not(.leading)"}`));

    // How far a row is uncovered.
    function uncovered({ cell, dx, wasOpen, isLeading }) {
        const way = isRTL() === Boolean(isLeading) ? -dx : dx;
        return way + (wasOpen ? 82 * actionsOf(cell, isLeading).length : 0);
    }

    const isFullSwipe = ({ cell, isLeading }, way) =>
        (isLeading ? cell.dataset.swipeLeading : cell.dataset.swipe) === "full" && way > cell.clientWidth * 0.55;

    // The actions are as wide as what the row has left free, from the first point on; in the way of a full swipe the
    // first takes all of it, and its text goes along.
    function pull(drag) {
        const { cell, isLeading } = drag;
        const shift = Math.max(uncovered(drag), 0);
        const actions = actionsOf(cell, isLeading);
        const isFull = isFullSwipe(drag, shift);
        cell.classList.add(isLeading ? "dragging-leading" : "dragging");
        cell.classList.toggle("full", isFull);
        const content = isRTL() === Boolean(isLeading) ? -shift : shift;
        cell.querySelector(".cell-content").style.setProperty("translate", `${content}px`);
        for (const [index, action] of actions.entries()) {
            const width = isFull ? (index ? 0 : shift) : shift / actions.length;
            action.style.setProperty("width", `${width}px`);
            action.style.setProperty("--start", `${isFull ? 0 : width * index}px`);
        }
    }

    function letGo({ cell, isLeading }) {
        cell.classList.remove("dragging", "dragging-leading", "full");
        cell.querySelector(".cell-content").style.removeProperty("translate");
        for (const action of actionsOf(cell, isLeading)) {
            action.style.removeProperty("width");
            action.style.removeProperty("--start");
        }
    }

    // ---- Rows that the user moves, by a finger or the arrow keys ----
    const rowsAround = (row) =>
        Array.from(row.closest(".scroller, .scroll").querySelectorAll(":is(.rows, .content) > :is(.cell, .list-row)"))
            .filter((element) => !element.isLeaving)
            .map((element) => ({ element, box: element.getBoundingClientRect() }))
            .sort((one, other) => one.box.top - other.box.top);

    function liftRow(mover, x, y) {
        const row = mover.closest(".cell, .list-row");
        if (!row) return null;
        const rows = rowsAround(row);
        const from = rows.findIndex(({ element }) => element === row);
        const list = row.closest(".scroller, .scroll");
        const { scrollTop: top, scrollHeight, clientHeight } = list;
        return { mover, row, rows, from, to: from, x, y, dx: 0, dy: 0, list, top, most: scrollHeight - clientHeight };
    }

    // While a row is held near an edge of its list, that scrolls, the faster the nearer; not so far that the app would
    // take the row off the page.
    function scrollForRow() {
        if (drag?.mode !== "reorder") return;
        const { list, top, most, row, pointerY } = drag;
        const step = rowScrollStep(list.getBoundingClientRect(), pointerY, list.scrollTop - top);
        if (step !== 0) {
            const before = list.scrollTop;
            // A row that is held below the last one makes what scrolls higher.
            list.scrollTop = Math.min(list.scrollTop + step, most);
            if (list.scrollTop !== before) {
                takeInRows(drag);
                drag.dy = pointerY - drag.y + list.scrollTop - top;
                moveRow(drag);
            }
        }
        if (row.isConnected) requestAnimationFrame(scrollForRow);
    }

    function rowScrollStep({ top, bottom }, y, scrolled) {
        const reach = Math.min(60, (bottom - top) / 4);
        const way = y < top + reach ? y - top - reach : y > bottom - reach ? y - bottom + reach : 0;
        const step = Math.max(-12, Math.min(12, way / 5));
        return Math.abs(scrolled + step) > 300 ? 0 : step;
    }

    // Scrolling brings rows and takes rows. Their places are those from before it, as those of all others.
    function takeInRows(drag) {
        const known = new Set(drag.rows.map(({ element }) => element));
        const scrolled = drag.list.scrollTop - drag.top;
        const come = rowsAround(drag.row).filter(({ element }) => !known.has(element));
        const moved = come.map(({ element, box }) => ({
            element,
            box: { top: box.top + scrolled, height: box.height },
        }));
        drag.rows = [...drag.rows.filter(({ element }) => element.isConnected), ...moved].sort(
            (one, other) => one.box.top - other.box.top,
        );
        drag.from = drag.rows.findIndex(({ element }) => element === drag.row);
    }

    // The rows that the middle of the dragged one has passed make room; the app moves it once the finger has left.
    function moveRow(drag) {
        const { row, rows, from, dy } = drag;
        if (!rows[from]) return;
        const own = rows[from].box;
        const middle = (box) => box.top + box.height / 2;
        const others = rows.filter((_, index) => index !== from);
        drag.to = others.filter(({ box }) => middle(box) < middle(own) + dy).length;
        row.classList.add("lifted");
        row.style.translate = `0 ${dy}px`;
        for (const [index, { element }] of others.entries()) {
            const isAbove = index < from;
            const isPassed = isAbove ? index >= drag.to : index < drag.to;
            element.classList.add("making-room");
            element.style.translate = isPassed ? `0 ${isAbove ? own.height : -own.height}px` : "";
        }
    }

    function dropRow({ mover, rows, from, to }) {
        for (const { element } of rows) {
            element.classList.remove("lifted", "making-room");
            element.style.removeProperty("translate");
        }
        reportMove(mover, rows, from, to);
    }

    // Upwards, a row comes before the last that it has passed, and downwards after it.
    function reportMove(mover, rows, from, to) {
        if (to === from || !rows[to]) return;
        report({ i: mover.dataset.id, k: "reorder", t: rows[to].element.dataset.id, f: to > from });
    }

    function stepRow(mover, step) {
        const lifted = liftRow(mover, 0, 0);
        if (lifted) reportMove(mover, lifted.rows, lifted.from, lifted.from + step);
    }

    // A sheet follows the finger, unless that scrolls what is in it. The app says where it goes from there.
    function movesSheet({ sheet, list, atTop, dx, dy }) {
        if (!sheet || Math.abs(dy) < 10 || Math.abs(dy) <= Math.abs(dx)) return false;
        return !list || !sheet.contains(list) || (atTop && dy > 0);
    }

    function pullSheet(drag, y) {
        const { sheet, dy } = drag;
        const now = performance.now();
        if (now > drag.time) drag.speed = ((y - drag.lastY) / (now - drag.time)) * 1000;
        drag.time = now;
        drag.lastY = y;
        if (!sheet.isPulled) {
            sheet.isPulled = true;
            sheet.ownHeight = sheet.style.height;
            sheet.fullHeight = sheet.offsetHeight;
        }
        sheet.classList.add("pulled");
        sheet.style.setProperty("--pull", `${Math.max(dy, 0)}px`);
        if (sheet.matches(".resting")) sheet.style.height = `${sheet.fullHeight + Math.max(-dy, 0)}px`;
    }

    function releaseSheet({ sheet, speed = 0, time }) {
        const height = screen.getBoundingClientRect().bottom - sheet.getBoundingClientRect().top;
        const isResting = performance.now() - time > 100;
        report({ i: sheet.dataset.sheet, k: "release", h: height, v: isResting ? 0 : -speed });
    }

    function letSheetGo(sheet) {
        if (!sheet.isPulled) return;
        sheet.isPulled = false;
        sheet.classList.remove("pulled");
        sheet.style.removeProperty("--pull");
        sheet.style.height = sheet.ownHeight;
    }

    function move(x, y) {
        if (moveHeld(x, y) || !drag) return;
        drag.dx = x - drag.x;
        drag.dy = y - drag.y;
        if (drag.mover) {
            drag.pointerY = y;
            drag.dy += drag.list.scrollTop - drag.top;
            if (!drag.mode && Math.abs(drag.dy) > 4) {
                drag.mode = "reorder";
                requestAnimationFrame(scrollForRow);
            }
            if (drag.mode) moveRow(drag);
            return;
        }
        if (drag.control) return follow(x, y);
        if (!drag.mode && drag.cell && Math.abs(drag.dx) > 10 && Math.abs(drag.dx) > Math.abs(drag.dy)) {
            if (!drag.wasOpen) drag.isLeading = drag.dx > 0 !== isRTL();
            if (actionsOf(drag.cell, drag.isLeading).length > 0) drag.mode = "swipe";
        }
        if (!drag.mode && drag.refresh && drag.atTop && drag.dy > 10 && drag.dy > Math.abs(drag.dx)) drag.mode = "pull";
        if (!drag.mode && movesSheet(drag)) drag.mode = "sheet";
        if (drag.mode === "sheet") {
            pullSheet(drag, y);
        } else if (drag.mode === "swipe") {
            pull(drag);
        } else if (drag.mode === "pull" && !drag.refresh.classList.contains("active")) {
            drag.refresh.classList.add("pulling");
            drag.refresh.style.setProperty("height", `${Math.min(drag.dy / 2, 80)}px`);
        }
    }

    // A control that is dragged hears of each step, in the coordinates of the window.
    function touch(phase, x, y, isFirst, from = drag) {
        const origin = screen.getBoundingClientRect();
        const event = {
            i: from.control.dataset.id,
            k: from.kind || "touch",
            p: phase,
            sx: from.x - origin.x,
            sy: from.y - origin.y,
            x: x - origin.x,
            y: y - origin.y,
        };
        if (isFirst) event.b = true;
        if (isFirst && event.k === "touch") event.o = places();
        report(event);
    }

    function follow(x, y) {
        drag.last = [x, y];
        if (drag.mode) return touch("moved", x, y);
        if (Math.hypot(drag.dx, drag.dy) < 8) return;
        if (leavesToList(drag)) return void (drag.control = null);
        drag.mode = "track";
        touch("moved", x, y, true);
    }

    // The browser has taken the finger for scrolling, or for something of its own.
    function takeBack() {
        if (drag?.mover) drag.to = drag.from;
        if (!drag?.control) return;
        if (drag.mode === "track") touch("cancelled", ...drag.last);
        drag = null;
    }

    function drop() {
        if (held) release();
        // A finger that has moved did not tap, whether the move meant something or not.
        if (drag?.mode || Math.hypot(drag?.dx || 0, drag?.dy || 0) > 10) {
            suppressClick = true;
            setTimeout(() => {
                suppressClick = false;
            }, 0);
        }
        if (!drag || !drag.mode) return void (drag = null);
        if (drag.mode === "track") {
            touch("ended", ...drag.last);
        } else if (drag.mode === "reorder") {
            dropRow(drag);
        } else if (drag.mode === "sheet") {
            releaseSheet(drag);
        } else if (drag.mode === "swipe") {
            const way = uncovered(drag);
            const isFull = isFullSwipe(drag, way);
            letGo(drag);
            drag.cell.classList.toggle(drag.isLeading ? "open-leading" : "open", !isFull && way > 40);
            const [first] = actionsOf(drag.cell, drag.isLeading);
            if (isFull && first) report({ i: first.dataset.id, k: "tap" });
        } else {
            drag.refresh.classList.remove("pulling");
            drag.refresh.style.removeProperty("height");
            if (drag.dy > 110) report({ i: drag.refresh.dataset.id, k: "refresh" });
        }
        drag = null;
    }

    // A finger's pointer events stop when the browser takes the gesture for scrolling; touch events go on.
    screen.addEventListener("pointermove", (event) => {
        if (event.pointerType === "mouse" && event.buttons === 1) move(event.clientX, event.clientY);
    });
    window.addEventListener("pointerup", (event) => {
        if (event.pointerType === "mouse") drop();
    });
    screen.addEventListener("touchmove", (event) => move(event.touches[0].clientX, event.touches[0].clientY), {
        passive: true,
    });
    window.addEventListener("touchend", drop);
    window.addEventListener("touchcancel", () => {
        takeBack();
        drop();
    });
    window.addEventListener("pointercancel", (event) => {
        if (event.isPrimary) takeBack();
    });

    // ---- Fingers, for views that follow touches themselves ----
    // Where a tap may follow, the end waits for it: a view whose tap means a gesture loses the touch to that.
    let finger = null;
    function tellFinger(phase, more = {}) {
        const [x, y] = finger.last;
        report({ i: finger.target, k: "finger", p: phase, x, y, ...more });
        if (phase === "moved" || phase === "began") return;
        clearTimeout(finger.wait);
        finger = null;
    }

    function inScreen(x, y) {
        const edge = screen.getBoundingClientRect();
        return [x - edge.left, y - edge.top].map((length) => Math.round(length * 100) / 100);
    }

    function origins(element) {
        const found = {};
        for (let next = element; next && next !== screen; next = next.parentElement) {
            const box = next.getBoundingClientRect();
            if (next.dataset.id) found[next.dataset.id] = inScreen(box.left, box.top);
        }
        return found;
    }

    // Where each view is; parts of views have a dot in their names.
    function places() {
        const found = {};
        for (const view of Array.from(screen.querySelectorAll('[data-id]:not([data-id*="."])')).slice(0, 4000)) {
            const box = view.getBoundingClientRect();
            found[view.dataset.id] = inScreen(box.left, box.top);
        }
        return found;
    }

    screen.addEventListener("pointerdown", (event) => {
        const target = event.target.closest("[data-id]");
        if (!event.isPrimary || event.button !== 0 || !target) return;
        if (finger) tellFinger(finger.isUp ? "ended" : "cancelled");
        finger = {
            target: target.dataset.id,
            pointer: event.pointerId,
            first: [event.clientX, event.clientY],
            last: inScreen(event.clientX, event.clientY),
            mayTap: Boolean(event.target.closest("[data-tap]")),
        };
        tellFinger("began", { o: origins(target), w: event.pointerType });
    });
    addEventListener("pointermove", (event) => {
        if (finger?.pointer !== event.pointerId || finger.isUp) return;
        finger.last = inScreen(event.clientX, event.clientY);
        if (Math.hypot(event.clientX - finger.first[0], event.clientY - finger.first[1]) > 10) finger.mayTap = false;
        tellFinger("moved");
    });
    addEventListener("pointerup", (event) => {
        if (finger?.pointer !== event.pointerId || finger.isUp) return;
        finger.isUp = true;
        finger.last = inScreen(event.clientX, event.clientY);
        finger.wait = setTimeout(() => tellFinger("ended"), finger.mayTap ? 300 : 0);
    });
    addEventListener("pointercancel", (event) => {
        if (finger?.pointer === event.pointerId && !finger.isUp) tellFinger("cancelled");
    });
    screen.addEventListener("click", () => {
        if (finger?.isUp) tellFinger("ended");
    });

    screen.addEventListener("input", (event) => {
        if (event.target.dataset.id) report({ i: event.target.dataset.id, k: "text", t: event.target.value });
    });
    const isText = (element) => element.matches("textarea, input[type=text], input[type=password]");
    const finish = (element) => report({ i: element.dataset.id, k: "text", t: element.value, f: true });
    screen.addEventListener("change", (event) => {
        if (event.target.dataset.id && !isText(event.target)) finish(event.target);
    });
    screen.addEventListener("focusin", (event) => {
        if (isText(event.target)) report({ i: event.target.dataset.id, k: "focus" });
    });
    screen.addEventListener("focusout", (event) => {
        if (isText(event.target) && document.hasFocus()) finish(event.target);
    });
    // What belongs to a field leaves the cursor in it; a list may end the typing when a finger moves it.
    screen.addEventListener("mousedown", (event) => {
        if (event.target.closest("[data-keeps-focus]")) event.preventDefault();
    });
    screen.addEventListener(
        "touchmove",
        (event) => {
            const focused = document.activeElement;
            if (isText(focused) && event.target.closest("[data-dismiss]")) focused.blur();
        },
        { passive: true },
    );

    // ---- The device ----
    const devices = { phone: [390, 844, 47, 34], small: [320, 568, 20, 0], tablet: [834, 1112, 24, 20] };
    // On a phone the browser's window is the device: no frame, and no tools beside it.
    const isPhone = matchMedia("(max-width: 500px), (max-height: 500px) and (pointer: coarse)");
    const settings = {
        device: options.get("device") || "phone",
        rotated: options.has("rotated"),
        appearance: options.get("appearance") || "auto",
        text: Number(options.get("text") || 3),
        rtl: options.has("rtl"),
        bare: options.has("bare") || isPhone.matches,
        language: options.get("language"),
    };
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const contrast = matchMedia("(prefers-contrast: more)");

    // What the device itself covers of the window: the style sheet has it from the browser.
    const inset = (side) => parseFloat(getComputedStyle(document.body).getPropertyValue(`padding-${side}`)) || 0;

    // A keyboard on the screen leaves less of the page to be seen; so does zooming.
    function keyboardHeight() {
        const seen = window.visualViewport;
        return seen && seen.scale <= 1.01 ? Math.max(Math.round(innerHeight - seen.height), 0) : 0;
    }

    function environment() {
        const [width, height, top, bottom] = devices[settings.device] || devices.phone;
        const size = settings.bare ? [innerWidth, innerHeight] : settings.rotated ? [height, width] : [width, height];
        const isLandscape = settings.rotated && settings.device === "phone";
        return {
            width: size[0],
            height: size[1],
            scale: devicePixelRatio || 1,
            rtl: settings.rtl,
            text: settings.text,
            dark: settings.appearance === "auto" ? dark.matches : settings.appearance === "dark",
            contrast: contrast.matches,
            language: settings.language || navigator.language,
            top: settings.bare ? inset("top") : isLandscape ? 0 : top,
            bottom: settings.bare ? inset("bottom") : bottom,
            keyboard: settings.bare ? keyboardHeight() : 0,
            hidden: document.hidden,
        };
    }

    function layOut() {
        document.body.classList.toggle("bare", settings.bare);
        const now = environment();
        frame.classList.toggle("tablet", now.width >= 700 && now.height >= 500);
        frame.classList.toggle("small", !settings.bare && settings.device === "small" && !settings.rotated);
        frame.classList.toggle("landscape", !settings.bare && settings.rotated && settings.device === "phone");
        for (const side of ["width", "height"]) {
            if (settings.bare) frame.style.removeProperty(side);
            else frame.style.setProperty(side, `${now[side]}px`);
        }
        document.documentElement.style.setProperty("color-scheme", now.dark ? "dark" : "light");
        screen.dir = settings.rtl ? "rtl" : "ltr";
        document.getElementById("status-bar").hidden = now.top === 0;
        return now;
    }

    function change() {
        send({ environment: layOut() });
        measureSoon();
    }

    for (const name of ["device", "appearance", "text", "rtl"]) {
        const control = document.getElementById(name);
        if (control.type === "checkbox") control.checked = settings[name];
        else control.value = settings[name];
        control.addEventListener("input", () => {
            settings[name] =
                control.type === "checkbox" ? control.checked : name === "text" ? Number(control.value) : control.value;
            change();
        });
    }
    document.getElementById("rotate").addEventListener("click", () => {
        settings.rotated = !settings.rotated;
        change();
    });
    dark.addEventListener("change", change);
    isPhone.addEventListener("change", () => {
        settings.bare = options.has("bare") || isPhone.matches;
        change();
    });
    contrast.addEventListener("change", change);
    // The app goes to the background with its page, and comes back with it.
    document.addEventListener("visibilitychange", change);
    window.addEventListener("resize", () => {
        if (settings.bare) change();
    });
    window.visualViewport?.addEventListener("resize", () => {
        if (settings.bare) change();
    });

    // ---- The stream ----
    let delay = 250;
    let stream = null;
    function leave() {
        stream.close();
        state.textContent = "This app has moved to another tab. Reload for a new one.";
        sessionStorage.removeItem("tab");
    }

    function connect() {
        stream = new EventSource(`${base}stream?environment=${encodeURIComponent(JSON.stringify(layOut()))}`);
        stream.onopen = () => {
            delay = 250;
            state.textContent = "";
        };
        stream.onmessage = (event) => update(JSON.parse(event.data));
        stream.onerror = () => {
            stream.close();
            state.textContent = "Reconnecting …";
            setTimeout(connect, delay);
            delay = Math.min(delay * 2, 5000);
        };
    }
    connect();
})();
