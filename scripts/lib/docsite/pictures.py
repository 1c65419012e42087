"""Pictures of the dashboard for the guides, in each of their languages, kept beside a text of the labels that are on
each.

usage: pictures.py [--update]; see scripts/docs-screenshots

The data is that of dashboard_data, whose times move with the clock, so the pixels of two days differ. The labels don't:
where one has changed, the picture shows a dashboard that isn't there any more.
"""

import json
import os
import pathlib
import re
import sys
import tempfile

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts/lib"))
import dashboard_data  # noqa: E402
from dashboard_pages import browser, make_account  # noqa: E402
from placard_server import Connection, free_port  # noqa: E402

FOLDER = ROOT / "docs/images/dashboard"
CATALOGS = ROOT / "Server/Sources/Dashboard/Assets"
ARTWORK = ROOT / "Browser/Sources/FeedExample/Images/dunes.png"
SIZE = {"width": 1280, "height": 800}
TALL = 6_000
# The languages of the guides, with the locale of a browser.
LOCALES = {"en": "en-US", "ja": "ja-JP"}
# The pages of the guides, with the part that is shown where that isn't the window.
PICTURES = {
    "editor": ("/campaigns/{sale}/edit", None),
    "audience": ("/campaigns/{sale}/edit", "Target audience"),
    "delivery": ("/campaigns/{sale}/edit", "Delivery"),
    "conversions": ("/campaigns/{sale}/edit", "Conversion events"),
    "test": ("/campaigns/{sale}/test", None),
    "launch": ("/campaigns/{sale}/launch", None),
    "report": ("/campaigns/autumn-sale", None),
    "comparison": ("/campaigns/autumn-sale", "Comparison"),
    "eligibility": ("/users/u-00007", None),
    "content-types": ("/content-types", None),
    "approval": ("/campaigns/{sale}/approval", None),
}
# What stands on a page whatever its data: headings, labels, buttons and columns.
LABELS = """() => {
    const found = [];
    for (const part of document.querySelectorAll("nav a, h1, h2, h3, legend, label, th, button, a.button, summary")) {
        if (!part.checkVisibility()) continue;
        const texts = [...part.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data);
        const own = texts.join(" ") || part.textContent;
        const text = own.replace(/\\s+/g, " ").trim();
        if (text) found.push(text);
    }
    return found;
}"""


# What a team that works in the language has written: the texts of a campaign that is made, and of one that has a
# report.
SALES = {
    "en": {
        "id": "weekend-sale",
        "name": "Weekend sale",
        "tag": "sale",
        "title": "Weekend sale, {{${first_name} | default: 'for you'}}",
        "description": "Everything for outside, 20 % off until Sunday.",
        "alt": "Dunes in the evening",
        "link": "See the offers",
        "variants": ("Picture", "Control"),
        "goal": "Bought something",
        "request": (
            "The picture is that of the shop’s page. Please look at the audience again: gold members in Germany and"
            " France."
        ),
    },
    "ja": {
        "id": "shumatsu-sale",
        "name": "週末セール",
        "tag": "セール",
        "title": "{{${first_name} | default: 'お客'}}さまへ、週末セール",
        "description": "アウトドア用品がすべて20％オフ。日曜日まで。",
        "alt": "夕暮れの砂丘",
        "link": "セールを見る",
        "variants": ("画像あり", "コントロール"),
        "goal": "購入",
        "request": (
            "画像はショップのページと同じものです。対象ユーザー（ドイツとフランスのゴールド会員）をもう一度確認してください。"
        ),
    },
}
REPORTED = {
    "ja": {
        "name": "秋のセール：どちらの画像が売れるか",
        "tags": ["セール", "秋"],
        "variants": {"a": "大きな画像", "b": "小さな画像", "control": "コントロール"},
        "conversions": {"bought": "購入", "signed-up": "会員登録"},
        "cards": {
            "a": ("日曜日まで20％オフ", "寒い季節に備えるすべてがそろいます。"),
            "b": ("秋のコートをご用意しました", "{{${first_name} | default: 'お客'}}さま、日曜日まで20％オフです。"),
        },
    }
}


def campaign(image, texts):
    card = {
        "type": "captioned_image",
        "title": texts["title"],
        "description": texts["description"],
        "image": image,
        "image_alt": texts["alt"],
        "image_aspect_ratio": 1.6,
        "url": "https://shop.example.com/sale",
        "domain": texts["link"],
    }
    picture, control = texts["variants"]
    return {
        "id": texts["id"],
        "name": texts["name"],
        "tags": [texts["tag"]],
        "audience": {
            "all": [
                {"attribute": "plan", "value": "gold"},
                {"attribute": "country", "comparison": "is_any_of", "value": ["DE", "FR"]},
                {"none": [{"purchase": {"within_days": 7}}]},
            ]
        },
        "variants": [
            {"id": "a", "name": picture, "weight": 9, "card": card},
            {"id": "control", "name": control, "weight": 1, "control": True},
        ],
        "conversions": [
            {
                "id": "bought",
                "name": texts["goal"],
                "on": {"purchase": True},
                "window_seconds": 7 * 86_400,
                "from": "delivery",
            }
        ],
    }


def rename(server, texts):
    """Gives the campaign of the report the words of a team that works in another language."""
    campaign = server.manage("GET", "/v1/campaigns/autumn-sale")
    campaign.update(name=texts["name"], tags=texts["tags"])
    for kind in ("variants", "conversions"):
        for part in campaign[kind]:
            part["name"] = texts[kind][part["id"]]
            if part.get("card"):
                part["card"]["title"], part["card"]["description"] = texts["cards"][part["id"]]
    server.manage("PUT", "/v1/campaigns/autumn-sale", campaign)


def upload(server):
    """Puts a picture into the media library, and returns its address."""
    connection = Connection(server.port, server.secret).connection
    connection.request(
        "POST",
        "/v1/media?name=dunes.png&alt=Dunes%20in%20the%20evening",
        ARTWORK.read_bytes(),
        {"Authorization": f"Bearer {server.secret}", "Content-Type": "image/png"},
    )
    reply = connection.getresponse().read().decode()
    return re.search(r'"url":"([^"]+)"', reply)[1].replace("\\/", "/")


def ask_for_approval(server, texts):
    """Has the launch of the campaign wait for a member."""
    server.manage("PATCH", "/v1/settings", {"launch_approval": "everyone"})
    server.manage("POST", f"/v1/campaigns/{texts['id']}/approvals", {"comment": texts["request"]})


def labels(page):
    """The labels of a page, with its numbers left out, each once."""
    return "\n".join(dict.fromkeys(re.sub(r"\d[\d.,]*", "0", text) for text in page.evaluate(LABELS))) + "\n"


def shoot(page, part):
    """A picture of the window, or of the section with a heading."""
    if part is None:
        return page.screenshot()
    section = (
        page.locator("section, fieldset, .card").filter(has=page.get_by_role("heading", name=part, exact=True)).last
    )
    # So tall that the bar at the window's end is below all of it.
    page.set_viewport_size({**SIZE, "height": TALL})
    try:
        return section.screenshot()
    finally:
        page.set_viewport_size(SIZE)


def compare(folder, name, text):
    kept = folder / f"{name}.txt"
    old = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
    new = text.splitlines()
    gone, come = [line for line in old if line not in new], [line for line in new if line not in old]
    return [
        f"{kept.relative_to(FOLDER)}: {kind} “{line}”"
        for kind, lines in (("no longer there:", gone), ("new:", come))
        for line in lines
    ]


def take(page, server, language, is_update):
    """Takes the pictures of a language, or says which labels have changed."""
    folder, found = FOLDER if language == "en" else FOLDER / language, []
    folder.mkdir(parents=True, exist_ok=True)
    texts = {} if language == "en" else json.loads((CATALOGS / f"{language}.json").read_text(encoding="utf-8"))["texts"]
    for name, (path, part) in PICTURES.items():
        if name == "approval":
            ask_for_approval(server, SALES[language])
        page.goto(f"{server.address}/dashboard{path.format(sale=SALES[language]['id'])}", wait_until="networkidle")
        text = labels(page)
        if is_update:
            page.wait_for_timeout(700)
            (folder / f"{name}.png").write_bytes(shoot(page, texts.get(part, part)))
            (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        else:
            found += compare(folder, name, text)
    server.manage("PATCH", "/v1/settings", {"launch_approval": "none"})
    return found


def main():
    is_update, found = sys.argv[1:] == ["--update"], []
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright, browser(playwright) as chromium:
        server = dashboard_data.Server(os.environ["PLACARD"], work, free_port())
        try:
            dashboard_data.fill(server, users=4_000 if is_update else 40)
            image, state = upload(server), None
            for language, locale in LOCALES.items():
                server.manage("POST", "/v1/campaigns", campaign(image, SALES[language]))
                if language in REPORTED:
                    rename(server, REPORTED[language])
                context = chromium.new_context(
                    storage_state=state, viewport=SIZE, color_scheme="light", reduced_motion="reduce", locale=locale
                )
                page = context.new_page()
                if state is None:
                    make_account(page, server.dashboard)
                    state = context.storage_state()
                found += take(page, server, language, is_update)
                context.close()
        finally:
            server.stop()
    print(
        "\n".join(f"!! {line}" for line in found)
        or f"{len(PICTURES) * len(LOCALES)} pictures of the dashboard show its labels."
    )
    if found:
        print("Run scripts/docs-screenshots --update, look at the pictures, and at what the guides say.")
    sys.exit(1 if found else 0)


main()
