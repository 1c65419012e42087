// Scrolling and zooming, and how large what scrolls is.

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
