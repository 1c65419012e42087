package import CardModel
import CardStore
import OrderedCollections
package import WireJSON

/// Sends a card of a campaign, a draft perhaps, to a few users to try, for the management API and the dashboard.
package struct TestSendService: Sendable {
    /// The maximum number of users that a test is sent to.
    package static let userLimit = TestUser.limit

    /// The result of the test for one user.
    package typealias TestCardOutcome = (user: UserID, card: Result<CardID, Failure>)

    /// The reason why a user does not get a test.
    package struct Failure: Error {
        /// The code that stays the same.
        package let code: String
        /// The message that says what to do.
        package let message: String
    }

    private static let fieldNames: Set<String> = [
        "users", "code", "device_name", "variant_id", "language", "trigger_properties",
    ]

    let services: Services

    /// Sends a card to users.
    ///
    /// - Parameters:
    ///   - campaign: The campaign.
    ///   - json: The `users`, the `code` that a device shows, or none for those who get tests by default; and which
    ///     card they get.
    ///   - caller: Who sends it.
    /// - Returns: The outcome for each user.
    /// - Throws: `ModelError` or `RequestError` that names the wrong field.
    package func send(_ campaign: Campaign, _ json: JSONValue, by caller: Caller) async throws -> [TestCardOutcome] {
        try Self.check(json, allowing: Self.fieldNames)
        let order = try order(json, of: campaign)
        let users = try await recipients(json, by: caller)
        // Before anything is sent: where the store fails halfway, some have their card.
        try await services.store.appendAuditNote(
            "campaign.test-send",
            of: campaign.id.rawValue,
            at: services.clock(),
            by: caller.actor
        )
        var outcomes: [TestCardOutcome] = []
        for user in users { outcomes.append((user, try await send(order, to: user))) }
        return outcomes
    }

    // MARK: Sending

    /// The card that is sent to each user.
    private struct Order: Sendable {
        let preview: CardPreview
        let language: String?
    }

    private func order(_ body: JSONValue, of campaign: Campaign) throws -> Order {
        let variant = try variant(body, of: campaign)
        let language = try body.optional("language", expected: Expected.text) { $0.string }
        if let language, language != variant.card?.language, variant.card?.translations[language] == nil {
            throw ModelError(.fieldInvalid, at: "language", "The card has no texts in \(language.prefix(40)).")
        }
        let properties = try body.optional("trigger_properties", expected: Expected.object) {
            $0.object == nil ? nil : $0.bytes
        }
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
        guard let name = try body.optional("variant_id", expected: Expected.text, \.string) else {
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

    // MARK: Reading

    private func recipients(_ json: JSONValue, by caller: Caller) async throws -> [UserID] {
        let named = try Self.users(json) ?? []
        if let code = try json.optional("code", expected: Expected.text, \.string) {
            guard named.isEmpty else {
                throw ModelError(.fieldInvalid, at: "users", "A test goes to a code or to users, not to both.")
            }
            return [try await user(ofCode: code, name: try Self.deviceName(json, "device_name"), by: caller)]
        }
        guard json["device_name"]?.isNull ?? true else {
            throw ModelError(.fieldInvalid, at: "device_name", "A device is named together with its code.")
        }
        // The answer says who they are.
        let users = named.isEmpty ? try await self.users(by: caller).map(\.id) : named
        guard !users.isEmpty else { throw RequestError.fieldMissing("users") }
        return users
    }

    static func check(_ body: JSONValue, allowing names: Set<String>) throws {
        if let unknown = body.object?.keys.first(where: { !names.contains($0) }) {
            throw ModelError(.fieldUnknown, at: unknown, "There is no such field.")
        }
    }

    /// The users of a body, each once, or `nil` where it names none.
    static func users(_ body: JSONValue) throws -> [UserID]? {
        guard let values = try body.optional("users", expected: Expected.array, \.array) else { return nil }
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
