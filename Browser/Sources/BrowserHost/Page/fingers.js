// Fingers, for views that follow touches themselves, and what is typed.

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
