"use strict";
// The image of a card in the editor: a picture is uploaded, cropped or chosen there.
(() => {
    const $ = (selector, root = document) => root.querySelector(selector);
    const $$ = (selector, root = document) => Array.from(root.querySelectorAll(selector));
    const editor = $("form[data-editor]");
    if (!editor) return;
    const text = globalThis.placardText;
    const { acceptDrops, choose, crop, make, pictures } = globalThis.placardMedia;
    const types = ["image/png", "image/jpeg", "image/webp", "image/gif"];

    function sibling(control, name) {
        return $(`[name="${CSS.escape(control.name.replace(/image$/, name))}"]`, editor);
    }

    // The ratio of the card that an image belongs to, or of its variant where it is of a translation.
    function ratioOf(control) {
        const field = $(
            "[name$='.image_aspect_ratio'], [name$='.aspect_ratio']",
            control.closest(".variant") ?? editor,
        );
        const value = Number(field?.value);
        return value > 0 && value < 100 ? value : null;
    }

    function set(control, value) {
        control.value = value;
        control.dispatchEvent(new Event("input", { bubbles: true }));
        control.dispatchEvent(new Event("change", { bubbles: true }));
    }

    function use(control, picture) {
        set(control, picture.url);
        const alt = sibling(control, "image_alt");
        if (alt && !alt.value.trim() && picture.alt) set(alt, picture.alt);
        control.focus();
    }

    function cropFor(control, file) {
        const alt = sibling(control, "image_alt")?.value ?? "";
        crop(file, { ratio: ratioOf(control), alt }, (picture) => use(control, picture));
    }

    function enhance(control) {
        const field = control.closest("[data-field]");
        if (field.dataset.media) return;
        field.dataset.media = "on";
        const label = control.labels[0]?.textContent ?? text("image");
        const input = make("input", {
            type: "file",
            accept: types.join(),
            class: "unseen",
            tabindex: "-1",
            "aria-label": text("Picture file"),
        });
        const thumbnail = make("img", { alt: "", class: "media-thumbnail", hidden: true });
        const show = () => {
            const path = /\/media\/[0-9a-f]{32}\/[^\s{}]+$/.exec(control.value.trim());
            thumbnail.hidden = !path;
            if (path && thumbnail.getAttribute("src") !== path[0]) thumbnail.src = path[0];
        };
        const tools = make(
            "div",
            { class: "media-field" },
            thumbnail,
            make(
                "button",
                {
                    type: "button",
                    class: "small-button",
                    "aria-label": text("Upload picture for {1}", label),
                    onclick: () => input.click(),
                },
                text("Upload"),
            ),
            make(
                "button",
                {
                    type: "button",
                    class: "small-button",
                    "aria-label": text("Choose picture for {1} from the library", label),
                    onclick: () => choose((picture) => use(control, picture)),
                },
                text("Choose from library"),
            ),
            make("span", { class: "hint" }, text("or drop or paste a picture")),
            input,
        );
        control.after(tools);
        input.addEventListener("change", () => {
            if (input.files[0]) cropFor(control, input.files[0]);
            input.value = "";
        });
        control.addEventListener("input", show);
        control.addEventListener("paste", (event) => {
            const [file] = pictures(event.clipboardData);
            if (!file) return;
            event.preventDefault();
            cropFor(control, file);
        });
        acceptDrops(field, ([file]) => file && cropFor(control, file));
        show();
    }

    const enhanceAll = () => $$("textarea[name$='.image'], input[name$='.image']", editor).forEach(enhance);
    new MutationObserver(enhanceAll).observe($("[data-fields]", editor), { childList: true });
    enhanceAll();
})();
