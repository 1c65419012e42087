/// The user of the device, and whether content cards are enabled.
///
/// `FeedStore` alone decides it. Everything else takes the value that it needs, and compares it with the one that it
/// worked for: no order of calls keeps them in step.
struct CurrentUser: Sendable, Equatable {
    /// The user's id; `nil` while nobody is identified.
    var id: BytewiseText?
    /// Whether content cards are enabled.
    var isEnabled = true
    /// The number of changes of user, and of enabling, so far.
    ///
    /// A user who comes back after a wipe, or after another user, differs from before.
    var generation = 0
    /// The number of wipes so far: what happened before one is not logged after it.
    var wipes = 0
}
