"use strict";
// Pictures: uploaded on the page of the media library, and uploaded, cropped or chosen at a card's image in the editor.
(() => {
    const $ = (selector, root = document) => root.querySelector(selector);
    const $$ = (selector, root = document) => Array.from(root.querySelectorAll(selector));
    const text = globalThis.placardText;
    const types = ["image/png", "image/jpeg", "image/webp", "image/gif"];

    function make(name, attributes = {}, ...children) {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) {
            if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
            else if (value === true) element.setAttribute(key, "");
            else if (value !== false && value != null) element.setAttribute(key, value);
        }
        element.append(...children);
        return element;
    }

    // The files of a drop or a paste that may be pictures; the server looks at what is in them.
    function pictures(transfer) {
        return Array.from(transfer?.files ?? []).filter((file) => file.type.startsWith("image/"));
    }

    async function upload(file, { alt = "", crop = "" } = {}) {
        if (file.size > 10 * 1024 * 1024) throw new Error(text("{1}: a picture has 10 MB at most.", file.name));
        const query = new URLSearchParams({ name: file.name, alt });
        if (crop) query.set("crop", crop);
        const headers = {
            "Placard-Form": $("[name=csrf]").value,
            "Content-Type": file.type || "application/octet-stream",
        };
        const answer = await fetch(`/dashboard/media/upload?${query}`, { method: "POST", body: file, headers }).catch(
            () => null,
        );
        if (!answer) throw new Error(text("The server did not answer. Try again."));
        const json = await answer.json().catch(() => null);
        if (!json) throw new Error(text("Your session has ended. Sign in again in another tab, then try again."));
        if (json.error) throw new Error(text("{1}: {2}", file.name, json.error.message ?? json.error));
        return json.picture;
    }

    function acceptDrops(element, take) {
        for (const name of ["dragenter", "dragover"]) {
            element.addEventListener(name, (event) => {
                if (!event.dataTransfer?.types.includes("Files")) return;
                event.preventDefault();
                element.classList.add("media-over");
            });
        }
        for (const name of ["dragleave", "drop"])
            element.addEventListener(name, () => element.classList.remove("media-over"));
        element.addEventListener("drop", (event) => {
            const files = pictures(event.dataTransfer);
            if (!event.dataTransfer?.types.includes("Files")) return;
            event.preventDefault();
            take(files);
        });
    }

    // ---- The page of the library ----
    const zone = $("[data-media-drop]");
    if (zone) {
        const status = $("[data-media-status]", zone);
        const add = async (files) => {
            const failures = [];
            for (const [index, file] of files.entries()) {
                status.textContent = text("Uploading {1} of {2}…", index + 1, files.length);
                await upload(file).catch((error) => failures.push(error.message));
            }
            status.textContent =
                failures.join(" ") || (files.length ? text("Uploaded.") : text("Choose a PNG, JPEG, WebP or GIF."));
            status.className = failures.length ? "field-note" : "hint";
            if (files.length > failures.length && failures.length === 0) location.assign("/dashboard/media");
        };
        acceptDrops(zone, add);
        $("[data-media-files]", zone).addEventListener("change", (event) => add(Array.from(event.target.files)));
        document.addEventListener("paste", (event) => {
            const files = pictures(event.clipboardData);
            if (files.length) add(files);
        });
    }

    // ---- The image of a card ----
    const editor = $("form[data-editor]");
    if (!editor) return;

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
                    onclick: () => choose(control),
                },
                text("Choose from library"),
            ),
            make("span", { class: "hint" }, text("or drop or paste a picture")),
            input,
        );
        control.after(tools);
        input.addEventListener("change", () => {
            if (input.files[0]) crop(control, input.files[0]);
            input.value = "";
        });
        control.addEventListener("input", show);
        control.addEventListener("paste", (event) => {
            const [file] = pictures(event.clipboardData);
            if (!file) return;
            event.preventDefault();
            crop(control, file);
        });
        acceptDrops(field, ([file]) => file && crop(control, file));
        show();
    }

    const enhanceAll = () => $$("textarea[name$='.image'], input[name$='.image']", editor).forEach(enhance);
    new MutationObserver(enhanceAll).observe($("[data-fields]", editor), { childList: true });
    enhanceAll();

    // ---- Dialogs ----
    function dialog(title, ...children) {
        const heading = make("h2", { id: "media-dialog-title" }, title);
        const box = make("dialog", { class: "media-dialog", "aria-labelledby": heading.id }, heading, ...children);
        box.addEventListener("close", () => box.remove());
        // Not in the form, whose fields these aren't.
        document.body.append(box);
        box.showModal();
        return box;
    }

    // The newest pictures that have every word, and whether there are more; nothing where the server doesn't answer.
    async function find(words) {
        const answer = await fetch(`/dashboard/media/list?${new URLSearchParams({ q: words })}`).catch(() => null);
        return answer?.ok && !answer.redirected ? answer.json().catch(() => null) : null;
    }

    function choose(control) {
        const grid = make("ul", { class: "media-choices" });
        const search = make("input", { type: "search", autocomplete: "off" });
        const note = make("p", { class: "hint", role: "status" });
        const box = dialog(
            text("Choose a picture"),
            make("label", {}, text("Search"), search),
            note,
            grid,
            make(
                "div",
                { class: "actions" },
                make("button", { type: "button", class: "quiet", onclick: () => box.close() }, text("Cancel")),
            ),
        );
        const said = (words, found) => {
            if (!found) return text("The server did not answer. Try again.");
            if (found.has_more) return text("The {1} newest are shown. Search to find others.", found.pictures.length);
            if (found.pictures.length) return "";
            return words ? text("No matching pictures.") : text("No pictures yet. Upload one.");
        };
        const draw = async () => {
            const words = search.value.trim();
            const found = await find(words);
            // Of several searches, the answer of the last counts.
            if (words !== search.value.trim()) return;
            note.textContent = said(words, found);
            grid.replaceChildren(
                ...(found?.pictures ?? []).map((picture) => {
                    const image = make("img", {
                        src: picture.thumbnail,
                        alt: picture.alt || picture.name,
                        loading: "lazy",
                    });
                    const name = make("span", {}, picture.name);
                    const pick = () => (box.close(), use(control, picture));
                    return make(
                        "li",
                        {},
                        make("button", { type: "button", class: "media-choice", onclick: pick }, image, name),
                    );
                }),
            );
        };
        let pause = 0;
        search.addEventListener("input", () => {
            clearTimeout(pause);
            pause = setTimeout(draw, 150);
        });
        draw();
    }

    // What is shown is what the card gets; the server cuts it out of the original.
    async function crop(control, file) {
        const bitmap = await createImageBitmap(file).catch(() => null);
        const isAnimated = file.type === "image/gif";
        const own = ratioOf(control);
        const ratios = [
            ["", text("Original")],
            ...(own ? [[String(own), text("Card’s aspect ratio")]] : []),
            [String(16 / 9), "16:9"],
            [String(4 / 3), "4:3"],
            ["1", "1:1"],
            ["2", "2:1"],
        ];
        const range = (label, attributes) => {
            const input = make("input", { type: "range", ...attributes });
            return [input, make("label", {}, label, input)];
        };
        const select = make("select", {}, ...ratios.map(([value, name]) => make("option", { value }, name)));
        const [zoom, zoomBox] = range(text("Zoom"), { min: 1, max: 4, step: 0.05, value: 1 });
        const [across, acrossBox] = range(text("Horizontal position"), { min: 0, max: 1, step: 0.01, value: 0.5 });
        const [down, downBox] = range(text("Vertical position"), { min: 0, max: 1, step: 0.01, value: 0.5 });
        const canvas = make("canvas", {
            class: "media-canvas",
            role: "img",
            "aria-label": text("The part that the card shows"),
        });
        const alt = make("input", { maxlength: 1000, autocomplete: "off", placeholder: text("Describe the picture") });
        alt.value = sibling(control, "image_alt")?.value ?? "";
        const status = make("p", { role: "status" });
        const send = make("button", { type: "button", class: "primary" }, text("Upload"));
        const tools = make(
            "div",
            { class: "media-crop" },
            make("label", {}, text("Aspect ratio"), select),
            zoomBox,
            acrossBox,
            downBox,
        );
        tools.hidden = !bitmap || isAnimated;
        if (own && !tools.hidden) select.value = String(own);
        const box = dialog(
            text("Upload a picture"),
            bitmap
                ? canvas
                : make(
                      "p",
                      { class: "hint" },
                      text("The browser can’t show this file. The server may still accept it."),
                  ),
            tools,
            make(
                "label",
                {},
                text("Alt text"),
                alt,
                make("span", { class: "hint" }, text("Describes the image to screen readers.")),
            ),
            status,
            make(
                "div",
                { class: "actions" },
                send,
                make("button", { type: "button", class: "quiet", onclick: () => box.close() }, text("Cancel")),
            ),
        );

        // The part in pixels of the picture, or nothing for all of it.
        function part() {
            if (tools.hidden || !select.value) return null;
            const ratio = Number(select.value);
            const width = Math.min(bitmap.width, bitmap.height * ratio) / Number(zoom.value);
            const height = width / ratio;
            const left = Math.floor((bitmap.width - width) * Number(across.value));
            const top = Math.floor((bitmap.height - height) * Number(down.value));
            const size = [
                Math.min(Math.round(width), bitmap.width - left),
                Math.min(Math.round(height), bitmap.height - top),
            ];
            return [left, top, ...size.map((side) => Math.max(1, side))];
        }
        function draw() {
            if (!bitmap) return;
            const chosen = part();
            for (const input of [zoom, across, down]) input.disabled = !chosen;
            const [left, top, width, height] = chosen ?? [0, 0, bitmap.width, bitmap.height];
            const scale = Math.min(1, 960 / width, 720 / height);
            canvas.width = Math.max(1, Math.round(width * scale));
            canvas.height = Math.max(1, Math.round(height * scale));
            canvas.getContext("2d").drawImage(bitmap, left, top, width, height, 0, 0, canvas.width, canvas.height);
        }
        for (const input of [select, zoom, across, down]) input.addEventListener("input", draw);
        canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
        canvas.addEventListener("pointermove", (event) => {
            const chosen = part();
            if (!chosen || !canvas.hasPointerCapture(event.pointerId)) return;
            const bounds = canvas.getBoundingClientRect();
            const move = (input, pixels, shown, size, all) => {
                if (all > size) input.value = Number(input.value) - (pixels * size) / shown / (all - size);
            };
            move(across, event.movementX, bounds.width, chosen[2], bitmap.width);
            move(down, event.movementY, bounds.height, chosen[3], bitmap.height);
            draw();
        });
        send.addEventListener("click", async () => {
            send.disabled = true;
            status.className = "hint";
            status.textContent = text("Uploading…");
            try {
                const picture = await upload(file, { alt: alt.value.trim(), crop: part()?.join(",") });
                box.close();
                use(control, { ...picture, alt: alt.value.trim() || picture.alt });
            } catch (error) {
                status.className = "field-note";
                status.textContent = error.message;
                send.disabled = false;
            }
        });
        draw();
    }
})();
