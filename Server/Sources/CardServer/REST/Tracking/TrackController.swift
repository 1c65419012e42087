import CardModel
import CardStore
import Hummingbird
import OrderedCollections
import WireJSON

/// `POST /users/track`: what a backend tells of its users, in one transaction for each request.
struct TrackController: Sendable {
    @Sendable func track(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let services = caller.services
        let now = services.clock()
        let snapshot = services.catalog.current
        let tracking = try TrackRequest(
            try await request.readJSON(),
            at: now,
            keptDays: snapshot.settings.eventDays,
            makeUserID: services.makeUserID
        )
        let rules = snapshot.catalog.eventRules
        let outcome = try await services.store.track(tracking.changes, rules: rules, at: now)
        var members: OrderedDictionary<String, JSONValue> = [:]
        for (array, user) in zip(tracking.arrays, outcome.users) {
            let name = "\(array.rawValue)_processed"
            members[name] = .integer((members[name]?.integer ?? 0) + (user == nil ? 0 : 1))
        }
        services.metrics.count(
            EventReceipt(
                accepted: outcome.count(of: tracking.changes) - outcome.duplicates,
                duplicate: outcome.duplicates
            )
        )
        return Response(success: members, errors: tracking.errors)
    }
}

extension TrackOutcome {
    /// How many of the changes were events of users that there are.
    fileprivate func count(of changes: [TrackedChange]) -> Int {
        zip(users, changes).count { user, change in
            if user != nil, case .event = change.content { true } else { false }
        }
    }
}
