import OrderedCollections

extension Recorder {
    /// Decides which user a backend's change concerns.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - candidates: The users who may be meant, where ``TrackedChange/needsCandidates`` is true.
    ///   - now: The moment.
    /// - Returns: The user, who may have to be created first.
    public func user(of change: TrackedChange, among candidates: [UserMatch], at now: UnixTime) -> TrackedUser {
        if case .id(let id) = change.user, change.newUser != nil { return .known(id) }
        if let known = change.user.choose(from: candidates) { return .known(known) }
        // Where several have what is to be the only name of a new user, none of them is meant, and nobody is created.
        guard let id = change.newUser, candidates.isEmpty else { return .nobody }
        var profile = UserProfile(id: id, createdAt: now)
        switch change.user {
        case .id: break
        case .alias(let alias): return .creation(profile, alias)
        case .email(let address, _): profile.standard[.email] = .string(address)
        case .phone(let number, _): profile.standard[.phone] = .string(number)
        }
        return .creation(profile, nil)
    }
}

extension TrackedChange {
    /// Whether it depends on who may be meant; a user with an id of their own is created by the change itself.
    public var needsCandidates: Bool {
        if case .id = user { newUser == nil } else { true }
    }
}

/// The user that a backend's change concerns.
public enum TrackedUser: Sendable, Hashable {
    /// Nobody: the change is left out.
    case nobody
    /// A user, who might not exist yet.
    case known(UserID)
    /// A user who is created first, of version 1, with the alias if there is one.
    case creation(UserProfile, UserAlias?)

    /// The user's id, or `nil` for nobody.
    public var id: UserID? {
        switch self {
        case .nobody: nil
        case .known(let id): id
        case .creation(let profile, _): profile.id
        }
    }
}

/// A backend's request while it is recorded: its outcome so far, and its events, which are recorded last.
///
/// The events of one user are one batch, in the order of the request.
public struct TrackedRequest: Sendable {
    /// The outcome so far.
    public private(set) var outcome = TrackOutcome(users: [])
    private var events: OrderedDictionary<UserID, [(place: Int, event: DeviceEvent)]> = [:]

    /// Creates a request of which nothing is recorded.
    public init() {}

    /// Adds the next change of the request.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - user: The user, or `nil` for nobody.
    /// - Returns: The changes of attributes to record now, whose limit is to be told by ``refuse(_:)``, or `nil` for
    ///   none.
    public mutating func add(_ change: TrackedChange, of user: UserID?) -> AttributeChanges? {
        outcome.users.append(user)
        guard let user else { return nil }
        switch change.content {
        case .attributes(let changes): return changes
        case .event(let event):
            events[user, default: []].append((outcome.users.count - 1, event))
            return nil
        }
    }

    /// Notes that the change that was added last would go beyond a limit.
    public mutating func refuse(_ excess: UserLimits.Excess) {
        outcome.excesses[outcome.users.count - 1] = excess
    }

    /// The events by user, in the order in which the users were first named.
    public func batches(rules: EventRules?, at now: UnixTime) -> [EventBatch] {
        // However many users a request names, others wait for all of it.
        let work = PatternWork.ofBatch
        return events.map { user, events in
            var batch = EventBatch(user: user, events: events.map(\.event), receivedAt: now, rules: rules)
            batch.work = work
            return batch
        }
    }

    /// Adds the outcome of a batch.
    public mutating func add(_ recorded: EventOutcome, of batch: EventBatch) {
        outcome.duplicates += recorded.receipt.duplicate
        let places = events[batch.user] ?? []
        // safe: the places are those of the batch
        for (index, excess) in recorded.excesses { outcome.excesses[places[index].place] = excess }
    }
}
