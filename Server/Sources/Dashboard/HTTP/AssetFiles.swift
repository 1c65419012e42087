import Foundation
import Synchronization
import WireJSON

/// The templates, styles and scripts, which are part of the program.
///
/// With `PLACARD_DASHBOARD_ASSETS` set to a folder, they are read from it each time: whoever works on a page then only
/// has to load it again.
struct AssetFiles: Sendable {
    /// A file that browsers load, under a name that changes with what is in it.
    struct PublicFile: Sendable {
        let address: String
        let tag: String
        let bytes: [UInt8]
        let mediaType: String
    }

    /// The parts of `dashboard.css`, in their order: a later rule wins over one before it.
    private static let sheets: [(name: String, bytes: [UInt8])] = [
        ("tokens.css", PackageResources.tokens_css),
        ("ground.css", PackageResources.ground_css),
        ("shell.css", PackageResources.shell_css),
        ("surfaces.css", PackageResources.surfaces_css),
        ("controls.css", PackageResources.controls_css),
        ("tables.css", PackageResources.tables_css),
        ("figures.css", PackageResources.figures_css),
        ("first-steps.css", PackageResources.first_steps_css),
        ("signing-in.css", PackageResources.signing_in_css),
        ("editor-layout.css", PackageResources.editor_layout_css),
        ("dialogues.css", PackageResources.dialogues_css),
        ("narrow.css", PackageResources.narrow_css),
        ("lists.css", PackageResources.lists_css),
        ("read-only.css", PackageResources.read_only_css),
        ("phones.css", PackageResources.phones_css),
        ("japanese.css", PackageResources.japanese_css),
        ("print.css", PackageResources.print_css),
    ]
    /// The parts of `editor.css`, in their order.
    private static let editorSheets: [(name: String, bytes: [UInt8])] = [
        ("editor-fields.css", PackageResources.editor_fields_css),
        ("editor-choices.css", PackageResources.editor_choices_css),
        ("editor-versions.css", PackageResources.editor_versions_css),
    ]
    /// The parts of `dashboard.js`, in their order: each uses those before it.
    private static let pageScripts: [(name: String, bytes: [UInt8])] = [
        ("dashboard.js", PackageResources.dashboard_js),
        ("answers.js", PackageResources.answers_js),
    ]
    /// The parts of `editor.js`, in their order: each uses those before it.
    private static let editorScripts: [(name: String, bytes: [UInt8])] = [
        ("editor-form.js", PackageResources.editor_form_js),
        ("editor-checks.js", PackageResources.editor_checks_js),
        ("editor-preview.js", PackageResources.editor_preview_js),
    ]
    /// The parts of `media.js`, in their order: each uses those before it.
    private static let mediaScripts: [(name: String, bytes: [UInt8])] = [
        ("media-upload.js", PackageResources.media_upload_js),
        ("media-dialogs.js", PackageResources.media_dialogs_js),
        ("media-field.js", PackageResources.media_field_js),
    ]
    /// The parts of `phone.css`, in their order: they draw what an app shows as its page in a browser does.
    private static let phoneSheets: [(name: String, bytes: [UInt8])] = [
        ("phone-stage.css", PackageResources.phone_stage_css),
        ("phone-views.css", PackageResources.phone_views_css),
        ("phone-lists.css", PackageResources.phone_lists_css),
        ("phone-bars.css", PackageResources.phone_bars_css),
        ("phone-tabs.css", PackageResources.phone_tabs_css),
        ("phone-controls.css", PackageResources.phone_controls_css),
        ("phone-items.css", PackageResources.phone_items_css),
    ]
    private static let wholeSheet = "dashboard.css"
    private static let pageScript = "dashboard.js"
    private static let editorSheet = "editor.css"
    private static let editorScript = "editor.js"
    private static let mediaScript = "media.js"
    private static let phoneSheet = "phone.css"
    private static let embedded: [String: [UInt8]] = [
        "calendar.css": PackageResources.calendar_css,
        pageScript: Array(pageScripts.map(\.bytes).joined()),
        editorSheet: Array(editorSheets.map(\.bytes).joined()),
        editorScript: Array(editorScripts.map(\.bytes).joined()),
        "icon.svg": PackageResources.icon_svg,
        "imports.css": PackageResources.imports_css,
        "imports.js": PackageResources.imports_js,
        "liquid.js": PackageResources.liquid_js,
        "media.css": PackageResources.media_css,
        mediaScript: Array(mediaScripts.map(\.bytes).joined()),
        "palette.css": PackageResources.palette_css,
        "palette.js": PackageResources.palette_js,
        phoneSheet: Array(phoneSheets.map(\.bytes).joined()),
        wholeSheet: Array((sheets.map(\.bytes) + [icons]).joined()),
    ]
    /// The icons of the navigation, which end `dashboard.css`.
    private static let icons = Array(Section.all.compactMap(\.iconStyle).joined().utf8)
    private static let mediaTypes = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    ]

    private let folder: URL?
    private let files: [String: PublicFile]

    init(folder: String? = ProcessInfo.processInfo.environment["PLACARD_DASHBOARD_ASSETS"]) {
        self.folder = folder.map { URL(filePath: $0) }
        // safe: files of one folder
        files = Dictionary(uniqueKeysWithValues: Self.embedded.map { ($0, Self.publicFile($0, $1)) })
    }

    /// Whether files are read from a folder.
    var isChanging: Bool { folder != nil }

    /// The file that browsers load, by its name here.
    func file(_ name: String) -> PublicFile? {
        guard let folder else { return files[name] }
        guard files[name] != nil else { return nil }
        let bytes = Self.parts(of: name).map { try? Data(contentsOf: folder.appending(path: $0)) }
        guard !bytes.contains(nil) else { return nil }
        let icons = name == Self.wholeSheet ? Self.icons : []
        return Self.publicFile(name, bytes.flatMap { $0.map(Array.init) ?? [] } + icons)
    }

    /// The names of the files of which a file that browsers load is made.
    private static func parts(of name: String) -> [String] {
        switch name {
        case wholeSheet: sheets.map(\.name)
        case editorSheet: editorSheets.map(\.name)
        case pageScript: pageScripts.map(\.name)
        case editorScript: editorScripts.map(\.name)
        case mediaScript: mediaScripts.map(\.name)
        case phoneSheet: phoneSheets.map(\.name)
        default: [name]
        }
    }

    /// The address of a file that browsers load, which is empty where there is none.
    func address(of name: String) -> String { file(name)?.address ?? "" }

    /// The file that browsers load, by the last part of its address.
    func file(at place: String) -> PublicFile? {
        for name in files.keys {
            if let file = file(name), file.address.hasSuffix("/\(place)") { return file }
        }
        return nil
    }

    /// The text of a template, its lines joined.
    func template(_ name: String) -> String? {
        if let folder {
            let text = try? String(contentsOf: folder.appending(path: "\(name).mustache"), encoding: .utf8)
            return text.map(TemplateLines.joined)
        }
        return Templates.embedded[name].map { TemplateLines.joined(String(decoding: $0, as: UTF8.self)) }
    }

    private static func publicFile(_ name: String, _ bytes: [UInt8]) -> PublicFile {
        let tag = String(SecretBytes.text(SecretBytes.hash(bytes)).prefix(12))
        let parts = name.split(at: ".")
        return PublicFile(
            // safe: files of ours have a name and an ending
            address: "/dashboard/assets/\(parts[0])-\(tag).\(parts[1])",
            tag: "\"\(tag)\"",
            bytes: bytes,
            // safe: files of ours have a name and an ending
            mediaType: mediaTypes[String(parts[1])] ?? "application/octet-stream"
        )
    }
}
