import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `POST /users/track`: what a backend tells of its users, in one transaction for each request.
struct TrackController: Sendable {
    @Sendable func track(_ request: Request, _ caller: BackendCaller) async throws -> Response {
        let services = caller.services
        let now = services.clock()
        // What an event brings about is decided now, and never made up for.
        let snapshot = try await services.catalog.latest()
        let tracking = try TrackRequest(
            try TrackBody.read(try await request.readBody().readableBytesView),
            at: now,
            keptDays: snapshot.settings.eventDays,
            makeUserID: services.makeUserID
        )
        let rules = snapshot.catalog.eventRules
        let outcome = try await services.store.trackUsers(tracking.changes, rules: rules, at: now)
        var members: JSONObject = [:]
        var errors = tracking.errors
        for (index, place) in tracking.places.enumerated() {
            let name = "\(place.array.rawValue)_processed"
            let excess = outcome.excesses[index]
            let isDone = outcome.users[index] != nil && excess == nil
            // safe: counts the objects of a request
            members[name] = .integer((members[name]?.integer ?? 0) + (isDone ? 1 : 0))
            if let excess { errors.append(InputError(type: excess.message, array: place.array, index: place.index)) }
        }
        services.metrics.count(
            EventReceipt(
                accepted: outcome.count(of: tracking.changes) - outcome.duplicates,
                duplicate: outcome.duplicates
            )
        )
        return Response(success: members, errors: errors)
    }
}

extension TrackOutcome {
    /// The number of changes that were events of users that there are, and within the limits.
    fileprivate func count(of changes: [TrackedChange]) -> Int {
        zip(users, changes).enumerated().count { place, pair in
            if pair.0 != nil, excesses[place] == nil, case .event = pair.1.content { true } else { false }
        }
    }
}
