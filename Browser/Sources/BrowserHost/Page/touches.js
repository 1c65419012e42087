// Taps, swipes, pulls, and what follows a finger.

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
