package import CardModel
package import WireJSON

extension DeviceEvent {
    /// Restores what conversions depend on of an event from the log, or returns `nil` where it is about a card.
    package init?(_ id: EventID, logged type: String, at time: UnixTime, _ details: JSONValue) {
        let kind: EventKind
        switch type {
        case "custom": kind = .custom(name: ByteString(details["name"]?.string ?? ""))
        case "session_start": kind = .sessionStart
        case "purchase":
            kind = .purchase(
                Purchase(
                    productID: details["product_id"]?.string ?? "",
                    currency: details["currency"]?.string ?? "",
                    price: details["price"]?.roundedDecimal ?? 0,
                    quantity: details["quantity"]?.integer ?? 1
                )
            )
        default: return nil
        }
        self.init(id: id, kind: kind, at: time, properties: details["properties"]?.bytes)
    }

    /// The types of a user's history, as the log names them; the others are about cards or attributes.
    package static let historyTypes: Set<String> = ["custom", "purchase", "session_start"]
}
