import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `/v1/audience`: how many users an audience means, and whether it means one.
struct AudienceController: Sendable {
    let services: Services
    let segments: SegmentService

    /// Counts the users that an audience means, by a sample where there are many unless `exact` asks otherwise.
    @Sendable func reach(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await request.readObject()
        var isExact = false
        if let exact = body["exact"], !exact.isNull {
            guard let flag = exact.bool else { throw RequestError.fieldInvalid("exact", expected: Expected.boolean) }
            isExact = flag
        }
        let audience = try Audience(json: body["audience"] ?? .null)
        return Response(json: try await segments.reach(of: audience, exactly: isExact, for: context.requireCaller()))
    }

    /// Explains clause by clause why a user is in an audience or isn't.
    @Sendable func explain(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await request.readJSON()
        guard let id = body["user_id"] else { throw RequestError.fieldMissing("user_id") }
        guard let id = id.string.flatMap(UserID.init(checking:)) else { throw RequestError.userInvalid }
        let matcher = try await segments.matcher(of: try Audience(json: body["audience"] ?? .null))
        try await services.reads.note("user.read", of: id, by: try context.requireCaller().actor)
        guard let user = try await services.store.userState(of: id, including: matcher.parts) else {
            throw RequestError.notFound("user")
        }
        let zone = services.catalog.current.settings.timeZone
        let facts = UserFacts(user, at: services.clock(), workspaceZone: zone)
        let explanation = matcher.explanation(of: facts)
        return Response(
            json: [
                "user_id": .string(id.rawValue), "matches": .bool(explanation.matches),
                "reasons": .array(explanation.reasons.map(\.json)), "explanation": explanation.json,
            ]
        )
    }
}

extension AudienceReach {
    /// The number of users to which a count is rounded for callers who can't see what single users are like.
    ///
    /// A user can be singled out without being named, such as by three random buckets, and a small count then answers
    /// any question about them.
    private static let step: Int64 = 100

    /// The count to the hundred.
    var coarseJSON: JSONValue {
        // safe: counts of users
        let low = bounds.lowerBound / Self.step * Self.step
        // safe: counts of users, and one step more
        let high = min((bounds.upperBound / Self.step + 1) * Self.step - 1, max(total, low))
        // safe: counts of users
        let (rounded, margin) = (min(max(users / Self.step * Self.step, low), high), high - low)
        return [
            "users": .integer(rounded), "exact": false, "total": .integer(total), "asked": .integer(asked),
            "margin": .integer(margin),
            "low": .integer(low), "high": .integer(high),
        ]
    }

    var json: JSONValue {
        [
            "users": .integer(users), "exact": .bool(isExact), "total": .integer(total), "asked": .integer(asked),
            "margin": .integer(margin), "low": .integer(bounds.lowerBound), "high": .integer(bounds.upperBound),
        ]
    }
}
