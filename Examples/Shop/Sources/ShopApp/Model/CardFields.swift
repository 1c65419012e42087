import Foundation

/// Reads the meta data of a card.
struct CardFields {
    let data: ContentCardData
    let isControl: Bool
    private let metaData: [ContentCardKey: Any]
    private let extras: [String: String]

    /// Takes the meta data, or fails where a card lacks what all of ours have.
    init?(_ metaData: [ContentCardKey: Any], _ classType: ContentCardClassType) {
        guard let id = metaData[.idString] as? String, let created = metaData[.created] as? Double,
            let dismissible = metaData[.dismissible] as? Bool
        else { return nil }
        isControl = metaData[.isControl] as? Bool ?? false
        data = ContentCardData(
            contentCardId: id,
            contentCardClassType: classType,
            createdAt: created,
            isDismissible: dismissible,
            isControl: isControl
        )
        self.metaData = metaData
        extras = metaData[.extras] as? [String: String] ?? [:]
    }

    /// A text of the card itself; blank counts as missing.
    func text(_ key: ContentCardKey) -> String? { Self.filled(metaData[key] as? String) }

    /// A text of the key-value pairs; blank counts as missing.
    func extra(_ name: String) -> String? { Self.filled(extras[name]) }

    /// A text of the key-value pairs; blank counts as missing.
    func extra(_ key: ContentCardKey) -> String? { extra(key.rawValue) }

    /// Whether something is true of the card.
    func flag(_ key: ContentCardKey) -> Bool { metaData[key] as? Bool ?? false }

    private static func filled(_ text: String?) -> String? {
        guard let text, !text.allSatisfy(\.isWhitespace) else { return nil }
        return text
    }
}

extension Decimal {
    /// Reads all of a text as a plain number; "12 euros" is none.
    init?(plain text: String) {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        let parts = trimmed.split(separator: ".", omittingEmptySubsequences: false)
        let digits = Set("0123456789")
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(digits.contains) }) else { return nil }
        self.init(string: trimmed, locale: Locale(identifier: "en_US_POSIX"))
        // More digits than a price has, and than a decimal holds.
        guard isFinite else { return nil }
    }
}
