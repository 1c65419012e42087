"""Pages as a browser reads them: forms, links, and what a stored text has turned into."""

import html.parser
import urllib.parse


class Form:
    """A form with the values that it has before anyone types."""

    def __init__(self, attributes):
        self.action = attributes.get("action", "")
        self.method = attributes.get("method", "get").lower()
        self.fields = {}
        self.names = []

    def add(self, name, value, is_chosen=True):
        if name and name not in self.names:
            self.names.append(name)
        if name and is_chosen:
            self.fields[name] = value


class Page(html.parser.HTMLParser):
    """The elements of a page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.forms, self.links, self.elements, self.texts = [], [], [], []
        self.form, self.select, self.area, self.script = None, None, None, None
        self.scripts = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        values = {name: value or "" for name, value in attributes}
        self.elements.append((tag, values))
        for name in ("href", "src", "action", "formaction"):
            if name in values:
                self.links.append((tag, name, values[name]))
        if tag == "form":
            self.form = Form(values)
            self.forms.append(self.form)
        elif tag == "script":
            self.script = []
        elif self.form is not None:
            self.field(tag, values)

    def field(self, tag, values):
        if tag == "input":
            is_chosen = values.get("type") not in ("checkbox", "radio") or "checked" in values
            self.form.add(values.get("name"), values.get("value", "on" if is_chosen else ""), is_chosen)
        elif tag == "button" and values.get("name"):
            self.form.add(values["name"], values.get("value", ""), False)
        elif tag == "select":
            self.select = values.get("name")
            self.form.add(self.select, "", False)
        elif tag == "option" and self.select:
            if "selected" in values or self.select not in self.form.fields:
                self.form.fields[self.select] = values.get("value", "")
        elif tag == "textarea":
            self.area = (values.get("name"), [])

    def handle_endtag(self, tag):
        if tag == "form":
            self.form = None
        elif tag == "select":
            self.select = None
        elif tag == "script" and self.script is not None:
            self.scripts.append("".join(self.script))
            self.script = None
        elif tag == "textarea" and self.area and self.form is not None:
            # A browser drops the first line break.
            self.form.add(self.area[0], "".join(self.area[1]).removeprefix("\n"))
            self.area = None

    def handle_data(self, data):
        if self.script is not None:
            self.script.append(data)
        elif self.area is not None:
            self.area[1].append(data)
        else:
            self.texts.append(data)

    @property
    def addresses(self):
        """Where links lead, as paths of this server."""
        return [value for tag, name, value in self.links if tag == "a" and value.startswith("/dashboard")]

    @property
    def query_names(self):
        """The names in the queries of links and of forms that are sent by GET."""
        names = set()
        for address in self.addresses:
            names.update(urllib.parse.parse_qs(urllib.parse.urlsplit(address).query, keep_blank_values=True))
        for form in self.forms:
            if form.method == "get":
                names.update(form.names)
        return names
