import Foundation

/// Decides which request goes to the server and when, and how each wait for one ends.
///
/// A pure value: inputs, the current user and a moment go in, actions come out. It has at most one request under way,
/// so events stay in order, and every waiter ends exactly once. What it knows can be read, and is changed by
/// ``handle(_:for:at:random:)`` alone.
@dynamicMemberLookup
struct SyncMachine: Sendable {
    typealias SyncSettings = SyncState.SyncSettings
    typealias Waiter = SyncState.Waiter
    typealias Request = SyncState.Request
    typealias Suspicion = SyncState.Suspicion
    typealias Input = SyncState.Input
    typealias TokenAnswer = SyncState.TokenAnswer
    typealias SyncAnswer = SyncState.SyncAnswer
    typealias Action = SyncState.Action

    private var state: SyncState

    /// Creates a machine.
    ///
    /// - Parameters:
    ///   - settings: what doesn't change while it works, but for the flush delay.
    ///   - budget: the refreshes that the device has left.
    ///   - limits: the most events of a request, for users on whose events the server failed in an earlier launch.
    ///   - suspects: users whose oldest event was alone in a request that failed in an earlier launch.
    ///   - blockedUntil: the uptime before which no request is made, because the server said so in an earlier launch.
    init(
        settings: SyncSettings,
        budget: RefreshBudget,
        limits: [BytewiseText: Int] = [:],
        suspects: some Sequence<BytewiseText> = [],
        blockedUntil: TimeInterval = -.infinity
    ) {
        state = SyncState(settings: settings, budget: budget)
        state.limits = limits
        state.suspicions = Dictionary(suspects.map { ($0, .failure) }) { first, _ in first }
        state.blockedUntil = blockedUntil
    }

    /// Accesses the values of the machine's state.
    subscript<Value>(dynamicMember path: KeyPath<SyncState, Value>) -> Value { state[keyPath: path] }

    /// Takes an input and returns what to do, in order.
    ///
    /// What was under way for another user than `current` ends first.
    mutating func handle(
        _ input: Input,
        for current: CurrentUser,
        at moment: Moment,
        random: Double = 0.5
    ) -> [Action] {
        var actions: [Action] = []
        state.adopt(current, &actions)
        state.apply(input, at: moment, random: random, &actions)
        state.plan(at: moment, &actions)
        return actions
    }

    /// Returns why no request can be made for a user, or `nil`.
    func obstacle(for current: CurrentUser) -> ContentCardsError? { state.obstacle(for: current) }
}
