import CardModel

/// What a batch of events has changed so far.
struct BatchState {
    let batch: EventBatch
    var receipt = EventReceipt()
    /// The limits that events would have gone beyond, by their place.
    var excesses: [Int: UserLimits.Excess] = [:]
    var cards: CardsOfBatch
    var history = HistoryOfBatch()
    /// The user's attributes, once an event has asked for them.
    var attributes: AttributesOfBatch?
    /// Whether something changed that the device which sent the batch does not know.
    var bringsNews = false

    init(_ batch: EventBatch, version: UserVersion) {
        self.batch = batch
        // safe: versions go up by one
        cards = CardsOfBatch(user: batch.user, nextVersion: version + 1)
    }
}

/// The attributes of a batch's user, read once and changed as the batch goes on.
struct AttributesOfBatch {
    private(set) var profile: UserProfile
    private(set) var isChanged = false
    private var usage: AttributeUsage

    init(of profile: UserProfile) {
        self.profile = profile
        usage = AttributeUsage(of: profile)
    }

    mutating func apply(_ changes: AttributeChanges, within limits: UserLimits) throws(UserLimits.Excess) {
        if try profile.apply(changes, within: limits, &usage) { isChanged = true }
    }
}
