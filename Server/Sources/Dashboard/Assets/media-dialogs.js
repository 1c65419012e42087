"use strict";
// The dialogs that choose a picture of the library, and that upload one or a part of it.
(() => {
    const text = globalThis.placardText;
    const { make, upload } = globalThis.placardMedia;
    Object.assign(globalThis.placardMedia, { choose, crop });

    function dialog(title, ...children) {
        const heading = make("h2", { id: "media-dialog-title" }, title);
        const box = make("dialog", { class: "media-dialog", "aria-labelledby": heading.id }, heading, ...children);
        box.addEventListener("close", () => box.remove());
        // Not in the form, whose fields these aren't.
        document.body.append(box);
        box.showModal();
        return box;
    }

    // The newest pictures that have every word, and whether there are more; what is wrong where there is no answer.
    async function find(words) {
        const address = `/dashboard/media/list?${new URLSearchParams({ q: words })}`;
        const { answer, problem } = await globalThis.placardAsk(address, () => ({}));
        return problem ? { problem, pictures: [] } : answer.json();
    }

    // Lets the user choose a picture of the library, with which `use` is called.
    function choose(use) {
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
            if (found.problem) return found.problem;
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
                ...found.pictures.map((picture) => {
                    const image = make("img", {
                        src: picture.thumbnail,
                        alt: picture.alt || picture.name,
                        loading: "lazy",
                    });
                    const name = make("span", {}, picture.name);
                    const pick = () => (box.close(), use(picture));
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

    // Uploads a file, or a part of it: what is shown is what the card gets, and the server cuts it out of the original.
    // `known` has the ratio and the alt text of the card; `use` is called with the picture.
    async function crop(file, known, use) {
        const bitmap = await createImageBitmap(file).catch(() => null);
        const isAnimated = file.type === "image/gif";
        const own = known.ratio;
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
        alt.value = known.alt;
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
                use({ ...picture, alt: alt.value.trim() || picture.alt });
            } catch (error) {
                status.className = "field-note";
                status.textContent = error.message;
                send.disabled = false;
            }
        });
        draw();
    }
})();
