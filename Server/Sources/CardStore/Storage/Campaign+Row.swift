package import CardModel
import WireJSON

extension Campaign {
    /// The content as a row holds it.
    package var storedContent: String { JSONValue.object(content.json).text }

    /// Restores a campaign from its row.
    package init(_ row: some StoredRow) throws {
        guard let json = try? JSONValue(parsing: row.text("content")), let content = try? Content(json: json),
            let status = Status(rawValue: try row.text("status"))
        else { throw StoreError.unreadable("campaign", try row.text("id")) }
        self.init(
            id: CampaignID(rawValue: try row.text("id")),
            content: content,
            status: status,
            isWithdrawn: try row.flag("withdrawn"),
            version: try row.integer("version"),
            generation: try row.integer("generation"),
            createdAt: try row.double("created_at"),
            updatedAt: try row.double("updated_at"),
            launchedAt: try row.optionalDouble("launched_at")
        )
    }
}

extension CampaignVersion {
    /// Returns the content as the row of a version holds it, or `nil` where that is the content of the version before.
    package static func storedContent(of campaign: Campaign, since old: Campaign?) -> String? {
        campaign.content == old?.content ? nil : campaign.storedContent
    }

    /// Returns the oldest version that is kept beside a campaign's newest one, or `nil` where all are.
    ///
    /// An older one stays too where that is what the oldest takes its content from.
    package static func oldestKept(of campaign: Campaign) -> Int64? {
        // safe: the version is above the limit
        campaign.version > limit ? campaign.version - limit + 1 : nil
    }

    /// The fields of the content that a change made different, as a row holds them; empty for the first version.
    package static func changedFields(of campaign: Campaign, since old: Campaign?) -> String {
        old.map { campaign.content.fields(differentFrom: $0.content).joined(separator: ",") } ?? ""
    }

    /// Restores a version from its row.
    package init(_ row: some StoredRow) throws {
        guard let status = Campaign.Status(rawValue: try row.text("status")) else {
            throw StoreError.unreadable("a version of a campaign")
        }
        self.init(
            number: try row.integer("version"),
            at: try row.double("at"),
            actor: try row.text("actor"),
            action: try row.text("action"),
            status: status,
            changedFields: try row.text("changed").split(at: ",").map(String.init),
            restores: try row.optionalInteger("restores")
        )
    }
}

/// Campaigns as they were read before: of many, only those are read again that were changed since.
///
/// A campaign that is changed gets another version, so id and version tell which they are. Making a campaign of its
/// JSON is what takes long.
package struct KnownCampaigns {
    private let campaigns: [CampaignID: Campaign]

    /// Remembers campaigns.
    package init(_ campaigns: [Campaign]) {
        self.campaigns = Dictionary(campaigns.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
    }

    /// Remembers the campaigns of a source where it was read in that history of the store.
    package init(_ source: CatalogSource?, in epoch: UInt64) {
        self.init(source?.epoch == epoch ? source?.campaigns ?? [] : [])
    }

    /// Returns whether the campaign of a row, which has an id and a version, is known in that version.
    package func contains(_ row: some StoredRow) throws -> Bool {
        try campaigns[CampaignID(rawValue: row.text("id"))]?.version == row.integer("version")
    }

    /// Returns the campaigns of those rows, which have an id and a version, in their order.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - find: Reads a campaign that isn't known in that version.
    /// - Returns: The campaigns, without those that are gone.
    /// - Throws: An error of a row, or of `find`.
    package func fetch(
        _ rows: [some StoredRow],
        orReadBy find: (CampaignID) throws -> Campaign?
    ) throws -> [Campaign] {
        try rows.compactMap { row in
            let id = CampaignID(rawValue: try row.text("id"))
            if let known = campaigns[id], known.version == (try row.integer("version")) { return known }
            return try find(id)
        }
    }
}
