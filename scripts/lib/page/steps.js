"use strict";
// Draws a list, touches it as a user would, and writes what doesn't hold into the title of the page.
(async () => {
    const wrong = [];
    let count = 0;
    const expect = (what, actual, expected) => {
        count += 1;
        if (JSON.stringify(actual) !== JSON.stringify(expected)) {
            wrong.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
        }
    };
    const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    const find = (id) => document.querySelector(`[data-id="${id}"]`);
    const node = (i, n, a, more = {}) => ({ i, n, a, ...more });
    const taps = () => sent.filter((event) => event.k === "tap").map((event) => event.i);
    const isOpen = () => find("row").classList.contains("open");

    function pointer(type, element, x, y) {
        const buttons = type === "pointerup" ? 0 : 1;
        element.dispatchEvent(
            new PointerEvent(type, { bubbles: true, button: 0, buttons, pointerType: "mouse", clientX: x, clientY: y }),
        );
    }

    function click(element, detail = 1) {
        element.dispatchEvent(
            new MouseEvent("click", { bubbles: true, cancelable: true, detail, clientX: 5, clientY: 5 }),
        );
    }

    async function drag(element, fromX, toX, y) {
        pointer("pointerdown", element, fromX, y);
        if (toX !== fromX) pointer("pointermove", element, toX, y);
        pointer("pointerup", element, toX, y);
        click(element);
        await wait(30);
    }

    stream.onmessage({
        data: JSON.stringify({
            reset: true,
            root: "window",
            diff: {
                d: [],
                p: [
                    node("window", "div", { class: "v window" }, { c: ["table", "bar"] }),
                    node("table", "div", { class: "v table" }, { c: ["table.scroll"], s: { height: "300px" } }),
                    node("table.scroll", "div", { class: "scroller", "data-scroll": "" }, { c: ["table.rows"] }),
                    node("table.rows", "div", { class: "rows" }, { c: ["row", "other", "held"] }),
                    node(
                        "row",
                        "div",
                        { class: "v cell", "data-swipe": "full", "data-tap": "" },
                        { c: ["row.content", "row.swipe0"], s: { height: "60px" } },
                    ),
                    node("row.content", "div", { class: "cell-content" }, { t: "Row" }),
                    node("row.swipe0", "button", { class: "swipe", "data-tap": "" }, { t: "Delete" }),
                    node("other", "div", { class: "v cell", "data-tap": "" }, { t: "Other", s: { height: "60px" } }),
                    node(
                        "held",
                        "div",
                        { class: "v", "data-hold": "100", "data-tap": "" },
                        { t: "Held", s: { height: "60px" } },
                    ),
                    node("bar", "div", { class: "tab-bar" }, { c: ["tab"] }),
                    node("tab", "button", { class: "tab", "data-tap": "" }, { t: "Tab" }),
                ],
            },
        }),
    });
    await wait(50);

    // A window as narrow as a phone is the device itself.
    const isPhone = innerWidth <= 500;
    expect("no frame on a phone", document.body.classList.contains("bare"), isPhone);
    expect("no tools on a phone", document.getElementById("tools").offsetHeight === 0, isPhone);
    expect("width of the app", environment.width, isPhone ? innerWidth : 390);
    expect("width of the frame", document.getElementById("device-frame").offsetWidth, isPhone ? innerWidth : 390);

    // The action fills what the row leaves free, from the first point.
    const box = find("row").getBoundingClientRect();
    const [right, y] = [box.right - 10, box.top + 20];
    pointer("pointerdown", find("row"), right, y);
    pointer("pointermove", find("row"), right - 15, y);
    expect("width of the action", Math.round(find("row.swipe0").getBoundingClientRect().width), 15);
    expect("place of the row", Math.round(find("row.content").getBoundingClientRect().left - box.left), -15);
    pointer("pointerup", find("row"), right - 15, y);
    click(find("row"));
    expect("a short swipe is no tap and opens nothing", [taps(), isOpen()], [[], false]);

    await drag(find("row"), right, right - 60, y);
    expect("a swipe opens the row", [taps(), isOpen()], [[], true]);
    await drag(find("other"), 20, 20, y + 60);
    expect("a touch of another row closes it, and nothing else", [taps(), isOpen()], [[], false]);
    await drag(find("other"), 20, 20, y + 60);
    expect("the next touch is a tap", taps(), ["other"]);

    await drag(find("row"), right, right - 60, y);
    await drag(find("tab"), 5, 5, 5);
    expect("a tab takes the touch that closes the row", [taps(), isOpen()], [["other", "tab"], false]);
    await drag(find("row"), right, right - 60, y);
    await drag(find("row.content"), 20, 20, y);
    expect("a touch of the open row closes it", [taps().length, isOpen()], [2, false]);
    await drag(find("row"), right, right - 60, y);
    await drag(find("row.content"), 20, 90, y);
    expect("an open row is pushed back", [taps().length, isOpen()], [2, false]);
    click(find("other"), 0);
    expect("a key taps after all that", taps().length, 3);

    pointer("pointerdown", find("row"), right, y);
    pointer("pointermove", find("row"), right - box.width * 0.7, y);
    expect("a full swipe shows that it is one", find("row").classList.contains("full"), true);
    pointer("pointerup", find("row"), right - box.width * 0.7, y);
    click(find("row"));
    await wait(30);
    expect("a full swipe does the action", taps().slice(3), ["row.swipe0"]);

    // From the start of the row, a swipe uncovers what is there; several actions share the room.
    const leads = ["row.lead0", "row.lead1"];
    const both = {
        p: [
            node("row.lead0", "button", { class: "swipe leading", "data-tap": "" }, { t: "Pin" }),
            node(
                "row.lead1",
                "button",
                { class: "swipe leading", "data-tap": "" },
                { t: "Flag", s: { "--place": "1" } },
            ),
            {
                i: "row",
                a: { "data-swipe-leading": "full" },
                s: { "--leads": "2" },
                c: ["row.content", "row.swipe0", ...leads],
            },
        ],
        d: [],
    };
    stream.onmessage({ data: JSON.stringify({ diff: both }) });
    const widths = () => leads.map((id) => Math.round(find(id).getBoundingClientRect().width));
    const shift = () => Math.round(find("row.content").getBoundingClientRect().left - box.left);
    find("row.content").style.transition = "none";
    for (const direction of ["ltr", "rtl"]) {
        document.getElementById("screen").dir = direction;
        const way = direction === "rtl" ? -1 : 1;
        const from = direction === "rtl" ? right : box.left + 10;
        const done = taps().length;
        pointer("pointerdown", find("row"), from, y);
        pointer("pointermove", find("row"), from + way * 60, y);
        expect(`${direction}: actions at the start`, [widths(), shift()], [[30, 30], way * 60]);
        pointer("pointerup", find("row"), from + way * 60, y);
        click(find("row"));
        await wait(30);
        expect(`${direction}: the row is open at its start`, [isOpen(), shift()], [false, way * 164]);
        await drag(find("row"), from + way * 200, from, y);
        expect(`${direction}: it is pushed back`, [shift(), taps().length], [0, done]);
        await drag(find("row"), from, from + way * box.width * 0.7, y);
        expect(`${direction}: a full swipe does the first`, taps().slice(done), ["row.lead0"]);
    }
    document.getElementById("screen").dir = "ltr";

    // A finger that stays begins a press, and is no tap.
    pointer("pointerdown", find("held"), 20, y + 120);
    await wait(200);
    pointer("pointerup", find("held"), 20, y + 120);
    click(find("held"));
    await wait(30);
    const holds = () => sent.filter((event) => event.k === "hold");
    expect(
        "a press begins and ends",
        holds().map((event) => event.p + (event.b ? "!" : "")),
        ["moved!", "ended"],
    );
    await drag(find("held"), 20, 20, y + 120);
    await wait(200);
    expect("a short touch is a tap", [holds().length, taps().filter((id) => id === "held").length], [2, 1]);

    // A second finger ends the press of the first.
    pointer("pointerdown", find("held"), 20, y + 120);
    await wait(200);
    await drag(find("held"), 20, 20, y + 120);
    expect(
        "another press ends the one before",
        holds()
            .map((event) => event.p)
            .slice(2),
        ["moved", "ended"],
    );

    // A row that shows something else is a new element: the focus goes to the same part of it.
    find("row.swipe0").focus();
    const parts = { c: ["new.content", "new.swipe0"], s: { height: "60px" } };
    const diff = {
        d: ["row", "row.content", "row.swipe0", ...leads],
        p: [
            node("new", "div", { class: "v cell", "data-swipe": "full", "data-replaces": "row" }, parts),
            node("new.content", "div", { class: "cell-content" }, { t: "New" }),
            node("new.swipe0", "button", { class: "swipe", "data-tap": "" }, { t: "Delete" }),
            { i: "table.rows", c: ["new", "other", "held"] },
        ],
    };
    stream.onmessage({ data: JSON.stringify({ diff }) });
    expect("the focus stays in the row", document.activeElement.dataset.id, "new.swipe0");

    // A row is dragged by its control, or moved by the arrow keys; the app hears beside which row it is to be.
    const control = node("new.reorder", "button", { class: "reorder-control", "data-reorder": "" });
    const movable = { p: [control, { i: "new", c: ["new.content", "new.swipe0", "new.reorder"] }], d: [] };
    stream.onmessage({ data: JSON.stringify({ diff: movable }) });
    const moves = () => sent.filter((event) => event.k === "reorder").map((event) => [event.i, event.t, event.f]);
    const before = taps().length;
    pointer("pointerdown", find("new.reorder"), right, y);
    pointer("pointermove", find("new.reorder"), right, y + 20);
    expect("a row is lifted", [find("new").matches(".lifted"), find("other").style.translate], [true, ""]);
    pointer("pointermove", find("new.reorder"), right, y + 70);
    expect("another one makes room", find("other").style.translate, `0px -${Math.round(box.height)}px`);
    pointer("pointerup", find("new.reorder"), right, y + 70);
    click(find("new.reorder"));
    await wait(30);
    expect("it is moved below", moves(), [["new.reorder", "other", true]]);
    expect("nothing is left of the drag", [find("new").matches(".lifted"), find("other").style.translate], [false, ""]);
    await drag(find("new.reorder"), right, right, y);
    for (const key of ["ArrowUp", "ArrowDown"])
        find("new.reorder").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await wait(30);
    expect("a key moves it below", [moves().slice(1), taps().length], [[["new.reorder", "other", true]], before]);
    document.title = `done ${count} ${JSON.stringify(wrong)}`;
})().catch((error) => {
    document.title = `failed ${error.stack}`;
});
