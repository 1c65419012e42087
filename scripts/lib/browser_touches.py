"""Touches the feed in a browser, and presses its keys. See scripts/check-browser."""

from placard_server import wait_for


def touches(session, events, site):
    """A touch beside a card is none; one on it, and the Enter key, open its address."""
    session.context.route("https://shop.example/**", lambda route: route.fulfill(body="shop"))
    session.open("Unread and pinned")
    cell = session.card("Unread")
    box = cell.bounding_box()
    session.page.mouse.click(box["x"] + 3, box["y"] + box["height"] / 2)
    session.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 3)
    session.page.wait_for_timeout(500)
    assert len(session.context.pages) == 1
    assert events.of("click", "unread") == 0
    with session.context.expect_page() as opened:
        session.screen.get_by_text("Unread", exact=True).click()
    assert opened.value.url == "https://shop.example/unread"
    opened.value.close()
    events.expect("click", "unread", 1)
    cell.focus()
    with session.context.expect_page() as opened:
        session.page.keyboard.press("Enter")
    opened.value.close()
    events.expect("click", "unread", 2)


def swipes(session, events, site):
    """A swipe shows Delete, a long one and the Delete key do it, and the row leaves gradually."""
    session.open("Unread and pinned")
    session.steps.run([{"swipe": "Unread"}])
    session.screen.get_by_role("button", name="Delete").first.click()
    session.page.wait_for_selector(".cell.leaving", state="attached")
    session.page.wait_for_selector(".cell.leaving", state="detached")
    session.steps.settle()
    assert session.card("Unread").count() == 0
    events.expect("dismissal", "unread", 1)
    session.card("Read").focus()
    session.page.keyboard.press("Delete")
    session.page.wait_for_function("() => document.querySelectorAll('.cell').length === 1")
    events.expect("dismissal", "read", 1)
    session.card("Your order is on its way").focus()
    session.page.keyboard.press("Delete")
    session.page.wait_for_timeout(400)
    assert session.card("Your order is on its way").count() == 1, "a card that is not dismissible was dismissed"


def swipes_rtl(session, events, site):
    """From right to left, swipes go the other way."""
    session.open("Unread and pinned")
    box = session.screen.get_by_text("Read", exact=True).bounding_box()
    mouse, y = session.page.mouse, box["y"] + 5
    left = session.page.locator("#device-frame").bounding_box()["x"]
    for start, end in [(left + 350, left + 40), (left + 40, left + 350)]:
        assert session.card("Read").count() == 1
        mouse.move(start, y)
        mouse.down()
        mouse.move(end, y, steps=8)
        mouse.up()
        session.page.wait_for_timeout(600)
    session.card("Read").wait_for(state="detached")
    events.expect("dismissal", "read", 1)


def pulls(session, events, site):
    """A pull asks for cards, and ends."""
    session.open("Unread and pinned")
    box = session.page.locator(".scroller").last.bounding_box()
    before = events.lines.count("sync")
    # The list begins under the bar, which takes the touch there.
    top = box["y"] + session.page.locator(".bar").last.bounding_box()["height"] + 40
    session.page.mouse.move(box["x"] + 200, top)
    session.page.mouse.down()
    session.page.mouse.move(box["x"] + 200, top + 200, steps=10)
    session.page.mouse.up()
    session.page.wait_for_function("() => document.querySelector('.refresh.active') === null")
    session.steps.settle()
    wait_for(lambda: events.lines.count("sync"), lambda count: count > before, "Nothing was asked")


def modal_focus(session, events, site):
    """What is presented keeps the focus until it is dismissed, and gives it back."""
    menu = session.card("Modal")
    menu.evaluate("cell => { cell.tabIndex = 0; cell.focus(); }")
    session.page.keyboard.press("Enter")
    session.page.wait_for_selector("[aria-modal=true]")
    session.steps.settle()
    inside = "document.querySelector('[aria-modal=true]').contains(document.activeElement)"
    assert session.page.evaluate(inside), "the focus has not come to what is presented"
    for key in ["Tab"] * 12 + ["Shift+Tab"] * 3:
        session.page.keyboard.press(key)
        assert session.page.evaluate(inside), f"{key} has left what is presented"
    session.screen.get_by_role("button", name="Done").press("Enter")
    session.page.wait_for_selector("[aria-modal=true]", state="detached")
    session.steps.settle()
    assert menu.evaluate("cell => cell === document.activeElement"), "the focus has not come back"


def taps_beside(session, events, site):
    """A tap beside a sheet dismisses it, and one on it doesn't."""
    session.card("Modal").click()
    session.page.wait_for_selector(".shade > .sheet")
    session.steps.settle()
    box = session.page.locator(".shade").bounding_box()
    session.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 76)
    session.steps.settle()
    assert session.page.locator(".shade").count() == 1, "a tap on the sheet has dismissed it"
    session.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 50)
    session.page.wait_for_selector(".shade", state="detached")
