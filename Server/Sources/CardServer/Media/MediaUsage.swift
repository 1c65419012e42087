import CardModel
package import CardStore
import OrderedCollections
import WireJSON

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
    /// The newest version of a campaign that names it, where the present one doesn't.
    package let version: Int64?

    /// The id with the version.
    var label: String { version.map { "\(id) (version \($0))" } ?? id }
}

/// Finds where pictures are used, by the addresses in campaigns and content blocks.
///
/// An earlier version of a campaign counts where it was launched: frozen cards that were given then still show its
/// picture, and it can be restored.
package struct MediaUsage: Sendable {
    private struct Place: Hashable {
        let picture: String
        let campaign: CampaignID
    }

    private static let prefixText = "/media/"
    private static let prefix = Array(prefixText.utf8)
    /// The contents that are read at a time.
    private static let pastLimit = 50

    /// The uses of each picture by its id, in the order of the campaigns.
    package private(set) var uses: [String: [MediaUse]] = [:]
    private var present: Set<Place> = []

    /// Reads every campaign, archived ones too because they can be restored, every content block, and the contents that
    /// campaigns have had since they were launched, or would have by an edit that waits for approval.
    package init(reading store: any CardStore) async throws {
        var names: [CampaignID: String] = [:]
        // In the order in which they were created, so that none is passed over that is changed while they are read.
        var page = CampaignPage()
        (page.includesArchived, page.limit) = (true, Self.pastLimit)
        while true {
            let campaigns = try await store.pageCampaigns(page)
            for campaign in campaigns {
                note(campaign)
                names[campaign.id] = campaign.content.name
            }
            if campaigns.count < page.limit { break }
            // safe: as many campaigns as a store has
            page.offset += campaigns.count
        }
        var awaited: [(campaign: CampaignID, picture: String)] = []
        try await store.forEachPendingApproval { approval in
            guard case .edit(let content) = approval.change else { return }
            awaited += Self.ids(in: JSONValue.object(content.json).bytes).map { (approval.campaign, $0) }
        }
        for (id, picture) in awaited where present.insert(Place(picture: picture, campaign: id)).inserted {
            let use = MediaUse(kind: .campaign, id: id.rawValue, name: names[id] ?? id.rawValue, version: nil)
            uses[picture, default: []].append(use)
        }
        for block in try await store.contentBlocks() {
            let use = MediaUse(kind: .contentBlock, id: block.name, name: block.name, version: nil)
            note(use, in: Array(block.content.utf8))
        }
        for (place, version) in try await Self.pastPlaces(store) where !present.contains(place) {
            let id = place.campaign.rawValue
            let use = MediaUse(kind: .campaign, id: id, name: names[place.campaign] ?? id, version: version)
            uses[place.picture, default: []].append(use)
        }
    }

    /// The newest version of each campaign that names a picture.
    private static func pastPlaces(_ store: any CardStore) async throws -> OrderedDictionary<Place, Int64> {
        var versions: OrderedDictionary<Place, Int64> = [:]
        var last: LaunchedContent?
        while true {
            let page = try await store.launchedContents(with: prefixText, after: last, limit: pastLimit)
            for past in page {
                // The newest comes last.
                for id in ids(in: past.json).sorted() {
                    versions[Place(picture: id, campaign: past.campaign)] = past.version
                }
            }
            guard page.count == pastLimit, let end = page.last else { return versions }
            last = end
        }
    }

    private mutating func note(_ campaign: Campaign) {
        let use = MediaUse(
            kind: .campaign,
            id: campaign.id.rawValue,
            name: campaign.content.name,
            version: nil
        )
        let json = campaign.json.bytes
        note(use, in: json)
        for id in Self.ids(in: json) { present.insert(Place(picture: id, campaign: campaign.id)) }
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
