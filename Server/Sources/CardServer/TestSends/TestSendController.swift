import CardModel
import Hummingbird
import WireJSON

/// `POST /v1/campaigns/{id}/test-send`: a card of a campaign, a draft perhaps, for a few users to try; and the users
/// who get it by default.
struct TestSendController: Sendable {
    let services: Services
    let tests: TestSendService

    @Sendable func send(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let campaign = try await services.campaigns.campaign(try context.pathParameter("id"))
        let outcomes = try await tests.send(campaign, try await request.readObject(), by: caller)
        var (sent, failed): ([JSONValue], [JSONValue]) = ([], [])
        for (user, card) in outcomes {
            let user = JSONValue.string(user.rawValue)
            switch card {
            case .success(let card): sent.append(["user_id": user, "card_id": .string(card.rawValue)])
            case .failure(let failure):
                failed.append(["user_id": user, "code": .string(failure.code), "message": .string(failure.message)])
            }
        }
        return Response(json: ["sent": .array(sent), "failed": .array(failed)])
    }

    @Sendable func users(_ request: Request, _ context: AppContext) async throws -> Response {
        Self.response(try await tests.users(by: try context.requireCaller()))
    }

    @Sendable func saveUsers(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        return Self.response(try await tests.saveUsers(try await request.readObject(), by: caller))
    }

    private static func response(_ users: [TestUser]) -> Response {
        let devices = users.compactMap { user in
            user.name.map { JSONValue.object(["user_id": .string(user.id.rawValue), "name": .string($0)]) }
        }
        let groups = TestGroup.all(of: users).map { group in
            JSONValue.object(["name": .string(group.name), "users": ids(group.users)])
        }
        return Response(
            json: ["users": ids(users.map(\.id)), "devices": .array(devices), "groups": .array(groups)]
        )
    }

    private static func ids(_ users: [UserID]) -> JSONValue { .array(users.map { .string($0.rawValue) }) }
}
