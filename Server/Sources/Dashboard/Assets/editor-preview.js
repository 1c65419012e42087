"use strict";
// The preview of a card beside its form, and the shares of variants.
(() => {
    const parts = globalThis.placardEditor;
    if (!parts) return;
    const { $, $$, editor, fields, text } = parts;
    parts.preview = preview;

    // ---- The shares beside the weights: the server adds per cents up, which need not be 100 while one types ----
    // Keyboards for Japanese write digits in full width, which the server reads, too.
    const ascii = (typed) => typed.replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));
    const weight = (input) => {
        const typed = ascii(input.value);
        return /^\s*\d{1,15}\s*$/.test(typed) ? Number(typed) : 0;
    };
    const percent = (share) => {
        const digits = share < 0.1 ? 2 : 1;
        const style = { minimumFractionDigits: digits, maximumFractionDigits: digits };
        return `${(share * 100).toLocaleString(document.documentElement.lang, style)}%`;
    };
    function showShares() {
        const weights = $$(".variant-head .weight input", fields);
        const isPercent = $("[name=split]", fields)?.value === "percent";
        const whole = isPercent ? 100 : weights.reduce((sum, input) => sum + weight(input), 0);
        for (const input of weights) {
            const share = $("[data-share]", input.closest(".variant-head"));
            share.textContent = whole > 0 ? percent(weight(input) / whole) : "–";
        }
    }
    fields.addEventListener("input", (event) => event.target.closest(".weight") && showShares());

    // ---- The preview: a new frame takes the place of the old one when it is drawn ----
    const screen = $(".phone-screen");
    // How long a loaded frame may take until it is on the screen, in milliseconds.
    const DRAWING = 150;
    let isDrawn = false;
    let previewTimer;
    function preview() {
        clearTimeout(previewTimer);
        previewTimer = setTimeout(drawPreview, 250);
    }
    // Where a card says no aspect ratio, the app goes by the picture's own, which only a browser that loads it knows.
    const ratios = new Map();
    function measured(address) {
        if (!/^https?:\/\/[^{]*$/.test(address ?? "")) return null;
        if (!ratios.has(address)) {
            ratios.set(address, null);
            const image = new Image();
            image.referrerPolicy = "no-referrer";
            image.addEventListener("load", () => {
                ratios.set(address, image.naturalHeight > 0 ? image.naturalWidth / image.naturalHeight : null);
                preview();
            });
            image.src = address;
        }
        return ratios.get(address);
    }
    function drawPreview() {
        if (!screen || $("#session-ended")) return;
        const old = $$("iframe", screen);
        const frame = document.createElement("iframe");
        frame.name = `preview-${Date.now()}`;
        frame.className = "waiting";
        // Only one preview is there for a reader, and has the title.
        frame.ariaHidden = "true";
        frame.setAttribute("sandbox", "");
        const isDark = $("[name=preview_look]", editor)?.value === "dark";
        // An empty frame has nothing to cover the new one with.
        if (!isDrawn) screen.classList.toggle("dark", isDark);
        screen.append(frame);
        frame.addEventListener("load", () => {
            // A frame that is loaded isn't drawn yet: until then the old one stays above it.
            old.forEach((other) => {
                other.classList.add("former");
                other.ariaHidden = "true";
                other.title = "";
            });
            frame.classList.remove("waiting");
            frame.ariaHidden = null;
            frame.title = text("Preview of the card");
            isDrawn = true;
            setTimeout(() => {
                screen.classList.toggle("dark", isDark);
                old.forEach((other) => other.remove());
            }, DRAWING);
        });
        const form = document.createElement("form");
        form.method = "post";
        form.action = editor.dataset.preview ?? "/dashboard/campaigns/preview";
        form.target = frame.name;
        form.hidden = true;
        const data = new FormData(editor);
        const picture = data.get(`c.variants[${data.get("preview_variant") ?? 0}].card.image`)?.trim();
        const ratio = measured(picture);
        if (ratio) {
            data.set("preview_image", picture);
            data.set("preview_ratio", String(ratio));
        }
        for (const [name, value] of data) {
            const input = document.createElement("input");
            input.type = "hidden";
            input.name = name;
            input.value = value;
            form.append(input);
        }
        document.body.append(form);
        form.submit();
        form.remove();
    }
    editor.addEventListener("input", preview);
    $("[data-preview-button]", editor)?.setAttribute("hidden", "");
    drawPreview();
})();
