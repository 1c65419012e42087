import CardModel
import Foundation

/// The texts of the dashboard in one language.
///
/// Pages, templates and scripts have English texts; a catalog has what stands in their place, by the English text. A
/// text that a catalog lacks stays English.
struct TextCatalog: Sendable {
    /// The language of the request that is being answered.
    @TaskLocal static var current = english

    /// Its tag, such as `ja`.
    let tag: String
    /// The language's name for itself.
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

    /// The sentences of the rules and the server that it has.
    private let sentences: SentencePatterns

    /// Whether people write the family name before the given one.
    var isFamilyNameFirst: Bool { tag == "ja" }

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
        let file = File(PackageResources.ja_json)
        let entries = file.texts.merging(file.sentences) { text, _ in text }
        return TextCatalog(
            tag: "ja",
            name: "日本語",
            locale: Locale(identifier: "ja_JP"),
            numberLocale: Locale(identifier: "ja_JP"),
            units: [(1_000_000_000_000, "兆"), (100_000_000, "億"), (10_000, "万")],
            scriptTexts: ScriptTexts.json { entries[$0] },
            sentences: SentencePatterns(file.sentences.keys),
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
        sentences: SentencePatterns = SentencePatterns([]),
        mark: (@Sendable (String) -> String)? = nil,
        translate: @escaping @Sendable (String) -> String?
    ) {
        (self.tag, self.name, self.locale, self.numberLocale) = (tag, name, locale, numberLocale)
        (self.units, self.scriptTexts, self.mark, self.translate) = (units, scriptTexts, mark, translate)
        self.sentences = sentences
    }

    /// A phrase in this language.
    func text(of phrase: Phrase) -> String {
        if let mark { return Phrase.joined(phrase.words.map { $0.isEmpty ? "" : mark($0) }, phrase.values) }
        guard let pattern = translate(phrase.key) else { return phrase.english }
        return phrase.values.isEmpty ? pattern : Self.filled(pattern, phrase.values)
    }

    /// A sentence of the rules or the server in this language; what stands in it may be a sentence, too.
    func text(ofSentence sentence: String) -> String {
        guard !isEnglish, let phrase = sentences.phrase(of: sentence) else { return sentence }
        let values = phrase.values.map(text(ofSentence:))
        return text(of: Phrase(key: phrase.key, words: phrase.words, values: values))
    }

    /// A segment of a template in this language, or `nil` where it stays as it is.
    func segment(_ segment: TemplateSegment) -> String? {
        mark.map { mark in segment.marked(mark) } ?? translate(segment.key)
    }

    /// The file of a catalog: translations by the text in English.
    struct File: Decodable {
        /// The texts of the dashboard.
        var texts: [String: String] = [:]
        /// The sentences of the rules and the server, with numbers for their values.
        var sentences: [String: String] = [:]

        init(_ bytes: [UInt8]) {
            guard let file = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return }
            self = file
        }
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
