// Where the focus is while something is presented, and keys that the app has commands for.

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
