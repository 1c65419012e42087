// Rows and sheets that the user moves.

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
