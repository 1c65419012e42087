/// A trigger for everybody in an audience, kept once for all of them.
public struct Broadcast: Sendable, Hashable {
    /// The trigger that each of its users gets.
    public var trigger: Trigger
    /// The part of the campaign's audience that is meant.
    public var audience: Audience

    /// Creates a broadcast.
    public init(_ trigger: Trigger, to audience: Audience = .everyone) {
        self.trigger = trigger
        self.audience = audience
    }
}

extension Broadcast {
    /// The broadcasts that may still give a card, all together: what every sync looks at and every node keeps in
    /// memory.
    public struct BroadcastLoad: Sendable, Hashable {
        /// The most of one campaign.
        public static let campaignLimit = 250
        /// The most of all campaigns.
        public static let limit = 1_000
        /// The most bytes of JSON of all their audiences and properties.
        public static let sizeLimit = 2 * 1_024 * 1_024

        /// The number of broadcasts of the campaign.
        public var ofCampaign: Int
        /// The number of all broadcasts.
        public var count: Int
        /// The bytes of their audiences and properties.
        public var size: Int

        /// Creates a load.
        public init(ofCampaign: Int, count: Int, size: Int) {
            (self.ofCampaign, self.count, self.size) = (ofCampaign, count, size)
        }

        /// The limit that is exceeded, in words, or `nil` where it is within the limits.
        public var excess: String? {
            if ofCampaign > Self.campaignLimit {
                return "At most \(Self.campaignLimit) broadcasts of a campaign wait for their users at once."
            }
            if count > Self.limit { return "At most \(Self.limit) broadcasts wait for their users at once." }
            if size > Self.sizeLimit {
                return "All broadcasts that wait have at most \(Self.sizeLimit) bytes of audiences and properties."
            }
            return nil
        }
    }
}
