/// The number of users without a card because of a template, on one day and for one reason.
///
/// A user counts once for a variant and kind of failure, however often their device asks.
public struct WithheldCount: Sendable, Hashable {
    /// The variant.
    public var variant: VariantID
    /// The day.
    public var day: CountingDay
    /// The kind of failure.
    public var kind: TemplateFailure.FailureKind
    /// The template's message, or the code of the error.
    public var reason: String
    /// The number of users.
    public var users: Int64

    /// Creates a count.
    public init(variant: VariantID, day: CountingDay, kind: TemplateFailure.FailureKind, reason: String, users: Int64) {
        self.variant = variant
        self.day = day
        self.kind = kind
        self.reason = reason
        self.users = users
    }
}
