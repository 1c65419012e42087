import CardModel

/// Returns a text of the dashboard in the language of the request that is being answered.
func localized(_ phrase: Phrase) -> String { TextCatalog.current.text(of: phrase) }

/// Returns a sentence of the rules or the server, which is English, in the language of the request that is being
/// answered.
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
