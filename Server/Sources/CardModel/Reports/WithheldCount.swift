/// How many users a template kept a card from, on one day and for one reason.
///
/// A user counts once for a variant and kind of failure, however often their device asks.
public struct WithheldCount: Sendable, Hashable {
    /// The variant.
    public var variant: VariantID
    /// The day.
    public var day: CountingDay
    /// The kind of failure.
    public var kind: TemplateFailure.Kind
    /// What the template said, or the code of the error.
    public var reason: String
    /// How many users.
    public var users: Int64

    /// Makes a count.
    public init(variant: VariantID, day: CountingDay, kind: TemplateFailure.Kind, reason: String, users: Int64) {
        self.variant = variant
        self.day = day
        self.kind = kind
        self.reason = reason
        self.users = users
    }
}
