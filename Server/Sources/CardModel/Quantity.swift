/// Numbers with the nouns that they count, in English.
package enum Quantity {
    /// Returns a number and its noun, which is in the plural unless there is one: `1 user`, `2 users`.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - noun: The noun in the singular, whose plural ends with an s.
    /// - Returns: The text.
    package static func text(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
