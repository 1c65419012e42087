package import CardModel
package import WireJSON

/// The change that saving settings writes; a store loads the text that it has, asks for this, and writes it.
package struct SettingsChange: Sendable, Hashable {
    /// The settings as a row holds them.
    package let text: String
    /// The differences, as the audit log has them.
    package let details: JSONValue

    /// Creates what saving settings writes, or returns `nil` where nothing is different.
    ///
    /// Settings that can't be read are replaced, or nobody could repair them. A new database, or one of an older
    /// version, has left out what is as it is by default, which makes no difference.
    ///
    /// - Parameters:
    ///   - stored: The settings as the row holds them.
    ///   - settings: The settings as they are to be.
    package init?(of stored: String, to settings: Settings) {
        let text = settings.stored.text
        let old = try? Settings(stored: stored)
        guard !stored.hasSameBytes(as: text), old?.stored.text.hasSameBytes(as: text) != true else { return nil }
        self.text = text
        details = ["changes": settings.changes(from: old ?? Settings())]
    }
}

extension Settings {
    /// Throws where the settings that a change was made from aren't those that are stored.
    ///
    /// - Parameter stored: The settings as stored.
    /// - Throws: `StoreError.conflict`.
    package func check(_ stored: Settings) throws(StoreError) {
        guard self == stored else { throw .settingsChanged }
    }

    /// Returns the settings with other keys of user tokens, or `nil` where they name another address or have those
    /// keys.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - url: The address from which they were fetched.
    /// - Returns: The settings.
    package func taking(_ keys: JSONWebKeySet, of url: String) -> Settings? {
        guard keySetURL?.hasSameBytes(as: url) == true, keySet != keys else { return nil }
        var next = self
        next.keySet = keys
        return next
    }
}
