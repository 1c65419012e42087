import CardModel
import CardStore
import Hummingbird
import OrderedCollections
import WireJSON

/// `POST /v1/campaigns/{id}/test-send`: a card of a campaign, a draft perhaps, for a few users to try; and the users who
/// get it by default.
struct TestSendController: Sendable {
    /// The maximum number of users that a test is sent to.
    static let userLimit = 50

    private static let fieldNames: Set<String> = ["users", "variant_id", "language", "trigger_properties"]

    let services: Services

    // MARK: Sending

    @Sendable func send(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        // The answer says who exists and what templates make of their data.
        try caller.require(.users)
        guard let id = CampaignID(checking: try context.parameters.require("id")),
            let campaign = try await services.store.campaign(id)
        else { throw RequestError.notFound("campaign") }
        let body = try await request.readObject()
        try Self.check(body, allowing: Self.fieldNames)
        let test = try order(body, of: campaign)
        var users = try Self.users(body) ?? []
        if users.isEmpty { users = try await services.store.testUsers() }
        guard !users.isEmpty else { throw RequestError.fieldMissing("users") }
        var (sent, failed): ([JSONValue], [JSONValue]) = ([], [])
        for user in users {
            switch try await send(test, to: user) {
            case .success(let card):
                sent.append(["user_id": .string(user.rawValue), "card_id": .string(card.rawValue)])
            case .failure(let failure): failed.append(failure.json(of: user))
            }
        }
        try await services.store.appendAuditNote(
            "campaign.test-send",
            of: campaign.id.rawValue,
            at: services.clock(),
            by: caller.actor
        )
        return Response(json: ["sent": .array(sent), "failed": .array(failed)])
    }

    /// What is sent to each user.
    private struct Order: Sendable {
        let preview: CardPreview
        let language: String?
    }

    private struct Failure: Error {
        let code: String
        let message: String

        func json(of user: UserID) -> JSONValue {
            ["user_id": .string(user.rawValue), "code": .string(code), "message": .string(message)]
        }
    }

    private func order(_ body: JSONValue, of campaign: Campaign) throws -> Order {
        let variant = try variant(body, of: campaign)
        let language = try body.optional("language") { $0.string }
        if let language, language != variant.card?.language, variant.card?.translations[language] == nil {
            throw ModelError(.fieldInvalid, at: "language", "The card has no texts in \(language.prefix(40)).")
        }
        let properties = try body.optional("trigger_properties") { $0.object == nil ? nil : $0.bytes }
        let preview = CardPreview(
            testing: variant,
            language: language,
            of: campaign,
            properties: properties,
            engine: services.catalog.current.engine
        )
        return Order(preview: preview, language: language)
    }

    /// The variant that is named, or the first that shows a card.
    private func variant(_ body: JSONValue, of campaign: Campaign) throws -> Campaign.Variant {
        guard let name = try body.optional("variant_id", \.string) else {
            guard let first = campaign.content.variants.first(where: { !$0.isControl }) else {
                throw RequestError.notFound("variant with a card")
            }
            return first
        }
        guard let variant = VariantID(checking: name).flatMap(campaign.variant) else {
            throw ModelError(.fieldInvalid, at: "variant_id", "The campaign has no such variant.")
        }
        guard !variant.isControl else {
            throw ModelError(.fieldInvalid, at: "variant_id", "The control group gets no card to try.")
        }
        return variant
    }

    private func send(_ order: Order, to user: UserID) async throws -> Result<CardID, Failure> {
        let unknown = Failure(
            code: "user_unknown",
            message: "There is no such user. A user is created by the first sync."
        )
        guard let known = try await services.store.userState(of: user) else { return .failure(unknown) }
        let (rendering, now, id) = (services.rendering, services.clock(), services.makeCardID())
        let timeZone = services.catalog.current.settings.timeZone
        let render: @Sendable () -> Result<TestCard, TemplateFailure> = {
            Result { () throws(TemplateFailure) in
                try order.preview.testCard(
                    id,
                    language: order.language,
                    for: known.profile,
                    timeZone: timeZone,
                    at: now
                )
            }
        }
        let content = try await services.content.session { _ = try await rendering.offload(render) }
        switch try await ContentSession.$current.withValue(content, operation: { try await rendering.offload(render) })
        {
        case .failure(let failure): return .failure(Failure(code: failure.code, message: failure.sentence))
        case .success(let test):
            guard test.isShown(at: now) else {
                return .failure(Failure(code: "expired", message: "The card has expired already."))
            }
            return try await services.store.sendTestCard(test, to: user, at: now) ? .success(id) : .failure(unknown)
        }
    }

    // MARK: Test users

    @Sendable func users(_ request: Request, _ context: AppContext) async throws -> Response {
        Self.response(try await services.store.testUsers())
    }

    @Sendable func saveUsers(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let body = try await request.readObject()
        try Self.check(body, allowing: ["users"])
        guard let users = try Self.users(body) else { throw RequestError.fieldMissing("users") }
        try await services.store.saveTestUsers(users, at: services.clock(), by: caller.actor)
        return Self.response(users)
    }

    private static func response(_ users: [UserID]) -> Response {
        Response(json: ["users": .array(users.map { .string($0.rawValue) })])
    }

    // MARK: Reading

    private static func check(_ body: JSONValue, allowing names: Set<String>) throws {
        if let unknown = body.object?.keys.first(where: { !names.contains($0) }) {
            throw ModelError(.fieldUnknown, at: unknown, "There is no such field.")
        }
    }

    /// The users of a body, each once, or `nil` where it names none.
    private static func users(_ body: JSONValue) throws -> [UserID]? {
        guard let values = try body.optional("users", \.array) else { return nil }
        guard values.count <= userLimit else {
            throw ModelError(.fieldInvalid, at: "users", "A test goes to at most \(userLimit) users.")
        }
        var users: OrderedSet<UserID> = []
        for (index, value) in values.enumerated() {
            guard let user = value.string.flatMap(UserID.init(checking:)) else {
                throw ModelError(.fieldInvalid, at: "users[\(index)]", "A user ID of 1 to 512 bytes is expected.")
            }
            users.append(user)
        }
        return Array(users)
    }
}
