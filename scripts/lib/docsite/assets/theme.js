// Before the page is drawn, so that it doesn't flash.
try {
    const theme = localStorage.getItem("placard-docs-theme");
    if (theme) document.documentElement.dataset.theme = theme;
} catch {
    /* Storage may be denied; the system's appearance is used then. */
}
