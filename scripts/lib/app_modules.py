"""Makes modules of the SDK as Apple's compiler would see them, where there is no Objective-C: the classes of BrowserUIKit are `@objc` in them, as
UIKit's are, and `#selector`, `@objc`, `@IBOutlet` and overrides in extensions mean what they mean in an app.

The compiler reads the real sources without the bodies of functions. What is made can be type-checked against and can't run.
"""

import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
SELECTORS = ROOT / "scripts/lib/app-modules/Selectors.swift"
IMPORTS = ("AppboyUI", "AppboyKit", "Appboy_iOS_SDK", "UIKit", "WebKit")
INTEROP = ["-Xfrontend", "-enable-objc-interop", "-Xfrontend", "-disable-objc-attr-requires-foundation-module"]
# Objective-C has no generic classes of Swift's, and these are what they inherit from.
GENERIC = re.compile(r"Anchor$|^NSLayoutDimension$")
CLASS = re.compile(r"^( *)((?:public |open |final )+class )(?!func |var |let )(\w+)(?=[ :{])", re.MULTILINE)
MEMBER = re.compile(r"^(    )(open (?:override )?(?:class )?func )", re.MULTILINE)
# Two methods of UIKit have one selector each where Swift tells them apart by the type.
TWICE = re.compile(r"^( +)(public func register\(_ nib: )", re.MULTILINE)


def run(*command):
    made = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    return made.returncode, made.stderr + made.stdout


def as_in_objective_c(text):
    """The source of a file of BrowserUIKit, with what UIKit's classes have from Objective-C."""
    def mark(match):
        space, keywords, name = match.groups()
        return match.group(0) if GENERIC.search(name) else f"{space}@objc @objcMembers {keywords}{name}"
    return TWICE.sub(r"\1@nonobjc \2", MEMBER.sub(r"\1dynamic \2", CLASS.sub(mark, text)))


def copied(module, folder):
    """Copies the sources of a module; returns them."""
    target = pathlib.Path(folder, "sources", module)
    # A catalog of documentation has sources that show how the module is used.
    shutil.copytree(SOURCES / module, target, ignore=shutil.ignore_patterns("*.docc"))
    files = sorted(target.rglob("*.swift"))
    for file in files:
        text = file.read_text()
        if module == "BrowserUIKit":
            file.write_text(as_in_objective_c(text))
        elif file.name == "ABKContentCardsTableViewController.swift":
            # One of two forms of an override point; on Apple's platforms it has a selector of its own.
            file.write_text(text.replace("    open func localizedAppboyContentCardsString(_ key: String) ",
                                         "    @nonobjc open func localizedAppboyContentCardsString(_ key: String) "))
    bundle = target / "Bundle.swift"
    bundle.write_text("import Foundation\nextension Bundle { static var module: Bundle { .main } }\n")
    return [*files, bundle]


def emit(name, folder, files, *options):
    return run("swiftc", "-emit-module", "-parse-as-library", "-module-name", name, "-package-name", "placard", "-swift-version", "6",
               "-Xfrontend", "-experimental-skip-all-function-bodies", "-I", folder, *options, "-o", f"{folder}/{name}.swiftmodule", *files)


def make(folder):
    """Makes every module that an app imports in a folder; returns what the compiler says where it can't."""
    for module in ("BrowserUIKit", "ContentCards", "ContentCardsUI", "ContentCardsABK"):
        code, said = emit(module, folder, copied(module, folder), *([] if module == "ContentCards" else INTEROP))
        if code:
            return said
    names = pathlib.Path(folder, "sources")
    # Last: the SDK asks whether there is Objective-C by whether there is this module.
    steps = [("ObjectiveC", SELECTORS.read_text())]
    for name in IMPORTS:
        text = "".join(file.read_text() for file in (SOURCES / "DocumentedImports" / name).glob("*.swift"))
        steps.append((name, text + ("@_exported import ObjectiveC\n" if name == "UIKit" else "")))
    for name, text in steps:
        file = names / f"{name}.swift"
        file.write_text(text)
        code, said = emit(name, folder, [file], *INTEROP)
        if code:
            return said
    return ""


def check(folder, files):
    """Type-checks files of an app as one module; returns what the compiler says of each file that does not compile."""
    code, said = run("swiftc", "-typecheck", "-wmo", "-parse-as-library", "-swift-version", "5", "-Xfrontend", "-enable-objc-interop",
                     "-I", folder, *files)
    wrong = {}
    for line in said.splitlines():
        if match := re.match(r"(/\S.*\.swift):\d+:\d+: (?:fatal )?error: (.*)", line):
            wrong.setdefault(match.group(1), []).append(match.group(2))
    if code and not wrong:
        wrong["the app"] = [said]
    return wrong
