/// A text of the dashboard in English, with its values apart from its words, so that each language can put them in its own
/// order.
///
/// A literal is one: `"Starts in \(wait), on \(day)."` has the key `Starts in {1}, on {2}.`, which catalogs translate.
struct Phrase: ExpressibleByStringInterpolation, Sendable {
    /// What a catalog calls it.
    let key: String
    /// The words between the values, one more than there are values.
    let words: [String]
    /// The values, in the order of English.
    let values: [String]

    init(stringLiteral text: String) { (key, words, values) = (text, [text], []) }

    init(stringInterpolation: StringInterpolation) {
        key = stringInterpolation.key
        words = stringInterpolation.words + [stringInterpolation.rest]
        values = stringInterpolation.values
    }

    /// Creates one of its parts.
    init(key: String, words: [String], values: [String]) {
        (self.key, self.words, self.values) = (key, words, values)
    }

    /// Creates one that has more than one meaning.
    init(_ phrase: Phrase, in meaning: String) {
        (words, values) = (phrase.words, phrase.values)
        key = "\(phrase.key) [\(meaning)]"
    }

    /// The text in English.
    var english: String { Phrase.joined(words, values) }

    /// Joins words with the values between them.
    static func joined(_ words: [String], _ values: [String]) -> String {
        zip(words, values + [""]).map { "\($0)\($1)" }.joined()
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate(set) var key = ""
        fileprivate(set) var words: [String] = []
        /// The words since the last value.
        fileprivate(set) var rest = ""
        fileprivate(set) var values: [String] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) {
            key += literal
            rest += literal
        }

        mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            values.append(value.description)
            words.append(rest)
            rest = ""
            key += "{\(values.count)}"
        }
    }
}

/// Returns a text of the dashboard in the language of the request that is being answered.
func localized(_ phrase: Phrase) -> String { TextCatalog.current.text(of: phrase) }

/// Returns a sentence of the rules or the server, which is English, in the language of the request that is being answered.
///
/// One that no catalog has stays as it is.
func localized(sentence: String) -> String { TextCatalog.current.text(ofSentence: sentence) }

/// Returns a text that has more than one meaning, in the language of the request that is being answered.
///
/// - Parameters:
///   - phrase: The text.
///   - meaning: What is meant; a catalog has the text with the meaning in brackets, such as `never [expiry]`.
/// - Returns: The text.
func localized(_ phrase: Phrase, in meaning: String) -> String {
    TextCatalog.current.text(of: Phrase(phrase, in: meaning))
}
