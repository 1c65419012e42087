// The device around the app, and the stream of its drawings.

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
    const device = encodeURIComponent(JSON.stringify(layOut()));
    stream = new EventSource(`${base}stream?page=${pageID}&environment=${device}`);
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
