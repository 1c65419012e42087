import CardModel
package import CardStore
import WireJSON

/// A campaign or content block that names a picture.
package struct MediaUse: Sendable, Hashable {
    /// The kind of what uses it.
    package enum MediaUseKind: String, Sendable {
        case campaign
        case contentBlock = "content_block"
    }

    /// The kind of what uses it.
    package let kind: MediaUseKind
    /// Its id, or the name of a content block.
    package let id: String
    /// The display name of what uses it.
    package let name: String
    /// The newest version of a campaign that names it, where the present one doesn't.
    package let version: Int64?

    /// The id with the version.
    var label: String { version.map { "\(id) (version \($0))" } ?? id }
}

/// The uses of a picture.
package struct MediaUses: Sendable, Hashable {
    /// The first of the uses: campaigns that were changed last come first, blocks last.
    package var uses: [MediaUse] = []
    /// The number of uses.
    package var count = 0
}

/// Finds where pictures are used, by the addresses in campaigns and content blocks.
///
/// An earlier version of a campaign counts where it was launched: frozen cards that were given then still show its
/// picture, and it can be restored. An edit that waits for approval counts as the campaign's content.
///
/// Reads as much however many campaigns there are: the store knows what they name.
package struct MediaUsage: Sendable {
    /// The most campaigns that are read of a picture.
    package static let limit = 100

    private let store: any CardStore
    /// The campaigns that would name a picture by an edit that waits.
    private var awaited: [String: [CampaignID]] = [:]
    private var blocks: [String: [String]] = [:]

    /// Reads the content blocks and the edits that wait for approval.
    package init(_ store: any CardStore) async throws {
        self.store = store
        var awaited: [String: [CampaignID]] = [:]
        try await store.forEachPendingApproval { approval in
            guard case .edit(let content) = approval.change else { return }
            for name in content.names where name.kind == .picture {
                awaited[name.name, default: []].append(approval.campaign)
            }
        }
        self.awaited = awaited
        for block in try await store.contentBlocks() {
            for id in MediaItem.ids(namedIn: Array(block.content.utf8)) {
                blocks[id, default: []].append(block.name)
            }
        }
    }

    /// Returns where pictures are used.
    ///
    /// - Parameter ids: The pictures, 1000 at most.
    /// - Returns: The uses of each, in that order.
    /// - Throws: What keeps the store from reading.
    package func uses(of ids: [String]) async throws -> [MediaUses] {
        let names = ids.map { ContentName(.picture, $0) }
        let found = try await store.uses(of: names, includesFormer: true, limit: Self.limit)
        var all: [MediaUses] = []
        for (id, named) in zip(ids, found) { all.append(try await complete(named, of: id)) }
        return all
    }

    /// The pictures that content blocks and edits use which wait for approval.
    package var usedBesides: Set<String> { Set(blocks.keys).union(awaited.keys) }

    /// Adds edits that wait, and content blocks, to the campaigns that name a picture.
    private func complete(_ named: ContentNameUses, of id: String) async throws -> MediaUses {
        var uses = named.uses.map {
            MediaUse(kind: .campaign, id: $0.campaign.rawValue, name: $0.name, version: $0.version)
        }
        var count = named.count
        for campaign in awaited[id] ?? [] {
            let known = uses.firstIndex { $0.kind == .campaign && $0.id.hasSameBytes(as: campaign.rawValue) }
            // Where not all were read, it may be among the others.
            if known == nil, named.count > named.uses.count { continue }
            let name = try await store.campaign(campaign)?.content.name ?? campaign.rawValue
            let use = MediaUse(kind: .campaign, id: campaign.rawValue, name: name, version: nil)
            guard let known else {
                uses.append(use)
                count += 1
                continue
            }
            uses[known] = use
        }
        for block in blocks[id] ?? [] {
            uses.append(MediaUse(kind: .contentBlock, id: block, name: block, version: nil))
            count += 1
        }
        return MediaUses(uses: uses, count: count)
    }
}
