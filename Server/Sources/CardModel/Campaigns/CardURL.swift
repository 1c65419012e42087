/// The rules for a card's URL.
enum CardURL {
    private static let refused: Set<String> = ["javascript", "data", "file", "vbscript", "blob"]

    /// Whether the scheme is none of those that could run code or read the device.
    static func isAllowed(_ text: String) -> Bool {
        // A browser drops these before it reads the scheme, so `java\nscript:` is one.
        let scalars = text.unicodeScalars.filter { $0.value > 0x20 }
        guard let colon = scalars.firstIndex(of: ":") else { return true }
        return !refused.contains(String(scalars[..<colon]).lowercased())
    }

    /// Throws where the scheme is one of those.
    static func check(_ text: String, at path: String) throws(ModelError) {
        guard !isAllowed(text) else { return }
        throw ModelError(
            .fieldInvalid,
            at: path,
            "javascript:, data: and file: URLs never open; use http, https or your own scheme."
        )
    }
}
