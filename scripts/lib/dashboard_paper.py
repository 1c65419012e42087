"""Reports of the dashboard on paper."""

from dashboard_pages import PAGES

# What is left of a sheet of A4 between the margins that browsers print with, in pixels of CSS.
SHEET = {"width": 718, "height": 1047}
# What a report shows on paper: whatever is to be pressed, cut off, dark or gone is a problem.
PROBLEMS = """(hasFunnel) => {
    const found = [];
    const name = (element) => element.textContent.trim().replace(/\\s+/g, " ").slice(0, 60);
    const isSeen = (element) => {
        const place = element.getBoundingClientRect();
        return element.checkVisibility() && place.width > 1 && place.height > 1 && place.right > 0;
    };
    for (const element of document.querySelectorAll("nav, header, .skip, button, a.button, input, select"))
        if (isSeen(element)) found.push(`to be pressed: ${element.localName} ${name(element)}`);
    for (const box of document.querySelectorAll("main .table-box")) {
        if (!isSeen(box)) continue;
        if (box.getBoundingClientRect().right > innerWidth + 1) found.push(`wider than the sheet: ${name(box)}`);
        if (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1)
            found.push(`a table that is cut off: ${name(box)}`);
        for (const cell of box.querySelectorAll("th, td"))
            if (cell.scrollWidth > cell.clientWidth + 1) found.push(`a cell that is cut off: ${name(cell)}`);
    }
    const open = [...document.querySelectorAll("main details .table-box")];
    if (open.some((box) => !isSeen(box))) found.push("a table that was opened isn't printed");
    const bars = [...document.querySelectorAll(".funnel rect:not(.track)")].filter(isSeen);
    if (hasFunnel && bars.length < 3) found.push("no funnel");
    const light = (colour) => Math.min(...colour.match(/\\d+/g).slice(0, 3).map(Number));
    const page = getComputedStyle(document.body);
    if (light(page.backgroundColor) < 250 || light(page.color) > 100)
        found.push(`${page.color} on ${page.backgroundColor}`);
    if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the sheet");
    return found;
}"""


def problems_on_paper(chromium, state, address):
    """Prints every report in both languages, for whoever has dark pages, and returns what is wrong on the sheets."""
    problems = []
    for language in ("en-US", "ja-JP"):
        context = chromium.new_context(storage_state=state, color_scheme="dark", viewport=SHEET, locale=language)
        context.add_cookies([{"name": "placard_theme", "value": "dark", "url": address}])
        page = context.new_page()
        for name in (name for name in PAGES if name.startswith("report")):
            page.goto(f"{address}/dashboard{PAGES[name]}")
            # What is folded isn't printed, and what was opened is, all of it.
            page.evaluate("document.querySelectorAll('main details').forEach((details) => (details.open = true))")
            page.emulate_media(media="print")
            place = f"{name} on paper, {language}"
            problems += [f"{place}: {problem}" for problem in page.evaluate(PROBLEMS, name != "report-new")]
            if not page.pdf(format="A4").startswith(b"%PDF"):
                problems.append(f"{place}: can't be printed")
            page.emulate_media(media="screen")
        context.close()
    return problems
