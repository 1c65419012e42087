package import CardModel

extension TestCard {
    /// Restores a test card from its row.
    package init(_ row: some StoredRow) throws {
        self.init(
            card: CardID(rawValue: try row.text("card_id")),
            campaign: CampaignID(rawValue: try row.text("campaign_id")),
            variant: VariantID(rawValue: try row.text("variant_id")),
            language: try row.optionalText("language"),
            members: try row.bytes("members"),
            isPinned: try row.flag("pinned"),
            priority: Int(clamping: try row.integer("priority")),
            sentAt: try row.double("sent_at"),
            expiresAt: try row.double("expires_at")
        )
        marks = Marks(
            isViewed: try row.flag("viewed"),
            isClicked: try row.flag("clicked"),
            isDismissed: try row.flag("dismissed")
        )
        isReplaced = try row.flag("replaced")
        changedAt = try row.integer("changed_at")
    }
}
