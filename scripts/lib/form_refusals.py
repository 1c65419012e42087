"""What forms say where the server refuses them, and before what was typed is left."""

from playwright.sync_api import expect

from dashboard_pages import field
from editor_page import api, base, enter, opened, press, save, sign_in, visit


def refuse(page, status, body=""):
    """Has the server refuse to draw the form again, until `page.unroute_all()`."""
    page.route("**/campaigns/reshape", lambda route: route.fulfill(status=status, body=body, content_type="text/html"))


def says_why_it_was_refused(page):
    """A refusal is said in view in words of its own, is no end of the session, and takes nothing that was typed."""
    opened(page, "new")
    field(page, "c.name").fill("Refused")
    page.get_by_text("Translations").click()
    forbidden = '<main id="main"><h1>You don’t have permission</h1><p>Your role is Viewer.</p></main>'
    for status, body, words in (
        (403, forbidden, "You don’t have permission: Your role is Viewer."),
        (403, "<h1>Forbidden</h1><p>nginx</p>", "You don’t have permission to do this. Contact your administrator."),
        (413, "", "This is too large for the server. Shorten it, then try again."),
        (429, "", "Too many requests. Wait a moment, then try again."),
        (503, "", "The server is busy. Try again in a few seconds."),
        (500, "", "Something went wrong: Try again. If the problem persists, contact your administrator."),
    ):
        refuse(page, status, body)
        press(page, "Add language")
        expect(page.locator("#form-refused")).to_have_text(words)
        expect(page.locator("#form-refused")).to_be_in_viewport()
        expect(page.locator("#session-ended")).to_have_count(0)
        page.unroute_all()
    press(page, "Add language")
    expect(field(page, "c.variants[0].card.translations[0].tag")).to_be_focused()
    expect(page.locator("#form-refused")).to_have_count(0)
    expect(field(page, "c.name")).to_have_value("Refused")


def renews_its_token(page):
    """A form whose token is of an earlier session goes on with that of the new one, and says nothing."""
    opened(page, "new")
    page.locator("form[data-editor] [name=csrf]").evaluate("input => (input.value = 'old')")
    page.get_by_text("Translations").click()
    press(page, "Add language")
    expect(field(page, "c.variants[0].card.translations[0].tag")).to_be_focused()
    expect(page.locator("#session-ended")).to_have_count(0)
    expect(page.locator("#form-refused")).to_have_count(0)


def says_that_it_stands_still(page):
    """Numbers that no longer follow the server, since the session has ended, say so and lead back to themselves."""
    card = {"type": "classic", "title": "T", "description": "D"}
    api(
        "POST",
        "/v1/campaigns",
        {"id": "standing-still", "name": "Standing still", "variants": [{"id": "a", "name": "A", "card": card}]},
    )
    with page.expect_response("**/dashboard/live"):
        visit(page, f"{base}/dashboard?from=here")
    page.context.clear_cookies()
    api("POST", "/v1/campaigns/standing-still/launch", {})
    expect(page.locator("#stands-still")).to_be_visible()
    page.locator("#stands-still").get_by_role("link", name="Sign in").click()
    enter(page)
    page.wait_for_url("**/dashboard?from=here")
    api("POST", "/v1/campaigns/standing-still/stop", {"withdraw": True})


def stays_where_nobody_answers(page):
    """What was typed stays on its page where no server answers, and is saved once one does."""
    opened(page, "new")
    field(page, "c.name").fill("Typed without a network")
    field(page, "c.variants[0].card.title").fill("T")
    field(page, "c.variants[0].card.description").fill("D")
    page.context.set_offline(True)
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.locator("#form-refused")).to_contain_text("The server did not answer.")
    expect(field(page, "c.name")).to_have_value("Typed without a network")
    page.context.set_offline(False)
    save(page)
    expect(field(page, "c.name")).to_have_value("Typed without a network")

    visit(page, f"{base}/dashboard/settings")
    page.locator("[name=card_limit]").fill("249")
    page.context.set_offline(True)
    page.get_by_role("button", name="Save settings").click()
    expect(page.locator("#form-refused")).to_contain_text("The server did not answer.")
    page.context.set_offline(False)
    page.get_by_role("button", name="Save settings").click()
    page.wait_for_url("**/dashboard/settings*")
    expect(page.locator("#form-refused")).to_have_count(0)


def asks_before_settings_are_left(page):
    """What was typed into the settings isn't left without a question, and a page on which nothing was typed is."""
    questions = []

    def note(dialog):
        questions.append(dialog.type)

    page.on("dialog", note)
    visit(page, f"{base}/dashboard/settings")
    page.locator("[name=card_limit]").press_sequentially("7")
    visit(page, f"{base}/dashboard")
    # A visit that a busy browser gave up is made, and asked about, once more.
    assert set(questions) == {"beforeunload"}, questions
    questions.clear()
    visit(page, f"{base}/dashboard/settings")
    page.locator("[name=card_limit]").click()
    visit(page, f"{base}/dashboard")
    assert not questions, "a page on which nothing was typed asks, too"
    page.remove_listener("dialog", note)


def asks_before_tokens_are_required(page):
    """User tokens are required after a question alone; a no leaves the page as it was, with what was chosen unsaved."""
    visit(page, f"{base}/dashboard/settings")
    page.locator("[name=user_tokens]").select_option("required")
    page.get_by_role("button", name="Save settings").click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("Require user tokens?")
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_have_count(0)
    with page.expect_event("dialog") as asked:
        visit(page, f"{base}/dashboard")
    assert asked.value.type == "beforeunload", asked.value.type
    assert api("GET", "/v1/settings")["user_tokens"] == "disabled"


def leads_to_what_is_wrong(page):
    """A line at the top of the settings leads to its field, which has the focus then."""
    visit(page, f"{base}/dashboard/settings")
    for name in ("card_limit", "audit_days"):
        page.locator(f"[name={name}]").fill("x")
    page.get_by_role("button", name="Save settings").click()
    page.get_by_role("link", name="Audit log retention").click()
    expect(page.locator("[name=audit_days]")).to_be_focused()


def outlives_a_session_that_is_gone(page):
    """What was typed stays where the server knows the session no more, and is saved after signing in elsewhere."""
    visit(page, f"{base}/dashboard/settings")
    page.locator("[name=card_limit]").fill("248")
    page.context.clear_cookies()
    page.get_by_role("button", name="Save settings").click()
    expect(page.locator("#form-refused")).to_contain_text("Your session has ended.")
    expect(page.locator("[name=card_limit]")).to_have_value("248")
    other = page.context.new_page()
    sign_in(other)
    other.close()
    page.get_by_role("button", name="Save settings").click()
    page.wait_for_url("**done=saved*")
    expect(page.locator("[name=card_limit]")).to_have_value("248")
