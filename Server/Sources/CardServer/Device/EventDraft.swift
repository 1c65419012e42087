import CardModel
import WireJSON

/// An event as it stands in a request, before it is judged.
///
/// A field of the wrong type spoils its event and no other, so reading one never fails while the text is JSON.
struct EventDraft: Sendable, TolerantReading {
    private(set) var id: EventID?
    /// The id as sent, where it is not a UUID.
    private(set) var idText = ""
    private(set) var type = ""
    private(set) var at: UnixTime?
    private(set) var card: String?
    private(set) var name: String?
    private(set) var product: String?
    private(set) var currency: String?
    private(set) var price: Amount?
    private(set) var quantity: Int64?
    private(set) var classType: String?
    private(set) var field: String?
    private(set) var message: String?
    private(set) var properties: [UInt8]?
    private(set) var attributes: JSONValue?
    /// The first field of the wrong type.
    var wrong: String?
    /// The first field with an object in which a name stands twice.
    private(set) var repeated: String?
    /// The size of the event, in bytes of JSON.
    private(set) var size = 0

    init(_ reader: inout JSONReader) throws(JSONError) {
        let start = reader.offset
        guard try reader.peek() == .object else {
            wrong = "event"
            try reader.skipValue()
            return
        }
        try reader.beginObject()
        while let key = try reader.nextKey() { try read(key, &reader) }
        size = reader.offset - start
    }

    private mutating func read(_ key: JSONKey, _ reader: inout JSONReader) throws(JSONError) {
        switch key {
        case "id": try readID(&reader)
        case "type": type = try string("type", &reader) ?? ""
        case "at": at = try number("at", &reader)
        case "card_id": card = try string("card_id", &reader)
        case "name": name = try string("name", &reader)
        case "product_id": product = try string("product_id", &reader)
        case "currency": currency = try string("currency", &reader)
        case "price": try readPrice(&reader)
        case "quantity": try readQuantity(&reader)
        case "class_type": classType = try string("class_type", &reader)
        case "field": field = try string("field", &reader)
        case "message": message = try string("message", &reader)
        case "properties": try readProperties(&reader)
        case "attributes": try readAttributes(&reader)
        default: try reader.skipValue()
        }
    }

    private mutating func readID(_ reader: inout JSONReader) throws(JSONError) {
        guard try reader.peek() == .string else {
            try reader.skipValue()
            return
        }
        var text = ""
        id = try reader.readBytes { bytes throws(JSONError) in
            guard let bytes else { return nil }
            if let id = EventID(utf8: bytes) { return id }
            text = String(decoding: bytes.prefix(64), as: UTF8.self)
            return nil
        }
        idText = text
    }

    private mutating func readQuantity(_ reader: inout JSONReader) throws(JSONError) {
        guard let number = try number("quantity", &reader) else { return }
        quantity = Int64(exactly: number)
        if quantity == nil { wrong = wrong ?? "quantity" }
    }

    private mutating func readPrice(_ reader: inout JSONReader) throws(JSONError) {
        guard try reader.peek() == .number else { return try passOver("price", &reader) }
        price = try reader.readDecimal()
        if price == nil { wrong = wrong ?? "price" }
    }

    private mutating func readProperties(_ reader: inout JSONReader) throws(JSONError) {
        guard try reader.peek() == .object else { return try passOver("properties", &reader) }
        properties = try readBounded("properties", &reader)?.bytes
    }

    private mutating func readAttributes(_ reader: inout JSONReader) throws(JSONError) {
        guard try reader.peek() == .object else { return try passOver("attributes", &reader) }
        attributes = try readBounded("attributes", &reader)
    }

    /// Reads a value, or passes over one that makes its event too large, since as a value it takes many times the
    /// memory, or in which a name stands twice.
    private mutating func readBounded(_ name: String, _ reader: inout JSONReader) throws(JSONError) -> JSONValue? {
        var beginning = reader
        try reader.skipValue()
        guard reader.offset - beginning.offset <= UserLimits.eventBytes else { return nil }
        do throws(JSONError) {
            return try beginning.readValue(isUnambiguous: true)
        } catch {
            guard error.isRepeatedName else { throw error }
            repeated = repeated ?? name
            return nil
        }
    }
}
