import Liquid

/// The reason why a template gives a user no card.
public struct TemplateFailure: Error, Sendable, Hashable {
    /// The kinds of failure.
    public enum FailureKind: String, Sendable, CaseIterable {
        /// The template asked not to be shown.
        case aborted
        /// The template could not be rendered, or what came out is no card.
        case failed
        /// The result has more bytes than a card can have.
        case tooLarge = "too_large"
    }

    /// The number of bytes of a reason that are kept.
    public static let reasonLimit = 200
    /// The number of bytes of a message that are kept.
    static let messageLimit = 1_000

    /// The kind of failure.
    public var kind: FailureKind
    /// The field of the card, such as `title` or `extras.tile_id`; empty for the card as a whole.
    public var field: String
    /// The template's message when it aborted, which can be about the user, or the stable code of the error, such as
    /// `loop_limit`.
    public var reason: String
    /// The reason in reports: the reason, but where the template aborted and computed it, the expression in braces.
    ///
    /// Whoever reads a report isn't meant to learn what templates know of users.
    public let countedReason: String
    /// The message that says what to fix, without any of the user's data.
    public var message: String

    /// The number of seconds after which it is worth rendering again, though nothing was changed, or `nil` for never:
    /// hosts that templates ask can answer later.
    public var retryAfter: Double? {
        kind == .failed && reason == LiquidError.Code.connectedContent.rawValue ? 60 : nil
    }

    /// The failure where the content kept of a card when it was given can't be read: the database is damaged there.
    static let unreadable = TemplateFailure(
        .failed,
        reason: unreadableReason,
        message: "What was kept of the card can't be read. `placard doctor --full` says what helps."
    )
    private static let unreadableReason = "unreadable"

    /// Whether it is the database's fault, and not the template's.
    public var isDamage: Bool { kind == .failed && reason == Self.unreadableReason }

    /// The failure as a word that stays the same.
    public var code: String {
        switch kind {
        case .aborted: "template_aborted"
        case .failed: "template_failed"
        case .tooLarge: "card_too_large"
        }
    }

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - kind: The kind of failure.
    ///   - field: The field of the card; empty for the card as a whole.
    ///   - reason: What the template said, or the code of the error.
    ///   - counted: What reports say; the reason where it is `nil`.
    ///   - message: What to fix, without any of the user's data.
    public init(_ kind: FailureKind, field: String = "", reason: String, counted: String? = nil, message: String) {
        self.kind = kind
        self.field = field
        // Both may be made from data, so they are bounded.
        self.reason = Self.bounded(reason, to: Self.reasonLimit)
        countedReason = Self.bounded(counted ?? reason, to: Self.reasonLimit)
        self.message = Self.bounded(message, to: Self.messageLimit)
    }

    /// The text, or as many of its scalars as the bytes hold: a single character may be as long as it likes.
    private static func bounded(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limit)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }
}

/// A card that its template kept from a user.
public struct Withholding: Sendable, Hashable {
    /// The campaign.
    public var campaign: CampaignID
    /// The variant.
    public var variant: VariantID
    /// The reason for the failure.
    public var failure: TemplateFailure

    /// Creates a withholding.
    public init(campaign: CampaignID, variant: VariantID, failure: TemplateFailure) {
        self.campaign = campaign
        self.variant = variant
        self.failure = failure
    }
}
