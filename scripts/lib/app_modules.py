"""Makes modules of the SDK as Apple's compiler would see them, where there is no Objective-C: the classes of
BrowserUIKit are `@objc` in them, as UIKit's are, and `#selector`, `@objc`, `@IBOutlet` and overrides in extensions mean
what they mean in an app.

The compiler reads the real sources without the bodies of functions. What is made can be type-checked against and can't
run."""

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
# Methods that belong to Objective-C take these.
TAKEN = re.compile(
    r"^(public (?:protocol UIViewControllerTransitionCoordinator|enum UIBackgroundFetchResult))", re.MULTILINE
)
# What an app's file has from Apple's compiler: a subclass of NSObject belongs to Objective-C, Foundation is one module,
# and whatever else it imports is there, if empty.
OBJECT = re.compile(
    r"^((?:(?:public|open|final|private|fileprivate|internal) )*class \w+ *: *NSObject\b)", re.MULTILINE
)
# Values of CoreGraphics are structures of C to Apple's compiler, and can be set in an editor of interfaces; here they
# are Swift's. A notification is a class there, which a method that a selector names may take.
INSPECTED = re.compile(
    r"@IBInspectable\s+(?=(?:(?:public|open|private|fileprivate|internal|dynamic|weak|override) )*var \w+"
    r"\s*(?::\s*CG(?:Float|Point|Size|Rect)\b|=\s*CG(?:Float|Point|Size|Rect)\())"
)
NOTIFIED = re.compile(
    r"(@(?:objc|IBAction)(?:\([\w:]+\))?\s+(?:(?:public|open|private|fileprivate|internal|final|dynamic|override) )*"
    r"func \w+\(\s*(?:\w+ )?\w+:\s*)NSNotification(?=\s*\))"
)
NETWORKING = ["-Xfrontend", "-import-module", "-Xfrontend", "FoundationNetworking"]
MISSING = re.compile(r"error: no such module '(\w+)'")
# The compiler needs Objective-C's pointers for `&value` where it is told that there is Objective-C.
POINTER = "broken standard library: cannot find intrinsic operations on UnsafeMutablePointer<T>"


def run(*command):
    made = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    return made.returncode, made.stderr + made.stdout


def as_in_objective_c(text):
    """The source of a file of BrowserUIKit, with what UIKit's classes have from Objective-C."""

    def mark(match):
        space, keywords, name = match.groups()
        return match.group(0) if GENERIC.search(name) else f"{space}@objc @objcMembers {keywords}{name}"

    return TAKEN.sub(r"@objc \1", TWICE.sub(r"\1@nonobjc \2", MEMBER.sub(r"\1dynamic \2", CLASS.sub(mark, text))))


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
            file.write_text(
                text.replace(
                    "    open func localizedAppboyContentCardsString(_ key: String) ",
                    "    @nonobjc open func localizedAppboyContentCardsString(_ key: String) ",
                )
            )
    bundle = target / "Bundle.swift"
    bundle.write_text("import Foundation\nextension Bundle { static var module: Bundle { .main } }\n")
    return [*files, bundle]


def emit(name, folder, files, *options):
    return run(
        "swiftc",
        "-emit-module",
        "-parse-as-library",
        "-module-name",
        name,
        "-package-name",
        "placard",
        "-swift-version",
        "6",
        "-Xfrontend",
        "-experimental-skip-all-function-bodies",
        "-I",
        folder,
        *options,
        "-o",
        f"{folder}/{name}.swiftmodule",
        *files,
    )


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
    copies = {as_of_apple(file, pathlib.Path(folder, "app", str(number))): file for number, file in enumerate(files)}
    said = typechecked(folder, *copies)
    while missing := set(MISSING.findall(said)):
        for name in missing:
            text = pathlib.Path(folder, "sources", f"{name}.swift")
            text.write_text("@_exported import Foundation\n")
            if emit(name, folder, [text])[0]:
                return {"the app": [said]}
        said = typechecked(folder, *copies)
    wrong = errors(said)
    for copy, found in list(wrong.items()):
        if POINTER in found:
            wrong[copy] = [error for error in found if error != POINTER] or without_objective_c(folder, copy, copies)
    if not wrong and "error:" in said:
        return {"the app": [said]}
    return {copies[pathlib.Path(copy)]: found for copy, found in wrong.items() if found}


def as_of_apple(file, folder):
    """Writes a copy of an app's file that says what Apple's compiler knows; returns it."""
    folder.mkdir(parents=True)
    copy = folder / file.name
    text = OBJECT.sub(r"@objc \1", file.read_text(encoding="utf-8"))
    text = NOTIFIED.sub(r"\1NotificationOfObjectiveC", INSPECTED.sub("", text))
    copy.write_text(text, encoding="utf-8")
    return copy


def typechecked(folder, *files):
    return run(
        "swiftc",
        "-typecheck",
        "-wmo",
        "-parse-as-library",
        "-swift-version",
        "5",
        *INTEROP,
        *NETWORKING,
        "-I",
        folder,
        *files,
    )[1]


def without_objective_c(folder, file, files):
    """The errors of one file of an app where the compiler isn't told of Objective-C."""
    code, said = run(
        "swiftc",
        "-frontend",
        "-typecheck",
        "-parse-as-library",
        "-swift-version",
        "5",
        "-module-name",
        "App",
        "-import-module",
        "FoundationNetworking",
        "-I",
        folder,
        "-primary-file",
        file,
        *(other for other in files if str(other) != file),
    )
    return errors(said).get(file, [])


def errors(said):
    """What the compiler says is wrong, by the file."""
    found = {}
    for line in said.splitlines():
        if match := re.match(r"(/\S.*\.swift):\d+:\d+: (?:fatal )?error: (.*)", line):
            found.setdefault(match.group(1), []).append(match.group(2))
    return found
