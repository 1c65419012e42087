import Foundation

/// An event as it is kept and sent.
struct LoggedEvent: Sendable, Equatable {
    /// The position in the log of its user: one more than that of the event before.
    var sequence: UInt64
    var id: String
    var type: String
    /// Unix seconds on the device's clock.
    var time: Double
    /// The JSON object without `id`, `type` and `at`: empty, or members each with a comma before.
    var members: String

    /// The JSON object to send.
    ///
    /// The server refuses what is later than its sending, as a clock that was set back makes it.
    func json(sentAt: Double) -> String {
        var output = "{\"id\":"
        JSONText.write(id, to: &output)
        output += ",\"type\":"
        JSONText.write(type, to: &output)
        output += ",\"at\":" + JSONText.number(min(time, sentAt)) + members + "}"
        return output
    }

    /// Roughly the bytes on the wire.
    var size: Int { id.utf8.count + type.utf8.count + members.utf8.count + 64 }

    /// The action of the user and the card, where the event is about a card.
    var cardAction: (action: CardAction, cardID: String)? {
        guard let action = CardAction(rawValue: type) else { return nil }
        if let plain = plainCardID { return (action, plain) }
        let members = try? JSONDecoder().decode(CardMembers.self, from: Data(json(sentAt: time).utf8))
        return members.map { (action, $0.card_id) }
    }

    /// The card's id, where it needs no decoding: ten thousand events are read while the app starts.
    private var plainCardID: String? {
        let prefix = ",\"card_id\":\""
        guard members.hasPrefix(prefix), members.utf8.last == UInt8(ascii: "\"") else { return nil }
        let id = members.utf8.dropFirst(prefix.utf8.count).dropLast()
        return id.contains(UInt8(ascii: "\\")) || id.contains(UInt8(ascii: "\"")) ? nil : String(Substring(id))
    }

    private struct CardMembers: Decodable {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let card_id: String
    }
}

/// An event before it has a place in the log.
struct NewEvent: Sendable, Equatable {
    var type: String
    var members: [(name: String, value: JSONValue)] = []
    /// The price of a purchase, which no binary fraction holds exactly.
    var price: Decimal?

    static let sizeLimit = 16 * 1024

    static func == (left: NewEvent, right: NewEvent) -> Bool {
        left.type == right.type && left.text == right.text
    }

    /// The members as JSON, each with a comma before.
    var text: String {
        var output = ""
        for (name, value) in members {
            output += ","
            JSONText.write(name, to: &output)
            output += ":"
            value.write(to: &output)
        }
        // What isn't a number has no text in JSON.
        if let price { output += ",\"price\":" + (price.isNaN ? "null" : price.description) }
        return output
    }

    static func card(_ action: CardAction, _ cardID: String) -> NewEvent {
        NewEvent(type: action.rawValue, members: [("card_id", .string(cardID))])
    }

    static let sessionStart = NewEvent(type: "session_start")

    static func custom(_ name: String, _ properties: [String: JSONValue]) -> NewEvent {
        var event = NewEvent(type: "custom", members: [("name", .string(name))])
        if !properties.isEmpty { event.members.append(("properties", .object(properties))) }
        return event
    }

    static func attribute(_ name: String, _ value: JSONValue) -> NewEvent {
        NewEvent(type: "attributes", members: [("attributes", .object([name: value]))])
    }

    static func contentError(cardID: String, classType: String, field: String?, message: String) -> NewEvent {
        var event = NewEvent(
            type: "content_error",
            members: [("card_id", .string(cardID)), ("class_type", .string(classType))]
        )
        if let field { event.members.append(("field", .string(field))) }
        event.members.append(("message", .string(message)))
        return event
    }
}

extension NewEvent {
    static func purchase(
        _ productID: String,
        _ currency: String,
        _ price: Decimal,
        _ quantity: Int,
        _ properties: [String: JSONValue]
    ) -> NewEvent {
        var event = NewEvent(
            type: "purchase",
            members: [
                ("product_id", .string(productID)), ("currency", .string(currency)),
                ("quantity", .integer(Int64(quantity))),
            ],
            price: price
        )
        if !properties.isEmpty { event.members.append(("properties", .object(properties))) }
        return event
    }
}
