import CardModel
import WireJSON

/// The changes of the settings' form, over what others have saved since its page was opened.
///
/// A form has a field for every setting. What nobody touched on it stays as it is by now, whatever the form shows.
struct SettingsMerge {
    /// The settings with what the form changes.
    let settings: Settings
    /// The fields that the form and others have changed to different values; ``settings`` has those of the form.
    let conflicts: [Settings.SettingsFieldName]

    /// Creates the settings that a form asks for.
    ///
    /// - Parameters:
    ///   - form: The form. Where it doesn't say what its page has shown, it was made from the present settings.
    ///   - current: The settings as they are.
    /// - Throws: `ModelErrors`, with an error for each wrong field.
    init(_ form: FormData, over current: Settings) throws(ModelErrors) {
        // What can't be read is no reason to take anything back: all that differs is a conflict.
        let base: Settings? = if let text = form[.base] { Self.settings(text) } else { current }
        let mine = try Settings.read(SettingsForm.json(form, over: base ?? current))
        let (asked, shown) = (mine.json, Self.untouched(base ?? current).json)
        let theirs = current.json
        var members = theirs.object ?? [:]
        var conflicts: [Settings.SettingsFieldName] = []
        for field in Settings.SettingsFieldName.allCases {
            let name = field.rawValue
            guard let value = asked[name], value != shown[name], value != theirs[name] else { continue }
            members[name] = value
            if base?.json[name] != theirs[name] { conflicts.append(field) }
        }
        settings = try Settings.read(.object(members))
        self.conflicts = conflicts
    }

    /// The settings that a form was made from, or `nil` where they can't be read.
    private static func settings(_ text: String) -> Settings? {
        (try? JSONValue(parsing: text)).flatMap { try? Settings(json: $0) }
    }

    /// The settings as their form says them where nobody touches it, as browsers send it.
    private static func untouched(_ settings: Settings) -> Settings {
        let form = FormData(urlEncoded: SettingsForm.form(of: settings).encoded)
        return (try? Settings(json: SettingsForm.json(form, over: settings))) ?? settings
    }
}
