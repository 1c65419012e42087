import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `POST /v1/campaigns/{id}/trigger`.
struct TriggerController: Sendable {
    private static let fieldNames: Set<String> = [
        "send_id", "recipients", "broadcast", "audience", "trigger_properties", "at", "local_time", "create_users",
    ]

    let services: Services

    @Sendable func trigger(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        guard let id = CampaignID(checking: try context.pathParameter("id")) else {
            throw RequestError.notFound("launched campaign")
        }
        let order = try Self.order(try await request.readJSON())
        try order.admit(BackendCaller(key: caller, services: services))
        let result = try await TriggerService(services: services).send(order, of: id, by: caller.actor)
        return Response(json: result.json, status: .accepted)
    }

    /// Reads a request's body.
    static func order(_ body: JSONValue) throws -> TriggerOrder {
        guard let members = body.object else { throw RequestError.fieldInvalid("body", expected: Expected.object) }
        if let unknown = members.keys.first(where: { !Self.fieldNames.contains($0) }) {
            throw ModelError(.fieldUnknown, at: unknown, "There is no such field.")
        }
        var order = TriggerOrder()
        order.sendID = try body.optional("send_id", expected: Expected.bytes(upTo: 128)) {
            $0.string.flatMap(TriggerID.init(checking:))
        }
        order.properties = try body.optional("trigger_properties", expected: Expected.object) {
            $0.object == nil ? nil : $0
        }
        order.makesUsers = try body.optional("create_users", expected: Expected.boolean, \.bool) ?? false
        order.due = try due(body)
        order.isScheduled = order.due != nil
        order.recipients = try recipients(body)
        try readAudience(body, into: &order)
        return order
    }

    /// Reads who is meant as `/campaigns/trigger/send` does: recipients, which an audience narrows, or a broadcast.
    ///
    /// A list of recipients that came out empty means nobody, not everybody.
    private static func readAudience(_ body: JSONValue, into order: inout TriggerOrder) throws {
        let audience = body["audience"] ?? .null
        let hasRecipients = !order.recipients.isEmpty
        let namesRecipients = !(body["recipients"] ?? .null).isNull
        let isBroadcast =
            try body.optional("broadcast", expected: Expected.boolean, \.bool) ?? (!audience.isNull && !namesRecipients)
        guard !isBroadcast || !hasRecipients else { throw RequestError.recipientsInBroadcast }
        guard isBroadcast || hasRecipients else { throw RequestError.fieldMissing("recipients") }
        if isBroadcast {
            order.broadcast = try Audience(json: audience)
        } else if !audience.isNull {
            order.recipientAudience = try Audience(json: audience)
        }
    }

    private static func due(_ body: JSONValue) throws -> PlannedTime? {
        guard try body.optional("local_time", expected: Expected.boolean, \.bool) ?? false else {
            return try body.optional("at", expected: Expected.time, Timestamp.unixTime(of:)).map(PlannedTime.at)
        }
        let time = try body.optional("at", expected: "a date and time without a zone, such as 2027-01-31T09:00") {
            $0.string.flatMap(LocalTime.init)
        }
        guard let time else { throw RequestError.fieldMissing("at") }
        return .local(time)
    }

    private static func recipients(_ body: JSONValue) throws -> [TriggerOrder.OrderRecipient] {
        let elements = try body.optional("recipients", expected: Expected.array, \.array) ?? []
        guard elements.count <= TriggerSend.recipientLimit else { throw RequestError.tooManyRecipients }
        return try elements.enumerated().map { index, element in
            guard let user = element["user_id"]?.string.flatMap(UserID.init(checking:)) else {
                throw RequestError.fieldInvalid("recipients[\(index)].user_id", expected: Expected.identity)
            }
            let properties = element["trigger_properties"] ?? .null
            guard properties.isNull || properties.object != nil else {
                let name = "recipients[\(index)].trigger_properties"
                throw RequestError.fieldInvalid(name, expected: Expected.object)
            }
            return TriggerOrder.OrderRecipient(user: user, properties: properties)
        }
    }
}

extension JSONValue {
    /// Reads a member, or returns `nil` where it is absent or `null`.
    func optional<Value>(
        _ name: String,
        expected: String,
        _ read: (JSONValue) -> Value?
    ) throws(RequestError) -> Value? {
        guard let member = self[name], !member.isNull else { return nil }
        guard let value = read(member) else { throw RequestError.fieldInvalid(name, expected: expected) }
        return value
    }
}

extension TriggerResult {
    var json: JSONValue {
        [
            "send_id": .string(sendID.rawValue), "accepted": .integer(Int64(receipt.accepted)),
            "duplicate": .integer(Int64(receipt.duplicate)),
            "unknown": .array(receipt.unknown.map { .string($0.rawValue) }),
        ]
    }
}
