"""Moves two fingers, presses keys and steers animations in a browser. See scripts/check-browser."""

from placard_server import wait_for

# The opacity with which an element is seen, and how far it was moved.
LOOK = """(element) => {
  let [opacity, x] = [1, element.getBoundingClientRect().x];
  for (let one = element; one; one = one.parentElement) opacity *= Number(getComputedStyle(one).opacity);
  return { opacity, x };
}"""


def edge_swipes(session, events, site):
    """A finger from the edge moves the page along; it stays where that is given up, and leads back otherwise."""
    session.open("Unread and pinned")
    events.expect("impression", "unread", 1)
    frame = session.page.locator("#screen").bounding_box()
    mouse, y = session.page.mouse, frame["y"] + 500

    def drag(way):
        mouse.move(frame["x"] + 5, y)
        mouse.down()
        mouse.move(frame["x"] + way, y, steps=10)
        # A finger that has rested has no speed when it leaves.
        session.page.wait_for_timeout(400)
        mouse.move(frame["x"] + way + 1, y)

    drag(120)
    moved = "() => [...document.querySelectorAll('#screen *')].some((one) => parseFloat(one.style.translate) > 60)"
    session.page.wait_for_function(moved)
    mouse.up()
    session.steps.settle()
    assert session.card("Unread").is_visible(), "the page was left"
    assert not session.page.evaluate(moved), "the page has not come back"
    drag(330)
    mouse.up()
    session.steps.settle()
    assert session.card("Unread").count() == 0, "the finger has not led back"
    events.expect("impression", "unread", 1)
    assert not [line for line in events.lines if line.startswith("event click")], events.lines


def pinches(session, events, site):
    """Two fingers enlarge what lies between them, and a wheel with Control makes it small again."""
    box = session.page.locator("#screen [data-zoom]").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    device = session.context.new_cdp_session(session.page)

    def fingers(kind, spread):
        points = [{"x": x - spread, "y": y, "id": 0}, {"x": x + spread, "y": y, "id": 1}]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", 20)
    for spread in (30, 40):
        fingers("touchMove", spread)
    device.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.screen.get_by_text("Scale 2.0", exact=True).wait_for()
    session.page.mouse.move(x, y)
    session.page.keyboard.down("Control")
    session.page.mouse.wheel(0, 300)
    session.page.keyboard.up("Control")
    session.screen.get_by_text("Scale 1.0", exact=True).wait_for()


def key_commands(session, events, site):
    """Keys do what the app has commands for, and others nothing."""
    session.page.keyboard.press("Control+k")
    session.screen.get_by_text("Command K", exact=True).wait_for()
    session.page.keyboard.press("Escape")
    session.screen.get_by_text("Escape", exact=True).wait_for()
    session.page.keyboard.press("k")
    session.steps.settle()
    assert session.screen.get_by_text("Escape", exact=True).is_visible()


def steered_animations(session, events, site):
    """An animation shows the part at which a slider stands, goes on to its end, and back to its start."""
    box = session.screen.get_by_text("Box", exact=True)
    slider = session.page.locator("#screen input[type=range]")
    start = box.evaluate(LOOK)

    def steer(part):
        slider.evaluate(
            "(slider, part) => { slider.value = part; "
            "for (const name of ['input', 'change']) slider.dispatchEvent(new Event(name, { bubbles: true })); }",
            part,
        )

    def look(opacity, way):
        def is_there(now):
            return abs(now["opacity"] - opacity) < 0.05 and abs(now["x"] - start["x"] - way) < 12

        wait_for(lambda: box.evaluate(LOOK), is_there, f"The box is not at {way} with {opacity}")

    steer(0.5)
    look(0.6, 120)
    session.page.wait_for_timeout(600)
    look(0.6, 120)
    steer(0.25)
    look(0.8, 60)
    session.steps.run([{"tap": "Reverse"}])
    session.screen.get_by_text("Ended at the start", exact=True).wait_for()
    look(1, 0)
    steer(0.75)
    look(0.4, 180)
    session.steps.run([{"tap": "Finish"}])
    session.screen.get_by_text("Ended at the end", exact=True).wait_for()
    look(0.2, 240)
