import Foundation

/// The texts of the dashboard in one language.
///
/// Pages, templates and scripts have English texts; a catalog has what stands in their place, by the English text. A text
/// that a catalog lacks stays English.
struct TextCatalog: Sendable {
    /// The language of the request that is being answered.
    @TaskLocal static var current = english

    /// Its tag, such as `ja`.
    let tag: String
    /// What the language calls itself.
    let name: String
    /// The locale whose dates, numbers and names of countries pages show.
    let locale: Locale
    /// The locale whose amounts of money and grouped digits pages show.
    let numberLocale: Locale
    /// The units of shortened numbers, the largest first.
    let units: [(size: Int64, suffix: String)]
    private let translate: @Sendable (_ key: String) -> String?
    /// Marks words of English, where a test wants to see which came from a catalog.
    private let mark: (@Sendable (_ words: String) -> String)?
    /// The texts of the scripts as JSON, or `nil` for English, which they have themselves.
    let scriptTexts: String?

    /// Whether texts stay as they are.
    var isEnglish: Bool { tag == "en" && mark == nil }

    static let english = TextCatalog(
        tag: "en",
        name: "English",
        locale: Locale(identifier: "en_GB"),
        numberLocale: Locale(identifier: "en_US"),
        units: [(1_000_000_000, "B"), (1_000_000, "M"), (1_000, "k")],
        translate: { _ in nil }
    )

    static let japanese: TextCatalog = {
        let entries = Self.entries(of: PackageResources.ja_json)
        return TextCatalog(
            tag: "ja",
            name: "日本語",
            locale: Locale(identifier: "ja_JP"),
            numberLocale: Locale(identifier: "ja_JP"),
            units: [(1_000_000_000_000, "兆"), (100_000_000, "億"), (10_000, "万")],
            scriptTexts: ScriptTexts.json { entries[$0] },
            translate: { entries[$0] }
        )
    }()

    /// Every language that members can choose.
    static let all = [english, japanese]

    init(
        tag: String,
        name: String,
        locale: Locale,
        numberLocale: Locale,
        units: [(size: Int64, suffix: String)],
        scriptTexts: String? = nil,
        mark: (@Sendable (String) -> String)? = nil,
        translate: @escaping @Sendable (String) -> String?
    ) {
        (self.tag, self.name, self.locale, self.numberLocale) = (tag, name, locale, numberLocale)
        (self.units, self.scriptTexts, self.mark, self.translate) = (units, scriptTexts, mark, translate)
    }

    /// A phrase in this language.
    func text(of phrase: Phrase) -> String {
        if let mark { return Phrase.joined(phrase.words.map { $0.isEmpty ? "" : mark($0) }, phrase.values) }
        guard let pattern = translate(phrase.key) else { return phrase.english }
        return phrase.values.isEmpty ? pattern : Self.filled(pattern, phrase.values)
    }

    /// A segment of a template in this language, or `nil` where it stays as it is.
    func segment(_ segment: TemplateSegment) -> String? {
        mark.map { mark in segment.marked(mark) } ?? translate(segment.key)
    }

    /// The translations of a catalog's file, by the text in English.
    static func entries(of file: [UInt8]) -> [String: String] {
        (try? JSONDecoder().decode([String: String].self, from: Data(file))) ?? [:]
    }

    /// A pattern with values at `{1}`, `{2}` and so on.
    private static func filled(_ pattern: String, _ values: [String]) -> String {
        var text = ""
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}"),
                // safe: it was looked for from there on
                let number = Int(rest[open..<close].dropFirst()), (1...values.count).contains(number)
            else { break }
            // safe: one of the values
            let value = values[number - 1]
            text += rest[..<open] + value
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}
