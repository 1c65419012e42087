"""Guesses of a password, as a client behind a proxy makes them."""

LOG = "journalctl --sync && journalctl --no-pager --unit placard --grep 'Failed sign-in from' --output cat"
CSRF = r"""grep --only-matching 'name="csrf" value="[^"]*' | head -1 | cut -d '"' -f 4"""


def guess(machine, name, client, claimed):
    """Guesses once from an address of the machine that claims to pass another one on; returns the new lines of the
    log, and what was said."""
    before = machine.run(LOG).stdout.splitlines()
    page = f"https://{name}/dashboard/sign-in"
    asked = f"curl --silent --cookie jar --cookie-jar jar --resolve {name}:443:{client} --interface {client}"
    said = machine.run(
        f"cd $(mktemp --directory)\ncsrf=$({asked} {page} | {CSRF})\n"
        f"{asked} --output /dev/null --write-out '%{{http_code}}' --data-urlencode \"csrf=$csrf\""
        " --data-urlencode email=guess@example.com --data-urlencode password=wrong"
        f" --header 'Forwarded: for={claimed}' --header 'X-Forwarded-For: {claimed}' {page}"
    )
    return machine.run(LOG).stdout.splitlines()[len(before) :], said
