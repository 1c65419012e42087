import WireJSON

/// The counts of campaigns, to be added to what was counted before.
///
/// A store adds it at the end of a transaction, once for all that was recorded in it.
public struct RecordedCounts: Sendable {
    /// Names what is counted of a variant on a day.
    public struct Key: Hashable, Sendable {
        /// The campaign.
        public let campaign: CampaignID
        /// The variant.
        public let variant: VariantID
        /// The day.
        public let day: CountingDay
    }

    /// Names what is counted of a conversion.
    public struct ConversionKey: Hashable, Sendable {
        /// The campaign.
        public let campaign: CampaignID
        /// The variant of the card that converted.
        public let variant: VariantID
        /// The day.
        public let day: CountingDay
        /// The conversion's id.
        @Bytewise public internal(set) var conversion: String
    }

    /// Names what is counted of a conversion in one currency.
    public struct AmountKey: Hashable, Sendable {
        /// The conversion.
        public let conversion: ConversionKey
        /// The currency, ISO 4217.
        @Bytewise public internal(set) var currency: String
    }

    /// Names the users who got a variant while a campaign divided its users by some weights.
    public struct VariantAllocationKey: Hashable, Sendable {
        /// The campaign.
        public let campaign: CampaignID
        /// ``VariantAllocation/text``.
        @Bytewise public internal(set) var weights: String
        /// The variant.
        public let variant: VariantID
    }

    /// The counts of variants.
    public private(set) var variants: [Key: CampaignCounts] = [:]
    /// The counts of conversions.
    public internal(set) var conversions: [ConversionKey: ConversionCounts] = [:]
    /// The amounts of conversions.
    public internal(set) var amounts: [AmountKey: AmountCounts] = [:]
    /// The numbers of users who were given their first card of a campaign.
    public private(set) var allocations: [VariantAllocationKey: Int64] = [:]

    /// Creates counts of nothing.
    public init() {}

    /// Adds to what is counted of a variant on a day.
    mutating func add(
        to campaign: CampaignID,
        _ variant: VariantID,
        on day: CountingDay,
        _ body: (inout CampaignCounts) -> Void
    ) {
        body(&variants[Key(campaign: campaign, variant: variant, day: day), default: CampaignCounts()])
    }

    /// Adds a user who was given their first card of a campaign that divides its users.
    mutating func add(_ delivery: Delivery, by allocation: VariantAllocation) {
        let key = VariantAllocationKey(campaign: delivery.campaign, weights: allocation.text, variant: delivery.variant)
        // safe: counts go up by one
        allocations[key, default: 0] += 1
    }
}

extension CampaignCounts {
    /// Adds what happened.
    ///
    /// - Parameters:
    ///   - kind: What it was.
    ///   - isNew: Whether it had not happened to that card before.
    ///   - isFirst: Whether it had happened to none of the user's cards of the campaign.
    mutating func count(_ kind: DeviceEvent.EventKind, isNew: Bool, isFirst: Bool) {
        switch kind {
        case .impression:
            impressions += 1
            if isFirst { uniqueImpressions += 1 }
        case .click:
            clicks += 1
            if isFirst { uniqueClicks += 1 }
        case .dismissal:
            if isNew { dismissals += 1 }
        case .contentError:
            decodeErrors += 1
        case .custom, .purchase, .sessionStart, .attributes:
            break
        }
    }
}
