import CardModel
package import CardStore

/// A campaign or content block that names a picture.
package struct MediaUse: Sendable, Hashable {
    /// What names it.
    package enum Kind: String, Sendable {
        case campaign
        case contentBlock = "content_block"
    }

    /// What names it.
    package let kind: Kind
    /// Its id, or the name of a content block.
    package let id: String
    /// What people call it.
    package let name: String
}

/// Finds where pictures are used, by the addresses in campaigns and content blocks.
package struct MediaUsage: Sendable {
    private static let prefix = Array("/media/".utf8)

    /// The uses of each picture by its id, in the order of the campaigns.
    package private(set) var uses: [String: [MediaUse]] = [:]

    /// Reads every campaign, archived ones too because they can be restored, and every content block.
    package init(reading store: any CardStore) async throws {
        for status in [nil, Campaign.Status.archived] {
            var offset = 0
            while true {
                let page = try await store.listCampaigns(status: status, limit: 1_000, offset: offset)
                for campaign in page { note(campaign) }
                if page.count < 1_000 { break }
                offset += page.count
            }
        }
        for block in try await store.contentBlocks() {
            note(MediaUse(kind: .contentBlock, id: block.name, name: block.name), in: Array(block.content.utf8))
        }
    }

    private mutating func note(_ campaign: Campaign) {
        let use = MediaUse(kind: .campaign, id: campaign.id.rawValue, name: campaign.content.name)
        note(use, in: campaign.json.bytes)
    }

    private mutating func note(_ use: MediaUse, in text: [UInt8]) {
        for id in Self.ids(in: text) { uses[id, default: []].append(use) }
    }

    /// Returns the ids of the pictures whose addresses are in a text, also where JSON escapes the slashes.
    static func ids(in text: [UInt8]) -> Set<String> {
        var ids: Set<String> = []
        var rest = text[...]
        while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            rest = rest[slash...]
            if rest.starts(with: prefix) {
                let id = String(decoding: rest.dropFirst(prefix.count).prefix(32), as: UTF8.self)
                if MediaItem.isID(id) { ids.insert(id) }
            }
            rest = rest.dropFirst()
        }
        return ids
    }
}
