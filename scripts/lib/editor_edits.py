"""Edits of campaigns that a marketer makes."""

import re

from dashboard_pages import field
from editor_page import (
    base,
    campaign,
    opened,
    press,
    save,
    violations,
    visit,
)
from playwright.sync_api import expect


def completes(page):
    """Names are offered while one types Liquid, and taken with the keyboard."""
    opened(page, "new")
    title = field(page, "c.variants[0].card.title")
    title.focus()
    page.keyboard.type("Hi {{ fir")
    names = page.get_by_role("listbox", name="Names")
    expect(names.get_by_role("option", selected=True)).to_have_text("${first_name}")
    assert title.get_attribute("aria-activedescendant") == names.get_by_role("option", selected=True).get_attribute(
        "id"
    )
    page.keyboard.press("Enter")
    expect(title).to_have_value("Hi {{ ${first_name} }}")
    page.keyboard.type(" | upc")
    page.keyboard.press("Tab")
    expect(title).to_have_value("Hi {{ ${first_name} | upcase }}")
    page.keyboard.press("End")
    page.keyboard.type(" {% abo")
    page.keyboard.press("Enter")
    expect(title).to_have_value("Hi {{ ${first_name} | upcase }} {% abort_message %}")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+a")
    page.keyboard.type("{{custom_attribute.${")
    expect(names).to_be_visible()
    violations(page, "completion")
    typed = title.input_value()
    title.evaluate("""(title) => title.dispatchEvent(new KeyboardEvent("keydown", {
        key: "Enter", isComposing: true, bubbles: true, cancelable: true,
    }))""")
    expect(title).to_have_value(typed)
    expect(names).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(names).to_be_hidden()
    expect(title).to_be_focused()


def says_what_is_wrong(page):
    """An error stands at its field with its line, leads there, and goes when it is fixed."""
    opened(page, "new")
    text = field(page, "c.variants[0].card.description")
    text.fill("One\n日本 {{ x | nope }}")
    note = page.locator("[data-field='f-c-variants-0--card-description'] .field-note")
    expect(note).to_contain_text("Line 2, column")
    expect(note.locator(".excerpt")).to_contain_text("^")
    assert text.get_attribute("aria-invalid") == "true"
    assert note.get_attribute("id") in text.get_attribute("aria-describedby")
    violations(page, "errors")
    note.get_by_role("button", name="Go there").click()
    assert text.evaluate("area => area.value.slice(area.selectionStart)").startswith("nope")
    text.fill("One")
    expect(note).to_have_count(0)
    assert text.get_attribute("aria-invalid") is None
    # What is missing is said at the attempt to save, and the first of it is one key away.
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.locator("#problems")).to_be_focused()
    page.locator("#problems a").first.click()
    assert page.evaluate("document.activeElement.getAttribute('aria-invalid')") == "true"


def builds_an_audience(page):
    """Groups and conditions are added and removed by keyboard; the reach follows; an error stands at its condition."""
    opened(page, "new")
    press(page, "+ Group")
    expect(page.locator("[name='c.audience.items[0].kind']:not([type=hidden])")).to_be_focused()
    group = page.locator("#f-c-audience-items-0-")
    group.get_by_role("button", name="+ Attribute").press("Enter")
    expect(field(page, "c.audience.items[0].items[0].name")).to_be_focused()
    page.keyboard.type("country")
    field(page, "c.audience.items[0].items[0].value").fill("ZZ")
    expect(page.locator("[data-reach]")).to_contain_text("0 of")
    expect(page.locator("#f-audience_json")).to_have_value(re.compile('"value": ?"ZZ"'))
    field(page, "c.audience.items[0].items[0].comparison").select_option("matches_regex")
    field(page, "c.audience.items[0].items[0].value").fill("(")
    note = page.locator("[data-field='f-c-audience-items-0--items-0--value'] .field-note")
    expect(note).to_have_count(1)
    expect(page.locator("[data-reach]")).to_contain_text("Couldn’t estimate")
    field(page, "c.audience.items[0].items[0].comparison").select_option("exists")
    expect(field(page, "c.audience.items[0].items[0].value")).to_be_hidden()
    expect(note).to_have_count(0)
    group.get_by_role("button", name="Remove filter").press("Enter")
    expect(page.locator(":focus")).to_have_attribute("value", re.compile(r"^add c\.audience\.items\[0\]\.items"))
    page.get_by_text("As JSON", exact=True).click()
    box = page.get_by_label("Audience as JSON")
    box.fill('{"all": [{"segment": ')
    page.get_by_role("button", name="Use this JSON").click()
    said = page.locator("[data-field='f-audience_json'] .field-note")
    expect(said).to_contain_text("Line 1")
    with page.expect_response(re.compile("/check$")):
        field(page, "c.name").fill("Conditions")
    # The answer is drawn by then.
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(said).to_contain_text("Line 1")
    page.get_by_label("Audience as JSON").fill('{"none": [{"event": {"name": "cart", "within_days": 3}}]}')
    page.get_by_role("button", name="Use this JSON").click()
    expect(field(page, "c.audience.items[0].name")).to_have_value("cart")
    expect(field(page, "c.audience.items[0].days")).to_have_value("3")
    field(page, "c.audience.items[0].test").select_option("last:after")
    expect(field(page, "c.audience.items[0].days")).to_be_hidden()
    field(page, "c.audience.items[0].test").select_option("once")
    expect(field(page, "c.audience.items[0].days")).to_be_visible()


def makes_everything_by_hand(page):
    """What only the API could say can be typed: a conversion, a language, a trigger with a condition, a removal."""
    opened(page, "new")
    field(page, "c.name").fill("By hand")
    page.get_by_text("Custom campaign ID").click()
    field(page, "c.id").fill("by-hand")
    field(page, "c.variants[0].card.title").fill("Hello")
    field(page, "c.variants[0].card.description").fill("You")
    page.get_by_text("Translations").click()
    press(page, "Add language")
    expect(field(page, "c.variants[0].card.translations[0].tag")).to_be_focused()
    page.keyboard.type("ja")
    field(page, "c.variants[0].card.translations[0].title").fill("こんにちは")
    page.get_by_text("Action-based").click()
    field(page, "c.delivery.trigger.subject").select_option("purchase")
    expect(field(page, "c.delivery.trigger.name")).to_be_hidden()
    press(page, "Add property filter")
    expect(field(page, "c.delivery.trigger.filters[0].property")).to_be_focused()
    page.keyboard.type("price")
    field(page, "c.delivery.trigger.filters[0].comparison").select_option("greater_than")
    field(page, "c.delivery.trigger.filters[0].value").fill("5")
    field(page, "c.delivery.delay.number").fill("2")
    field(page, "c.delivery.delay.unit").select_option("hours")
    press(page, "Add removal event")
    field(page, "c.rules.remove_on[0].name").fill("bought")
    press(page, "Add conversion event")
    expect(field(page, "c.conversions[0].name")).to_be_focused()
    page.keyboard.type("Purchase")
    field(page, "c.conversions[0].on.subject").select_option("purchase")
    page.keyboard.press("Control+s")
    page.wait_for_url("**done=created")
    made = campaign("by-hand")
    assert made["delivery"]["trigger"] == {
        "purchase": True,
        "properties": [{"property": "price", "comparison": "greater_than", "value": 5}],
    }, made["delivery"]
    assert made["delivery"]["delay"] == 7200
    assert made["variants"][0]["card"]["translations"] == {"ja": {"title": "こんにちは"}}
    assert made["rules"]["remove_on"] == [{"event": "bought"}]
    assert made["conversions"][0]["on"] == {"purchase": True}


def brings_a_version_back(page):
    """The versions say in words what changed; an older one comes back as a new edit."""
    opened(page, "by-hand/edit")
    field(page, "c.variants[0].card.title").fill("Good bye")
    save(page)
    visit(page, f"{base}/dashboard/campaigns/by-hand/versions")
    row = page.locator("#differences tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Card: Title")
    expect(row.locator("del")).to_have_text("Hello")
    violations(page, "versions")
    page.get_by_role("link", name="Restore version 1").first.click()
    expect(field(page, "c.variants[0].card.title")).to_have_value("Hello")
    save(page)
    assert campaign("by-hand")["variants"][0]["card"]["title"] == "Hello"


def two_edit_at_once(page):
    """The second of two sees what the first changed; both changes are kept."""
    other = page.context.new_page()
    opened(page, "by-hand/edit")
    opened(other, "by-hand/edit")
    field(page, "c.name").fill("The first name")
    save(page)
    field(other, "c.variants[0].card.description").fill("Typed by the second")
    other.get_by_role("button", name="Save", exact=True).last.click()
    alert = other.get_by_role("alert")
    expect(alert).to_contain_text("Edit conflict")
    expect(alert.locator("tbody tr")).to_contain_text("The first name")
    expect(field(other, "c.name")).to_have_value("The first name")
    expect(field(other, "c.variants[0].card.description")).to_have_value("Typed by the second")
    violations(other, "conflict")
    save(other)
    other.close()
    made = campaign("by-hand")
    assert (made["name"], made["variants"][0]["card"]["description"]) == ("The first name", "Typed by the second")


def writes_content_blocks(page):
    """A block is written with its checks and preview, inserted into a card from the menu, and kept while it is used."""
    visit(page, f"{base}/dashboard/content-blocks/new")
    field(page, "c.name").fill("terms")
    content = field(page, "c.content")
    content.fill("Until {{ x | nope }}")
    expect(page.locator("[data-field='f-c-content'] .field-note")).to_contain_text("Line 1, column")
    content.fill("Until ")
    content.press("End")
    page.keyboard.type("{{ fir")
    page.keyboard.press("Enter")
    expect(content).to_have_value("Until {{ ${first_name} }}")
    content.fill("Until {{ 'sunday' | upcase }}")
    page.frame_locator(".phone-screen iframe").last.get_by_text("Until SUNDAY").wait_for()
    violations(page, "content block")
    page.keyboard.press("Control+s")
    page.wait_for_url("**/content-blocks/terms?done=block-saved")
    opened(page, "by-hand/edit")
    text = field(page, "c.variants[0].card.description")
    text.fill("Now. ")
    page.get_by_label("Insert content block").select_option("terms")
    expect(text).to_have_value("Now. {{content_blocks.${terms}}}")
    expect(text).to_be_focused()
    title = field(page, "c.variants[0].card.title")
    title.fill("Sale ")
    page.get_by_label("Insert content block").select_option("terms")
    expect(title).to_have_value("Sale {{content_blocks.${terms}}}")
    title.fill("Hello")
    page.frame_locator(".phone-screen iframe").last.get_by_text("Now. Until SUNDAY").wait_for()
    save(page)
    visit(page, f"{base}/dashboard/content-blocks")
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="terms", exact=True))
    row.get_by_role("link", name="The first name").click()
    page.wait_for_url("**/campaigns/by-hand")
    visit(page, f"{base}/dashboard/content-blocks/terms/delete")
    expect(page.get_by_role("alert")).to_contain_text("The first name")
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)
