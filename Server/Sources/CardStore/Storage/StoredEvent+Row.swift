import CardModel
import WireJSON

extension StoredEvent {
    /// Restores an event from its row, in which `owner` is whose it is where its user was merged into another.
    package init(_ row: some StoredRow) throws {
        guard let id = EventID(bytes: try row.bytes("id")),
            let details = try? row.optionalText("details").map(JSONValue.init(parsing:)) ?? .null
        else { throw StoreError.unreadable("an event") }
        self.init(
            position: try row.integer("position"),
            user: UserID(rawValue: try row.optionalText("owner") ?? row.text("user_id")),
            id: id,
            type: try row.text("type"),
            at: try row.double("at"),
            receivedAt: try row.double("received_at"),
            card: try row.optionalText("card_id").map(CardID.init),
            campaign: try row.optionalText("campaign_id").map(CampaignID.init),
            variant: try row.optionalText("variant_id").map(VariantID.init),
            details: details
        )
    }
}
