"""Type-checks sources as Apple's compiler reads them, with the bodies of functions, where there is nothing of Apple's.

scripts/lib/app_modules.py makes BrowserUIKit with classes of Objective-C; the modules in scripts/lib/apple-modules add
what the SDK uses of UIKit, WebKit, ImageIO and SwiftUI on Apple's platforms alone. Then
`canImport(UIKit) && canImport(ObjectiveC)` and `canImport(SwiftUI)` hold, and what stands behind them is compiled. The
core of the SDK, which knows no UIKit, is compiled with `canImport(Darwin)` and `canImport(os)`, and as if `os(iOS)`
held; what asks for the absence of FoundationNetworking is not."""

import pathlib
import re

import app_modules

ROOT = app_modules.ROOT
MODULES = ROOT / "scripts/lib/apple-modules"
# In the order in which they import one another.
APPLE = ("CoreGraphics", "ObjectiveC", "UIKit", "WebKit", "ImageIO", "SwiftUI")
# Foundation's classes don't belong to Objective-C here; scripts/check-snippets looks at the selectors of this file.
LEFT_OUT = {"Appboy+ObjectiveC.swift"}
# The compiler can't pass `&value` as a pointer where there is no Objective-C.
POINTERS = re.compile(r"^ *NSDecimalRound\(&.*$", re.MULTILINE)
# The modules of the core, apart: where they are, others would ask for Darwin, too.
CORE = {
    "Darwin": "@_exported import Glibc\n",
    "os": (MODULES / "os.swift").read_text(),
    "FoundationOnApple": (MODULES / "FoundationOnApple.swift").read_text(),
}
ON_APPLE = re.compile(r"^#if os\(iOS\) \|\| os\(tvOS\) \|\| os\(visionOS\)$", re.MULTILINE)
# The SDK's own modules see what is for its package alone; apps don't.
OWN = ["-package-name", "placard"]
RESOURCES = "import Foundation\nextension Bundle { static var module: Bundle { .main } }\n"


def make(folder):
    """Makes the modules in a folder; returns what the compiler says where it can't."""
    for module in ("BrowserUIKit", "ContentCards", "ContentCardsTesting"):
        options = app_modules.INTEROP if module == "BrowserUIKit" else []
        code, said = app_modules.emit(module, folder, app_modules.copied(module, folder), *options)
        if code:
            return said
    for name in APPLE:
        file = app_modules.SELECTORS if name == "ObjectiveC" else MODULES / f"{name}.swift"
        code, said = app_modules.emit(name, folder, [file], *app_modules.INTEROP)
        if code:
            return said
    return ""


def on_macos(folder):
    """Type-checks what is seen as on macOS, where there is Objective-C and BrowserUIKit takes UIKit's place; returns
    what the compiler says."""
    apart = pathlib.Path(folder, "macos")
    apart.mkdir()
    for name in ("BrowserUIKit", "ContentCards", "ObjectiveC"):
        (apart / f"{name}.swiftmodule").symlink_to(pathlib.Path(folder, f"{name}.swiftmodule"))
    for name in ("ContentCardsUI", "ContentCardsABK"):
        if said := check(name, apart, sources(ROOT / "Sources" / name, apart)):
            return said
    return ""


def documented(folder):
    """Makes the module by whose name apps import the documented API, once that itself is made; returns what the
    compiler says."""
    files = (app_modules.SOURCES / "DocumentedImports/AppboyUI").glob("*.swift")
    code, said = app_modules.emit("AppboyUI", folder, list(files), *app_modules.INTEROP)
    return said if code else ""


def typecheck(name, folder, files, *options):
    """Type-checks files as one module, in Swift 6 where the options name no other; returns what the compiler says,
    warnings too."""
    version = [] if "-swift-version" in options else ["-swift-version", "6"]
    code, said = app_modules.run(
        "swiftc",
        "-typecheck",
        "-wmo",
        "-parse-as-library",
        "-module-name",
        name,
        *version,
        *options,
        "-I",
        folder,
        *app_modules.INTEROP,
        *files,
    )
    return said if code or "warning:" in said else ""


def sources(path, folder):
    """The Swift files of a module in the repository, and one for its resources."""
    bundle = pathlib.Path(folder, "Bundle.swift")
    bundle.write_text(RESOURCES)
    return [*(readable(file, folder) for file in sorted(path.rglob("*.swift")) if file.name not in LEFT_OUT), bundle]


def readable(file, folder):
    """The file, or a copy in which a call that the compiler cannot read here is another."""
    text = file.read_text(encoding="utf-8")
    if not POINTERS.search(text):
        return file
    copy = pathlib.Path(folder, file.name)
    copy.write_text(POINTERS.sub("swap(&rounded, &exact)", text), encoding="utf-8")
    return copy


def core(folder):
    """The sources of the core as Apple's compiler reads them, and where the modules are that they import."""
    modules = pathlib.Path(folder, "core")
    modules.mkdir()
    for name, text in CORE.items():
        file = modules / f"{name}.swift"
        file.write_text(text, encoding="utf-8")
        code, said = app_modules.run(
            "swiftc",
            "-emit-module",
            "-parse-as-library",
            "-module-name",
            name,
            "-swift-version",
            "6",
            "-o",
            modules / f"{name}.swiftmodule",
            file,
        )
        if code:
            raise SystemExit(said)
    files = []
    for file in sources(ROOT / "Sources/ContentCards", folder):
        if "ContentCards.docc" in file.parts:
            continue
        text = file.read_text(encoding="utf-8")
        if file.parent == pathlib.Path(folder) or not ON_APPLE.search(text):
            files.append(file)
            continue
        copy = modules / file.name
        copy.write_text(ON_APPLE.sub("#if true", text), encoding="utf-8")
        files.append(copy)
    return files, modules


def check_core(files, modules):
    """Type-checks the core with its bodies; returns what the compiler says."""
    code, said = app_modules.run(
        "swiftc",
        "-typecheck",
        "-wmo",
        "-parse-as-library",
        "-module-name",
        "ContentCards",
        "-swift-version",
        "6",
        *OWN,
        "-I",
        modules,
        "-Xfrontend",
        "-import-module",
        "-Xfrontend",
        "FoundationOnApple",
        *files,
    )
    return said if code or "warning:" in said else ""


def check(name, folder, files):
    """Type-checks a module with its bodies, and makes it for those that import it; returns what the compiler says."""
    if said := typecheck(name, folder, files, *OWN):
        return said
    code, said = app_modules.emit(name, folder, files, *app_modules.INTEROP)
    return said if code else ""
