"""Imports users from files in a browser, by mouse and by keyboard, through breaks and restarts; see
scripts/check-dashboard.

usage: check_import.py DIRECTORY, where a picture of each step goes
"""

import os
import pathlib
import re
import sys
import tempfile

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

import dashboard_data
from dashboard_pages import VISITS, browser, is_too_wide, make_account, out_of_reach, visit
from hands import Keyboard, Mouse
from placard_server import PATIENCE, free_port

ROWS = (
    "Customer ID,E-Mail,First"
    " Name,points,code\n{0}-1,one@example.com,Ann,10,007\n{0}-2,two@example.com,Bob,many,008\n{0}-3,,Chris,30,009\n"
)


class ImportFlow:
    def __init__(self, chromium, state, server, pictures, hands=Mouse, **options):
        self.server, self.pictures, self.steps = server, pictures, 0
        self.context = chromium.new_context(
            storage_state=state, viewport={"width": 1440, "height": 900}, locale="en-US", **options
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.hands, self.kind = hands(self.page), hands.__name__.lower()

    def picture(self, name):
        self.steps += 1
        self.page.screenshot(path=f"{self.pictures}/import-{self.kind}-{self.steps:02}-{name}.png", full_page=True)

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def open(self):
        self.page.goto(f"{self.server.address}/dashboard/users/imports")

    def choose(self, path):
        """Opens the browser's own dialog, and chooses a file in it."""
        with self.page.expect_file_chooser() as chooser:
            self.hands.press(self.page.get_by_label("CSV or JSON Lines file"))
        chooser.value.set_files(path)

    def await_upload(self):
        self.page.wait_for_url(re.compile("/imports/imp_"))

    def start(self):
        self.hands.press(self.button("Start import"))
        self.await_end()

    def await_end(self):
        expect(self.page.get_by_role("heading", name="Import finished")).to_be_visible(timeout=6 * PATIENCE * 1000)

    def figures(self):
        return [text.strip() for text in self.page.locator(".import-figures .figure").all_inner_texts()]

    def attributes(self, user):
        return self.server.manage("GET", f"/v1/users/{user}")

    # ---- The way of a marketer ----

    def import_file(self, work):
        """From the list of users to their attributes, with a column of numbers and a row that has none."""
        path = pathlib.Path(work, f"{self.kind}.csv")
        path.write_text(ROWS.format(self.kind))
        self.page.goto(f"{self.server.address}/dashboard/users")
        self.hands.press(self.page.get_by_role("link", name="Import users"))
        self.page.wait_for_url("**/users/imports")
        self.picture("list")
        self.choose(path)
        self.await_upload()
        for label, value in {
            "Customer ID": "user_id",
            "E-Mail": "attribute:email",
            "First Name": "attribute:first_name",
        }.items():
            expect(self.page.get_by_label(label)).to_have_value(value)
        self.picture("columns")
        self.hands.choose(self.page.get_by_label("points"), "Custom attribute (number)")
        self.hands.choose(self.page.get_by_label("code"), "Custom attribute (text)")
        expect(self.page.get_by_label("code")).to_have_value("custom:text")
        self.start()
        self.picture("result")
        assert self.figures() == ["2 users", "1"], self.figures()
        expect(self.page.get_by_text("Column “points”: A number is expected.")).to_be_visible()
        with self.page.expect_download() as download:
            self.hands.press(self.page.get_by_role("link", name="Download as CSV"))
        lines = pathlib.Path(download.value.path()).read_text().splitlines()
        assert lines[0] == "line,reason" and lines[1].startswith("3,"), lines
        user = self.attributes(f"{self.kind}-1")
        assert user["attributes"]["email"] == "one@example.com" and user["custom_attributes"] == {
            "points": 10,
            "code": "007",
        }, user

    def fix_columns(self, work):
        """A choice that can't be imported is said beside the columns, which stay as they were chosen."""
        path = pathlib.Path(work, "fix.csv")
        path.write_text("number,plan\n1,pro\n")
        self.open()
        self.choose(path)
        self.await_upload()
        self.hands.press(self.button("Start import"))
        expect(self.page.get_by_role("alert")).to_contain_text("Choose the column that has the user ID.")
        self.picture("problem")
        self.hands.press(self.button("Cancel import"))
        self.hands.press(self.page.get_by_role("dialog").get_by_role("button", name="Cancel import"))
        expect(self.page.get_by_role("heading", name="Import canceled")).to_be_visible()

    # ---- Other ways in ----

    def drop_and_paste(self):
        self.open()
        data = self.page.evaluate_handle("""() => {
            const data = new DataTransfer();
            data.items.add(new File(["user_id,plan\\ndropped,pro\\n"], "dropped.csv"));
            return data;
        }""")
        self.page.dispatch_event("[data-import-drop]", "drop", {"dataTransfer": data})
        self.await_upload()
        self.start()
        self.open()
        self.page.evaluate("""() => {
            const data = new DataTransfer();
            data.setData("text/plain", '{"user_id": "pasted", "plan": "pro"}\\n');
            document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
        }""")
        self.await_upload()
        self.start()
        assert [self.attributes(user)["custom_attributes"]["plan"] for user in ("dropped", "pasted")] == ["pro", "pro"]

    def refuse(self, work):
        path = pathlib.Path(work, "users.xlsx")
        path.write_text("x")
        self.open()
        self.choose(path)
        expect(self.page.locator("[data-import-status]")).to_contain_text("has to be CSV or JSON Lines")

    def choose_again(self, work):
        """The same file that is chosen once more is uploaded, which browsers don't take for a change by themselves."""
        path = pathlib.Path(work, "again.xlsx")
        path.write_text("x")
        self.open()
        self.choose(path)
        expect(self.page.locator("[data-import-status]")).to_contain_text("has to be CSV or JSON Lines")
        chosen = self.page.locator("[data-import-file]")
        assert chosen.evaluate("input => input.files.length") == 1
        with self.page.expect_file_chooser():
            self.hands.press(chosen)
        assert chosen.evaluate("input => input.files.length") == 0

    def outlive_the_session(self, work):
        """A page whose session has ended says so, and uploads once one has signed in again in another tab."""
        path = pathlib.Path(work, "later.csv")
        path.write_text("user_id,note\nlater,1\n")
        self.open()
        self.context.clear_cookies()
        self.choose(path)
        expect(self.page.locator("[data-import-status]")).to_contain_text("Your session has ended.")
        other = self.context.new_page()
        other.goto(f"{self.server.address}/dashboard")
        other.get_by_label("Email address").fill("anna@example.com")
        other.get_by_label("Password").fill(dashboard_data.PASSWORD)
        other.get_by_role("button", name="Sign in", exact=True).click()
        other.wait_for_url("**/dashboard")
        other.close()
        self.choose(path)
        self.await_upload()

    def keep_the_focus(self):
        """What has the focus keeps it while the progress is drawn again, and the page has it once that is over."""
        state, row = "running", '<a href="/dashboard/users" download>Rejected</a>'

        def page(route):
            answer = route.fetch()
            form = '<form data-import-cancel><button type="button">Cancel import</button></form></main>'
            body = answer.text().replace('data-import-state=""', 'data-import-state="running"')
            route.fulfill(response=answer, body=body.replace("</main>", form))

        def progress(route):
            body = f'<section data-import-state="{state}"><h2>Import</h2></section>{row}'
            route.fulfill(status=200, content_type="text/html", body=body)

        self.page.goto(f"{self.server.address}/dashboard/users/imports")
        address = self.page.locator("tbody tr", has_text="Finished").first.locator("a").first.get_attribute("href")
        self.page.route(f"**{address}", page)
        self.page.route("**/*part=progress", progress)
        self.page.goto(f"{self.server.address}{address}")
        link = self.page.get_by_role("link", name="Rejected", exact=True)
        link.focus()
        link.evaluate("link => (link.dataset.isOld = 'yes')")
        expect(self.page.locator("[data-is-old]")).to_have_count(0)
        expect(link).to_be_focused()
        self.button("Cancel import").focus()
        state = ""
        expect(self.button("Cancel import")).to_have_count(0)
        expect(self.page.locator("#main")).to_be_focused()
        self.page.unroute_all()

    def go_on(self, work):
        """A file that was sent half is gone on with, and its import goes on after a restart of the server."""
        rows = 40_000
        path = pathlib.Path(work, "large.csv")
        path.write_text("user_id,note\n" + "".join(f"large-{n},{'x' * 30}\n" for n in range(rows)))
        sent = []
        self.page.on("request", lambda request: sent.append(request.url) if "/piece?" in request.url else None)
        self.open()
        self.page.route(
            "**/piece?offset=1048576",
            lambda route: route.fulfill(
                status=409, content_type="application/json", body='{"error": "The network broke."}'
            ),
        )
        self.choose(path)
        expect(self.page.locator("[data-import-status]")).to_have_text("The network broke.")
        self.page.unroute_all()
        self.page.reload()
        sent.clear()
        self.choose(path)
        self.await_upload()
        assert sent[0].endswith("offset=1048576"), sent
        self.hands.press(self.button("Start import"))
        expect(self.page.get_by_role("heading", name="Importing")).to_be_visible()
        self.picture("importing")
        address = self.page.url
        self.page.goto("about:blank")
        self.server.stop()
        self.server.start()
        self.page.goto(address)
        self.await_end()
        assert self.figures() == [f"{rows:,} users", "0"], self.figures()
        self.attributes(f"large-{rows - 1}")

    def without_script(self, work):
        """The whole file in one form, of more than a proxy of pictures would hold in memory."""
        path = pathlib.Path(work, "plain.csv")
        path.write_text("user_id,note\nplain,1\n" + "x" * 20_000_000 + "\n")
        self.open()
        self.page.get_by_label("CSV or JSON Lines file").set_input_files(path)
        self.button("Upload").click()
        self.await_upload()
        self.button("Start import").click()
        heading = self.page.get_by_role("heading", name="Import finished")
        for _ in range(6 * PATIENCE):
            if heading.count():
                break
            self.page.wait_for_timeout(1000)
            self.page.reload()
        assert self.figures() == ["1 user", "1"], self.figures()


def look(chromium, state, address):
    """Looks for accessibility violations and what is outside the window on every page of imports."""
    problems = []
    with visit(chromium, state, "light", "laptop") as page:
        page.goto(f"{address}/dashboard/users/imports")
        page.locator("[data-import-file]").set_input_files(
            {
                "name": "wide.csv",
                "mimeType": "text/csv",
                "buffer": (",".join(["user_id"] + [f"column_{n}" for n in range(30)]) + "\nu1\n").encode(),
            }
        )
        page.wait_for_url(re.compile("/imports/imp_"))
        paths = ["/users/imports"] + [
            link.get_attribute("href").removeprefix("/dashboard") for link in _links(page, address)
        ]
    for look, language, device in VISITS["short"]:
        with visit(chromium, state, look, device, language) as page:
            page.on(
                "console",
                lambda message: problems.append(message.text) if "Security Policy" in message.text else None,
            )
            for path in paths:
                page.goto(f"{address}/dashboard{path}")
                place = f"{path}, {device}, {look}, {language}"
                problems += [f"{place}: wider than the window"] if is_too_wide(page) else []
                problems += [f"{place}: {problem}" for problem in out_of_reach(page)]
                problems += [
                    f"{place}: {violation['id']}: {violation['nodes'][0]['html']}"
                    for violation in Axe().run(page)["violations"]
                ]
    return problems


def _links(page, address):
    """One import of each status."""
    page.goto(f"{address}/dashboard/users/imports")
    rows, seen = [], set()
    for row in page.locator("tbody tr").all():
        status = row.locator(".badge").inner_text()
        if status not in seen:
            seen.add(status)
            rows.append(row.locator("a").first)
    assert {"Ready to import", "Finished", "Canceled"} <= seen, seen
    return rows


def main():
    pictures = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright, browser(playwright) as chromium:
        server = dashboard_data.Server(os.environ["PLACARD"], f"{work}/server", free_port())
        try:
            context = chromium.new_context(locale="en-US")
            make_account(context.new_page(), server.dashboard)
            state = context.storage_state()
            for hands in (Mouse, Keyboard):
                flow = ImportFlow(chromium, state, server, pictures, hands)
                flow.import_file(work)
                flow.fix_columns(work)
                print(f"A file of users was uploaded, its columns chosen, and imported by {flow.kind}.", flush=True)
            flow = ImportFlow(chromium, state, server, pictures)
            flow.drop_and_paste()
            flow.refuse(work)
            flow.choose_again(work)
            flow.outlive_the_session(work)
            flow.keep_the_focus()
            flow.go_on(work)
            print(
                "A file that was sent half was gone on with, and its import after a restart of the server.", flush=True
            )
            ImportFlow(chromium, state, server, pictures, java_script_enabled=False).without_script(work)
            problems = look(chromium, state, server.address)
        finally:
            server.stop()
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(1)
    print("Users are imported without JavaScript, too, and the pages of imports are without violations.")


main()
