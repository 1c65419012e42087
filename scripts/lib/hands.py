"""Hands that use a page: with the mouse, or with the keyboard alone. Both count what they do."""

from playwright.sync_api import expect

# Whether what has the focus is seen to have it: an outline of it or of its label, and nothing that lies over it.
SEEN = """(thing) => {
    const outlined = (element) => {
        const style = getComputedStyle(element);
        return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
    };
    const boxes = [thing, thing.closest("label")].filter(Boolean);
    const place = thing.getBoundingClientRect();
    const top = Math.max(place.top, 0), bottom = Math.min(place.bottom, innerHeight);
    if (!thing.matches(":focus-visible") || !boxes.some(outlined)) return "no outline";
    if (place.width < 1 || place.height < 1 || bottom <= top) return "outside the window";
    const over = document.elementFromPoint((place.left + place.right) / 2, (top + bottom) / 2);
    return boxes.some((box) => box.contains(over)) ? "" : `below ${over?.outerHTML.slice(0, 80)}`;
}"""

# Tells of every use of a pointer; a click by the keyboard has no detail.
POINTERS = """for (const name of ["pointerdown", "mousedown", "touchstart", "click"])
    addEventListener(name, (event) => {
        if (event.isTrusted && (name !== "click" || event.detail > 0)) tellOfPointer(name);
    }, true);"""


class Hands:
    """What both have: the page, and how often they pressed something and how many fields they filled in."""

    def __init__(self, page):
        self.page, self.clicks, self.fields = page, 0, 0

    def upload(self, button, file):
        """Presses what opens the system's dialog of files, and chooses a file there."""
        with self.page.expect_file_chooser() as chooser:
            self.press(button)
        chooser.value.set_files(file)


class Mouse(Hands):
    """Uses a page with the mouse, and types."""

    def press(self, thing):
        self.clicks += 1
        thing.click()

    def type(self, thing, text):
        self.fields += 1
        thing.fill(text)

    def choose(self, thing, name):
        self.fields += 1
        thing.select_option(label=name)

    def pick(self, button):
        """Chooses one of several radio buttons."""
        self.clicks += 1
        button.check()

    def tick(self, box):
        self.clicks += 1
        box.check()

    def enter_time(self, thing, moment):
        self.fields += 1
        thing.fill(moment.strftime("%Y-%m-%dT%H:%M"))


class Keyboard(Hands):
    """Uses a page by Tab, Enter, Space, arrows and typing alone."""

    MOST_TABS = 150

    def reach(self, thing):
        """Goes to something without a pointer, and looks whether it is seen to have the focus."""
        thing.wait_for(state="attached")
        for _ in range(self.MOST_TABS):
            # A page that is live may have put another one in its place.
            target = thing.element_handle()
            if target.evaluate("thing => thing === document.activeElement"):
                problem = target.evaluate(SEEN)
                assert not problem, f"What has the focus is not seen to have it, {problem}: {thing}"
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{self.MOST_TABS} times Tab did not lead to {thing}")

    def press(self, thing):
        self.reach(thing)
        self.clicks += 1
        self.page.keyboard.press("Enter")

    def type(self, thing, text):
        self.reach(thing)
        self.fields += 1
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def choose(self, thing, name):
        """Goes through the options by arrows: letters that no keyboard has choose none."""
        self.reach(thing)
        self.fields += 1
        options = thing.evaluate("list => [...list.options].map((option) => option.label)")
        self.page.keyboard.press("Home")
        for _ in range(options.index(name)):
            self.page.keyboard.press("ArrowDown")
        assert thing.evaluate("list => list.selectedOptions[0].label") == name, f"The arrows did not lead to {name}"

    def pick(self, button):
        """Reaches the chosen one of several radio buttons, and goes on by arrows."""
        name = button.get_attribute("name")
        self.reach(self.page.locator(f"[name='{name}']:checked"))
        self.clicks += 1
        for _ in range(self.page.locator(f"[name='{name}']").count()):
            if button.is_checked():
                return
            self.page.keyboard.press("ArrowDown")
        assert button.is_checked(), f"The arrows did not lead to {button}"

    def tick(self, box):
        self.reach(box)
        self.clicks += 1
        if not box.is_checked():
            self.page.keyboard.press("Space")
        expect(box).to_be_checked()

    def enter_time(self, thing, moment):
        """Types the parts of a time in the order in which Chromium shows them in English."""
        self.reach(thing)
        self.fields += 1
        for part in ("%m", "%d", "%Y"):
            self.page.keyboard.type(moment.strftime(part))
        # A year may have six digits.
        self.page.keyboard.press("ArrowRight")
        for part in ("%I", "%M", "%p"):
            self.page.keyboard.type(moment.strftime(part))
        expect(thing).to_have_value(moment.strftime("%Y-%m-%dT%H:%M"))


def watch_pointers(context, used):
    """Adds to a list whatever a pointer does in the pages of a context."""
    context.expose_binding("tellOfPointer", lambda source, name: used.append(f"{name} on {source['page'].url}"))
    context.add_init_script(POINTERS)
