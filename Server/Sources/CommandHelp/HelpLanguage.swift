/// A language that the command's help is written in.
package enum HelpLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case japanese = "ja"

    /// The language that the environment asks for.
    ///
    /// As POSIX has it, the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that isn't empty says it. It is English for
    /// every other language, and where the terminal shows no UTF-8.
    package init(environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let language = locale.prefix { !"_.@".contains($0) }.lowercased()
        let encoding = locale.drop { $0 != "." }.dropFirst().prefix { $0 != "@" }.lowercased()
        let isReadable = ["", "utf-8", "utf8"].contains(encoding)
        self = isReadable ? Self(rawValue: language) ?? .english : .english
    }
}
