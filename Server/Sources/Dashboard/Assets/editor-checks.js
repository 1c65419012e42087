"use strict";
// What is wrong with the form of the editor, and how many users it reaches, while one types: the server says it.
(() => {
    const parts = globalThis.placardEditor;
    if (!parts) return;
    const { $, $$, editor, fields, text } = parts;
    Object.assign(parts, { check, remember });

    // The fields of which the server said something, with what was in them then.
    const noted = new Map();
    remember();

    function remember() {
        noted.clear();
        for (const field of $$("[data-field]", editor))
            if ($(".field-note", field)) noted.set(field.dataset.field, value(field));
    }

    function value(field) {
        return $$("input, select, textarea", field)
            .map((element) => element.value)
            .join("\n");
    }

    function show(field, notes) {
        const box = $("[data-notes]", field);
        const control = document.getElementById(field.dataset.field);
        const before = $$(".field-note > span", box)
            .map((note) => note.textContent)
            .join("\n");
        // What the server said when the form was drawn stays until the field is changed.
        if (notes.length === 0 && before && noted.get(field.dataset.field) === value(field)) return;
        const after = notes.map((note) => note.text).join("\n");
        if (before === after) return;
        box.replaceChildren(...notes.map((note) => draw(note, control)));
        const isWrong = notes.some((note) => !note.warning);
        isWrong ? control?.setAttribute("aria-invalid", "true") : control?.removeAttribute("aria-invalid");
        const hint = $(".hint", field)?.id;
        const ids = [hint, ...notes.map((note) => note.id)].filter(Boolean).join(" ");
        ids ? control?.setAttribute("aria-describedby", ids) : control?.removeAttribute("aria-describedby");
        if (field.contains(document.activeElement)) parts.say(after || text("Fixed."));
    }

    function draw(note, control) {
        const line = document.createElement("p");
        line.id = note.id;
        line.className = note.warning ? "field-note field-warning" : "field-note";
        const words = document.createElement("span");
        words.textContent = note.text;
        line.append(words);
        if (note.excerpt) {
            const excerpt = document.createElement("code");
            excerpt.className = "excerpt";
            excerpt.textContent = note.excerpt;
            line.append(excerpt);
        }
        if (note.line && control?.setSelectionRange) {
            const button = document.createElement("button");
            button.type = "button";
            button.className = "quiet small-button";
            button.textContent = text("Go there");
            button.addEventListener("click", () => goTo(control, note.line, note.column));
            line.append(button);
        }
        return line;
    }

    // Lines and columns count from 1, columns in characters and not in UTF-16 units.
    function goTo(control, line, column) {
        const lines = control.value.split("\n");
        const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
        const offset =
            start +
            Array.from(lines[line - 1] ?? "")
                .slice(0, column - 1)
                .join("").length;
        control.focus();
        control.setSelectionRange(offset, offset);
    }

    let checkTimer;
    let running;
    function check() {
        clearTimeout(checkTimer);
        checkTimer = setTimeout(look, 450);
    }
    async function look() {
        if (!editor.dataset.check) return;
        running?.abort();
        running = new AbortController();
        const answer = await parts.ask(editor.dataset.check, null, running.signal).catch(() => null);
        if (!answer) return;
        const found = await answer.json();
        const notes = new Map(found.fields.map((field) => [field.id, field.notes]));
        for (const field of $$("[data-field]", fields)) show(field, notes.get(field.dataset.field) ?? []);
        const reach = $("[data-reach]", fields);
        if (reach && reach.textContent !== found.reach) reach.textContent = found.reach;
        reach?.classList.toggle("good", found.has_users);
        // The JSON follows the conditions, unless it is being edited.
        const json = $("#f-audience_json", fields);
        if (json && json.value === (json.dataset.shown ?? json.defaultValue))
            json.value = json.dataset.shown = found.audience;
        const others = $("[data-others]", editor);
        if (others && others.textContent !== found.others.join(" ")) others.textContent = found.others.join(" ");
    }
    editor.addEventListener("input", (event) => event.target.name?.startsWith("preview_") || check());
    check();
})();
