"use strict";
// Users by file: uploading in pieces, which goes on where it stopped, and the progress of an import.
(() => {
    const $ = (selector, root = document) => root.querySelector(selector);
    const text = globalThis.placardText;
    const pieceBytes = 1 << 20;
    const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

    // ---- Uploading ----
    const zone = $("[data-import-drop]");
    if (zone) {
        const status = $("[data-import-status]", zone);
        const bar = $("[data-import-bar]", zone);
        const input = $("[data-import-file]", zone);
        const send = $("[data-import-send]", zone);
        let isBusy = false;

        const say = (message, isError = false) => {
            status.textContent = message;
            status.className = isError ? "field-note" : "hint";
        };

        // Whether a file is the same when it is chosen again: its beginning, size and time.
        async function fingerprint(file) {
            let hash = 0x811c9dc5;
            for (const byte of new Uint8Array(await file.slice(0, 65536).arrayBuffer()))
                hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
            return `${hash.toString(16)}-${file.size}-${file.lastModified}`;
        }

        // Returns what the server says; a refusal is thrown, and where no server answers it is asked again.
        async function post(address, body) {
            const request = () => ({
                method: "POST",
                body,
                headers: {
                    "Placard-Form": $("[data-import-token]", zone).value,
                    "Content-Type": "application/octet-stream",
                },
            });
            for (let attempt = 0; ; attempt += 1) {
                const { answer, problem } = await globalThis.placardAsk(address, request);
                if (!problem) return answer.json();
                const isPassing = !answer || [429, 502, 503, 504].includes(answer.status);
                const isLost = !answer && attempt === 6;
                if (isLost) throw new Error(text("The server did not answer. Choose the file again to continue."));
                if (!isPassing || attempt === 6) throw new Error(problem);
                await wait(Math.min(2 ** attempt, 10));
            }
        }

        async function upload(file) {
            if (isBusy || !file) return;
            isBusy = true;
            send.disabled = true;
            bar.hidden = false;
            bar.value = 0;
            try {
                say(text("Uploading…"));
                const query = new URLSearchParams({
                    name: file.name,
                    size: file.size,
                    fingerprint: await fingerprint(file),
                });
                const begun = await post(`/dashboard/users/imports/begin?${query}`, "");
                let received = begun.received;
                if (received > 0) say(text("Continuing an earlier upload…"));
                while (received < file.size) {
                    const piece = file.slice(received, received + pieceBytes);
                    received = (await post(`/dashboard/users/imports/${begun.id}/piece?offset=${received}`, piece))
                        .received;
                    bar.value = (received / file.size) * 100;
                }
                say(text("Uploaded."));
                location.assign(`/dashboard/users/imports/${begun.id}`);
            } catch (error) {
                say(error.message, true);
                bar.hidden = true;
            }
            isBusy = false;
            send.disabled = false;
        }

        zone.addEventListener("submit", (event) => {
            event.preventDefault();
            upload(input.files[0]);
        });
        input.addEventListener("change", () => upload(input.files[0]));
        // The same file that is chosen once more is a change, too: an upload goes on so.
        input.addEventListener("click", () => (input.value = ""));
        for (const name of ["dragenter", "dragover"]) {
            zone.addEventListener(name, (event) => {
                if (!event.dataTransfer?.types.includes("Files")) return;
                event.preventDefault();
                zone.classList.add("import-over");
            });
        }
        for (const name of ["dragleave", "drop"])
            zone.addEventListener(name, () => zone.classList.remove("import-over"));
        zone.addEventListener("drop", (event) => {
            if (!event.dataTransfer?.types.includes("Files")) return;
            event.preventDefault();
            upload(event.dataTransfer.files[0]);
        });
        document.addEventListener("paste", (event) => {
            if (event.target.matches?.("input:not([type=file]), textarea, [contenteditable]")) return;
            const rows = event.clipboardData.getData("text/plain");
            const file =
                event.clipboardData.files[0] ??
                (rows.trim() && new File([rows], rows.trim().startsWith("{") ? "pasted.jsonl" : "pasted.csv"));
            if (!file) return;
            event.preventDefault();
            upload(file);
        });
        addEventListener("pageshow", () => (send.disabled = false));
    }

    // ---- The progress of an import ----
    const progress = $("[data-import-progress]");
    const isRunning = () => $("[data-import-state=running]", progress) !== null;
    async function follow() {
        while (isRunning()) {
            await wait(1);
            if (document.hidden) continue;
            const answer = await fetch(progress.dataset.importProgress, { headers: { Accept: "text/html" } }).catch(
                () => null,
            );
            if (answer) globalThis.placardFollow(answer);
            if (!answer?.ok || answer.redirected) continue;
            globalThis.placardReplace(progress, await answer.text());
        }
        $("[data-import-said]").textContent = $("h2", progress).textContent;
        const cancel = $("[data-import-cancel]");
        const hadFocus = cancel?.contains(document.activeElement);
        cancel?.remove();
        if (hadFocus) $("#main").focus();
    }
    if (progress && isRunning()) follow();
})();
