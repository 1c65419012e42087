package import CardModel

/// The settings as they were read last.
package struct KnownSettings {
    private var text = ""
    /// The settings.
    package private(set) var value = Settings()

    /// Creates the defaults.
    package init() {}

    /// Takes over settings as they are stored; reading them costs more than comparing the text.
    package mutating func follow(_ text: String) throws {
        guard !text.hasSameBytes(as: self.text) else { return }
        value = try Settings(stored: text)
        self.text = text
    }
}
