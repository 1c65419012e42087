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

  // ---- Parts of a page that the server draws again ----
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
})();
