/// A text for people in English, with its values apart from its words, so that each language can put them in its own
/// order.
///
/// A literal is one: `"Starts in \(wait), on \(day)."` has the key `Starts in {1}, on {2}.`, which catalogs translate.
package struct Phrase: ExpressibleByStringInterpolation, Sendable {
    /// The key in a catalog.
    package let key: String
    /// The words between the values, one more than there are values.
    package let words: [String]
    /// The values, in the order of English.
    package let values: [String]

    package init(stringLiteral text: String) { (key, words, values) = (text, [text], []) }

    package init(stringInterpolation: StringInterpolation) {
        key = stringInterpolation.key
        words = stringInterpolation.words + [stringInterpolation.rest]
        values = stringInterpolation.values
    }

    /// Creates one of its parts.
    package init(key: String, words: [String], values: [String]) {
        (self.key, self.words, self.values) = (key, words, values)
    }

    /// Creates one that has more than one meaning.
    package init(_ phrase: Phrase, in meaning: String) {
        (words, values) = (phrase.words, phrase.values)
        key = "\(phrase.key) [\(meaning)]"
    }

    /// The text in English.
    package var english: String { Phrase.joined(words, values) }

    /// Joins words with the values between them.
    package static func joined(_ words: [String], _ values: [String]) -> String {
        zip(words, values + [""]).map { "\($0)\($1)" }.joined()
    }

    /// The parts of a literal with values.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate(set) var key = ""
        fileprivate(set) var words: [String] = []
        /// The words since the last value.
        fileprivate(set) var rest = ""
        fileprivate(set) var values: [String] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            key += literal
            rest += literal
        }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            values.append(value.description)
            words.append(rest)
            rest = ""
            key += "{\(values.count)}"
        }
    }
}
