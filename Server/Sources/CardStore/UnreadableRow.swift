public import CardModel

/// A row that a store holds and can't read, so that what it says holds for no user.
public struct UnreadableRow: Sendable, Hashable {
    /// The kind of object that a row is of.
    public enum UnreadableKind: String, Sendable, CaseIterable {
        case campaign
        case segment
        case broadcast
        case contentBlock = "content block"
        case key
        case settings
    }

    /// The kind of object that the row is of.
    public var kind: UnreadableKind
    /// The id or name, which is empty for settings.
    public var id: String

    /// Creates the name of a row.
    public init(_ kind: UnreadableKind, id: String) {
        self.kind = kind
        self.id = id
    }
}

extension CatalogSource {
    /// The gaps of the catalog, because of what can't be read.
    public var gaps: CatalogGaps {
        CatalogGaps(
            campaigns: Set(unreadable.filter { $0.kind == .campaign }.map { CampaignID(rawValue: $0.id) }),
            segments: unreadableSegments
        )
    }
}
