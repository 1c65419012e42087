import CardModel
import CardStore

/// A user whose state is asked for.
struct StateRequest: Sendable {
    let user: UserID
    /// The parts of the user's history that are asked for.
    let parts: UserHistory.Parts
    /// The moment by which triggers are due whose properties are read.
    let time: UnixTime
    var fence: ReadFence?

    fileprivate var hasHistory: Bool { !parts.isDisjoint(with: .all) }
}

extension PostgresConnection {
    /// Reads a user.
    ///
    /// What is read by further statements is of the same moment or of a later one.
    func state(
        of user: UserID,
        including parts: UserHistory.Parts,
        dueBy time: UnixTime = .infinity
    ) throws -> UserState? {
        try states(of: [StateRequest(user: user, parts: parts, time: time)]).first?.get()
    }

    /// Reads users, each as ``state(of:including:dueBy:)`` does, and checks each for its caller: by one round trip, and
    /// another where any of them has triggers or test cards.
    func states(of requests: [StateRequest]) throws -> [Result<UserState?, any Error>] {
        let isFenced = requests.contains { $0.fence != nil }
        var places: [[PostgresRow]] = []
        let profiles = try answers(
            to: requests.map { request in
                let user = request.user.rawValue
                let histories = PostgresQuery(SQL.histories, [user, Int64(request.parts.rawValue)])
                return [PostgresQuery(SQL.state, [user])] + (request.hasHistory ? [histories] : [])
            },
            isFenced,
            &places
        )
        let plans = try zip(requests, profiles).map { try RestPlan($0, $1.first?.first) }
        let rests = try answers(to: plans.map(\.queries), isFenced, &places)
        return requests.indices.map { index in
            let (request, profile, plan, rest) = (requests[index], profiles[index], plans[index], rests[index])
            return Result {
                for place in places { try request.fence?.check(place) }
                return try Self.state(of: request, profile, plan, rest)
            }
        }
    }

    /// Runs all statements at once, and returns the rows of each of every request's.
    ///
    /// - Parameters:
    ///   - queries: The statements of each request; none at all wait for nothing.
    ///   - isFenced: Whether the placement is asked for after them.
    ///   - places: The rows of the placements that were asked for.
    /// - Returns: For each request, the rows of each of its statements.
    /// - Throws: `PostgresError` where one of them fails.
    private func answers(
        to queries: [[PostgresQuery]],
        _ isFenced: Bool,
        _ places: inout [[PostgresRow]]
    ) throws -> [[[PostgresRow]]] {
        let all = queries.flatMap { $0 }
        guard !all.isEmpty else { return queries.map { _ in [] } }
        var found = try rows(of: all + (isFenced ? [ReadFence.query] : []))[...]
        if isFenced, let place = found.popLast() { places.append(place) }
        return queries.map { own in
            defer { found = found.dropFirst(own.count) }
            return Array(found.prefix(own.count))
        }
    }

    private static func state(
        of request: StateRequest,
        _ profile: [[PostgresRow]],
        _ plan: RestPlan,
        _ rest: [[PostgresRow]]
    ) throws -> UserState? {
        guard let rows = profile.first, let first = rows.first else { return nil }
        var state = UserState(profile: try first.profile(of: request.user), version: try first.integer("version"))
        state.deliveries = try deliveries(rows)
        for row in profile.dropFirst().joined() {
            let (key, summary) = try row.history()
            state.history.take(key, summary)
        }
        var rest = rest.makeIterator()
        if plan.hasTriggers { state.triggers = try (rest.next() ?? []).map { try $0.trigger() } }
        if plan.hasTestCards { state.testCards = try (rest.next() ?? []).map(TestCard.init) }
        return state
    }

    /// Reads the cards of the rows of `SQL.state`, the oldest first.
    private static func deliveries(_ rows: [PostgresRow]) throws -> [Delivery] {
        guard let first = rows.first, try !first.isNull("card_id") else { return [] }
        let cards = try rows.map { (position: try $0.integer("position"), delivery: try $0.delivery()) }
        // Two users who were merged may have been given cards at the same positions.
        return cards.sorted { ($0.position, $0.delivery.card) < ($1.position, $1.delivery.card) }.map(\.delivery)
    }
}

/// The rest of what a user has, which few have.
private struct RestPlan {
    var hasTriggers = false
    var hasTestCards = false
    var queries: [PostgresQuery] = []

    /// - Parameters:
    ///   - request: Who is asked for.
    ///   - row: The first row of `SQL.state`, or `nil` for a user who isn't known.
    /// - Throws: `StoreError.unreadable` where the row doesn't say.
    init(_ request: StateRequest, _ row: PostgresRow?) throws {
        guard let row else { return }
        (hasTriggers, hasTestCards) = (try row.flag("has_triggers"), try row.flag("has_test_cards"))
        let user = request.user.rawValue
        if hasTriggers {
            queries.append(PostgresQuery(SQL.triggers, [user, request.time, PlannedTime.furthestAhead]))
        }
        if hasTestCards { queries.append(PostgresQuery(SQL.testCards, [user])) }
    }
}
