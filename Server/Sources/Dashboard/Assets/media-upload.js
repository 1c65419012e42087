"use strict";
// Pictures: how they are uploaded, and the page of the media library.
(() => {
    const $ = (selector, root = document) => root.querySelector(selector);
    const text = globalThis.placardText;
    // What the other scripts of pictures use: they are one file, in this order, for a browser.
    globalThis.placardMedia = { acceptDrops, make, pictures, upload };

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
        const request = () => ({
            method: "POST",
            body: file,
            headers: {
                "Placard-Form": $("[name=csrf]").value,
                "Content-Type": file.type || "application/octet-stream",
            },
        });
        const { answer, isEnded, problem } = await globalThis.placardAsk(`/dashboard/media/upload?${query}`, request);
        if (isEnded || !answer) throw new Error(problem);
        if (problem) throw new Error(text("{1}: {2}", file.name, problem));
        return (await answer.json()).picture;
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
})();
