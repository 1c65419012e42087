"use strict";
// Everything works without this file, but for what is live: it only saves loading whole pages.
(() => {
  document.documentElement.classList.add("scripted");
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => Array.from(root.querySelectorAll(selector));

  // ---- The menu of narrow windows ----
  const menuButton = $("[data-menu]");
  menuButton?.addEventListener("click", () => {
    const isOpen = $("#menu").classList.toggle("open");
    menuButton.setAttribute("aria-expanded", String(isOpen));
  });

  // ---- Asking before something is done ----
  document.addEventListener("submit", (event) => {
    const question = event.submitter?.dataset.confirm || event.target.dataset.confirm;
    if (!question || event.target.dataset.confirmed) return;
    event.preventDefault();
    const dialog = document.createElement("dialog");
    const text = document.createElement("p");
    text.textContent = question;
    text.id = "question";
    dialog.setAttribute("aria-labelledby", "question");
    const actions = document.createElement("div");
    actions.className = "actions";
    const no = document.createElement("button");
    no.textContent = "Cancel";
    const yes = document.createElement("button");
    yes.textContent = event.submitter?.textContent.trim() || "Continue";
    yes.className = "go";
    no.addEventListener("click", () => dialog.close());
    yes.addEventListener("click", () => {
      event.target.dataset.confirmed = "1";
      dialog.close();
      event.target.requestSubmit(event.submitter);
    });
    dialog.addEventListener("close", () => dialog.remove());
    actions.append(no, yes);
    dialog.append(text, actions);
    document.body.append(dialog);
    dialog.showModal();
  });

  // ---- Copying ----
  for (const button of $$("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText($(button.dataset.copy).textContent);
      button.textContent = "Copied";
    });
  }

  // ---- Parts of a page that the server draws anew ----
  // What has the focus keeps it, and what is being typed stays.
  function replace(element, html) {
    const fresh = new DOMParser().parseFromString(html, "text/html");
    const focused = document.activeElement;
    const mark = element.contains(focused) && (focused.id ? `#${CSS.escape(focused.id)}` : focused.name ? `[name="${CSS.escape(focused.name)}"]` : null);
    const open = $$("details[open]", element).map((details) => $$("details", element).indexOf(details));
    element.replaceChildren(...fresh.body.childNodes);
    open.forEach((index) => $$("details", element)[index]?.setAttribute("open", ""));
    if (mark) $(mark, element)?.focus({ preventScroll: true });
    $$("[data-copy]", element).forEach((button) => (button.hidden = false));
  }

  const live = $$("[data-live]");
  if (live.length > 0) {
    let isLoading = false;
    let isStale = false;
    const load = async () => {
      if (isLoading || document.hidden) return void (isStale = true);
      isLoading = true;
      isStale = false;
      for (const element of live) {
        try {
          const answer = await fetch(element.dataset.live, { headers: { Accept: "text/html" } });
          if (answer.ok && !answer.redirected) replace(element, await answer.text());
        } catch { /* The stream tells when the server is back. */ }
      }
      isLoading = false;
      if (isStale) load();
    };
    const source = new EventSource("/dashboard/live");
    source.addEventListener("changed", load);
    const dot = $("[data-live-dot]");
    source.addEventListener("open", () => dot?.classList.remove("off"));
    source.addEventListener("error", () => dot?.classList.add("off"));
    document.addEventListener("visibilitychange", () => isStale && !document.hidden && load());
    addEventListener("pagehide", () => source.close());
  }

  // ---- The editor ----
  const editor = $("form[data-editor]");
  if (!editor) return;
  let isDirty = editor.dataset.dirty === "true";
  editor.addEventListener("input", () => (isDirty = true));
  addEventListener("beforeunload", (event) => isDirty && event.preventDefault());

  // Buttons that only change the form: the server draws it anew, here without leaving the page.
  editor.addEventListener("submit", async (event) => {
    const button = event.submitter;
    if (!button?.hasAttribute("data-swap")) {
      if (!event.defaultPrevented) isDirty = false;
      return;
    }
    event.preventDefault();
    const data = new URLSearchParams(new FormData(editor, button));
    const answer = await fetch(button.getAttribute("formaction") || editor.action, { method: "POST", body: data, headers: { "Placard-Part": "form" } });
    if (!answer.ok) return editor.submit();
    replace($("[data-fields]", editor), await answer.text());
    isDirty = true;
    const target = button.dataset.focus && $(button.dataset.focus);
    (target || $$("[data-fields] [data-new]", editor).pop())?.focus();
    preview();
  });

  // ---- The preview: a new frame takes the place of the old one when it is drawn ----
  const screen = $(".phone-screen");
  let timer;
  function preview() {
    clearTimeout(timer);
    timer = setTimeout(draw, 250);
  }
  function draw() {
    if (!screen) return;
    const old = $$("iframe", screen);
    const frame = document.createElement("iframe");
    frame.name = `preview-${Date.now()}`;
    frame.title = "Preview of the card";
    frame.className = "waiting";
    frame.setAttribute("sandbox", "");
    screen.classList.toggle("dark", $("[name=preview_look]", editor)?.value === "dark");
    screen.append(frame);
    frame.addEventListener("load", () => {
      frame.classList.remove("waiting");
      old.forEach((other) => other.remove());
    });
    const form = document.createElement("form");
    form.method = "post";
    form.action = "/dashboard/campaigns/preview";
    form.target = frame.name;
    form.hidden = true;
    for (const [name, value] of new FormData(editor)) {
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
  editor.addEventListener("change", preview);
  $("[data-preview-button]", editor)?.setAttribute("hidden", "");
  draw();
})();
