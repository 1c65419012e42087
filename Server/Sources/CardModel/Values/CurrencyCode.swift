/// Codes of currencies, ISO 4217.
public enum CurrencyCode {
    /// Returns a code in upper case, or `nil` for what isn't three letters of ASCII.
    ///
    /// The letters are checked as they were written: `ſ` and `ß` become ASCII only in upper case.
    public static func reading(_ text: String) -> String? {
        guard text.utf8.count == 3, text.utf8.allSatisfy(Slug.isLetter) else { return nil }
        return text.uppercased()
    }
}
