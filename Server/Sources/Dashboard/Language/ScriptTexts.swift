import WireJSON

/// The texts of the scripts, each of which asks for one by `text("…")`.
enum ScriptTexts {
    private static let scripts = [
        PackageResources.dashboard_js, PackageResources.answers_js, PackageResources.editor_form_js,
        PackageResources.editor_checks_js, PackageResources.editor_preview_js, PackageResources.imports_js,
        PackageResources.liquid_js, PackageResources.media_upload_js, PackageResources.media_dialogs_js,
        PackageResources.media_field_js, PackageResources.palette_js,
    ]

    /// The texts of every script in English.
    static var keys: [String] { scripts.flatMap { keys(in: String(decoding: $0, as: UTF8.self)) } }

    /// The texts of a script in English.
    static func keys(in script: String) -> [String] {
        // characters: a script of ours
        script.matches(of: /\btext\("([^"\\]*)"/).map { String($0.1) }
    }

    /// The texts of the scripts as JSON for a page, without anything that would end its element.
    static func json(_ translate: (String) -> String?) -> String {
        var texts: JSONObject = [:]
        for key in keys { texts[key] = translate(key).map(JSONValue.string) }
        // By its scalars: with a mark behind it, or some letters before it, the sign is another character.
        return JSONValue.object(texts).text.unicodeScalars.reduce(into: "") { json, scalar in
            json += scalar == "<" ? "\\u003c" : String(scalar)
        }
    }
}
