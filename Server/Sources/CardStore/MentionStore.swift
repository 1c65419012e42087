public import CardModel
import WireJSON

/// Finds campaigns by what their contents name.
///
/// A store keeps what each content names beside it, in the transaction of the change, so that a list of what is used
/// reads no contents.
public protocol MentionStore: Sendable {
    /// Reads which campaigns name pictures or content blocks, archived campaigns too because they can be restored.
    ///
    /// - Parameters:
    ///   - names: What they name; 1000 at most.
    ///   - includesFormer: Whether campaigns count that name it no longer, but have since they were launched, in a
    ///     version that is kept: cards that were given then may still show it, and it can be restored.
    ///   - limit: The most campaigns that are read for each name, 1 to 1000.
    /// - Returns: The uses of each name, in the order of the names.
    /// - Throws: What keeps the store from reading.
    func uses(of names: [ContentName], includesFormer: Bool, limit: Int) async throws -> [ContentNameUses]
}

/// Something beside a campaign that its content names.
public struct ContentName: Sendable, Hashable {
    /// The kinds of what mentions a name.
    public enum ContentNameKind: String, Sendable {
        case picture
        case contentBlock = "content_block"
    }

    /// The kind of the object.
    public let kind: ContentNameKind
    /// The id of a picture, or the name of a content block.
    @Bytewise public private(set) var name: String

    /// Creates a name.
    public init(_ kind: ContentNameKind, _ name: String) {
        self.kind = kind
        self.name = name
    }
}

/// The campaigns that name something.
public struct ContentNameUses: Sendable, Hashable {
    /// A campaign that does.
    public struct Use: Sendable, Hashable {
        /// Its id.
        public let campaign: CampaignID
        /// The display name of the object.
        public let name: String
        /// The newest version that names it, where the present one doesn't.
        public let version: Int64?

        /// Creates a use.
        public init(campaign: CampaignID, name: String, version: Int64? = nil) {
            self.campaign = campaign
            self.name = name
            self.version = version
        }
    }

    /// The first of them: those that name it now come first, and of these those that were changed last.
    public var uses: [Use]
    /// The number of mentions.
    public var count: Int

    /// Creates the uses of a name.
    public init(uses: [Use] = [], count: Int = 0) {
        self.uses = uses
        self.count = count
    }
}

extension Campaign.Content {
    /// The names that its cards mention.
    package var names: Set<ContentName> {
        let pictures = MediaItem.ids(namedIn: JSONValue.object(json).bytes)
        let blocks = contentBlocks.filter { $0.utf8.count <= ContentName.longestBlock }
        return Set(pictures.map { ContentName(.picture, $0) } + blocks.map { ContentName(.contentBlock, $0) })
    }
}

extension ContentName {
    /// More than any block's name has, in bytes.
    fileprivate static let longestBlock = 64
}

extension MediaItem {
    private static let path = Array("/media/".utf8)

    /// Returns the ids of the pictures whose addresses are in a text.
    package static func ids(namedIn text: [UInt8]) -> Set<String> {
        var ids: Set<String> = []
        var rest = text[...]
        while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            rest = rest[slash...]
            if rest.starts(with: path) {
                let id = String(decoding: rest.dropFirst(path.count).prefix(32), as: UTF8.self)
                if isID(id) { ids.insert(id) }
            }
            rest = rest.dropFirst()
        }
        return ids
    }
}

/// The names that the versions of a campaign mention, as rows hold them.
package struct NamedVersions {
    /// The names that one version's content mentions.
    package struct Row: Sendable, Hashable {
        package let name: ContentName
        package let version: Int64
        /// Whether the campaign has that content now.
        package var isPresent: Bool
        /// Whether the campaign had it when or after it was launched.
        package var isLaunched: Bool
    }

    /// The change of its names that saving a campaign writes.
    package enum Change: Sendable, Hashable {
        /// Nothing.
        case nothing
        /// The names that it has are those of a launched campaign from now on.
        case launch
        /// These in place of those that it had, which are former ones.
        case replacement([Row])
    }

    /// The rows of the versions so far.
    package private(set) var rows: [Row] = []

    /// Returns what saving a campaign writes.
    ///
    /// - Parameters:
    ///   - campaign: The campaign as it is stored from now on.
    ///   - old: The campaign as it was stored, or `nil` for a new one.
    /// - Returns: What to write; what it names now is of its present version.
    package static func change(of campaign: Campaign, since old: Campaign?) -> Change {
        let isLaunched = campaign.launchedAt != nil
        guard campaign.content == old?.content else {
            return .replacement(rows(of: campaign.content, campaign.version, isLaunched: isLaunched))
        }
        return isLaunched && old?.launchedAt == nil ? .launch : .nothing
    }

    private static func rows(of content: Campaign.Content, _ version: Int64, isLaunched: Bool) -> [Row] {
        content.names.map { Row(name: $0, version: version, isPresent: true, isLaunched: isLaunched) }
    }

    /// Creates what no version names.
    package init() {}

    /// Adds the next version.
    ///
    /// - Parameters:
    ///   - version: Its number, which is higher than those before.
    ///   - content: Its content, or `nil` where it has that of the one before it. What can't be read names nothing.
    ///   - isLaunched: Whether the campaign is launched by then.
    package mutating func add(_ version: Int64, content: String?, isLaunched: Bool) {
        if let content {
            let read = (try? JSONValue(parsing: content)).flatMap { try? Campaign.Content(json: $0) }
            for place in rows.indices { rows[place].isPresent = false }
            if let read { rows += Self.rows(of: read, version, isLaunched: isLaunched) }
        } else if isLaunched {
            for place in rows.indices where rows[place].isPresent { rows[place].isLaunched = true }
        }
    }
}
