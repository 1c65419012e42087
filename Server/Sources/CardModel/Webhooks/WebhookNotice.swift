public import WireJSON

/// Something that a webhook receives besides the log of events: of a user who is gone, or of an approval.
public struct WebhookNotice: Sendable, Hashable {
    /// The kinds of notices.
    public enum NoticeKind: String, Sendable, CaseIterable {
        /// Everything about the user was deleted.
        case userDeleted = "user.deleted"
        /// The user became one with another, who has their events now.
        case userMerged = "user.merged"
        /// A member or key asked for the approval of a launch or an edit.
        case approvalRequested = "approval.requested"
        /// Another member approved it, and it was done.
        case approvalApproved = "approval.approved"
        /// Another member rejected it.
        case approvalRejected = "approval.rejected"
        /// Whoever asked took it back.
        case approvalWithdrawn = "approval.withdrawn"

        /// Whether it is about a user, and not about a campaign.
        public var isAboutUser: Bool { self == .userDeleted || self == .userMerged }
    }

    /// The subject of a notice.
    public enum NoticeSubject: Sendable, Hashable {
        /// A user, as they were called.
        case user(UserID)
        /// A campaign.
        case campaign(CampaignID)

        /// Restores the subject of a notice of some kind.
        public init(_ text: String, of kind: NoticeKind) {
            self = kind.isAboutUser ? .user(UserID(rawValue: text)) : .campaign(CampaignID(rawValue: text))
        }

        /// The id.
        public var text: String {
            switch self {
            case .user(let user): user.rawValue
            case .campaign(let campaign): campaign.rawValue
            }
        }
    }

    /// Its place in the order in which notices were kept.
    public var position: Int64
    /// The id by which a receiver recognizes a notice that it has already: a UUIDv7.
    public var id: EventID
    /// The kind of the notice.
    public var kind: NoticeKind
    /// The subject of the notice.
    public var subject: NoticeSubject
    /// The other details: `aliases` of a deleted user, `merged_into` of a merged one, who asked for an approval and
    /// what.
    public var details: JSONValue
    /// The time of the event.
    public var at: UnixTime

    /// Creates a notice.
    public init(
        position: Int64,
        id: EventID,
        kind: NoticeKind,
        subject: NoticeSubject,
        details: JSONValue,
        at: UnixTime
    ) {
        self.position = position
        self.id = id
        self.kind = kind
        self.subject = subject
        self.details = details
        self.at = at
    }
}

extension Webhook {
    /// The names of all types that a webhook can ask for.
    public static let typeNames = EventFilter.typeNames + WebhookNotice.NoticeKind.allCases.map(\.rawValue)

    /// Returns whether a webhook that asks for types gets notices of a kind; without types, it gets all.
    public static func sends(_ kind: WebhookNotice.NoticeKind, amongTypes types: Set<String>) -> Bool {
        types.isEmpty || types.contains(kind.rawValue)
    }
}

extension EventID {
    /// Creates a UUIDv7, whose order is that of the times.
    public init(at time: UnixTime, using generator: inout some RandomNumberGenerator) {
        let milliseconds = UInt64(saturating: time * 1_000) & 0xFFFF_FFFF_FFFF
        self.init(
            high: milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0xFFF, using: &generator),
            low: 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF, using: &generator)
        )
    }
}
