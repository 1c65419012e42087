import CardModel
import WireJSON

/// An event as it stands in a request, before it is judged.
///
/// A field of the wrong type spoils its event and no other, so reading one never fails while the text is JSON.
struct EventDraft: Sendable {
    private(set) var id: EventID?
    /// The id as sent, where it is not a UUID.
    private(set) var idText = ""
    private(set) var type = ""
    private(set) var at: UnixTime?
    private(set) var card: String?
    private(set) var name: String?
    private(set) var product: String?
    private(set) var currency: String?
    private(set) var price: Double?
    private(set) var quantity: Int64?
    private(set) var classType: String?
    private(set) var field: String?
    private(set) var message: String?
    private(set) var properties: [UInt8]?
    /// The first field of the wrong type.
    private(set) var wrong: String?
    /// How many bytes of JSON it took.
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
        case "price": price = try number("price", &reader)
        case "quantity": quantity = try number("quantity", &reader).flatMap { Int64(exactly: $0) }
        case "class_type": classType = try string("class_type", &reader)
        case "field": field = try string("field", &reader)
        case "message": message = try string("message", &reader)
        case "properties": try readProperties(&reader)
        default: try reader.skipValue()
        }
    }

    private mutating func readID(_ reader: inout JSONReader) throws(JSONError) {
        guard try reader.peek() == .string else {
            try reader.skipValue()
            return
        }
        id = try reader.readBytes { bytes throws(JSONError) in bytes.flatMap { EventID(utf8: $0) } }
    }

    private mutating func string(_ name: String, _ reader: inout JSONReader) throws(JSONError) -> String? {
        switch try reader.peek() {
        case .string: return try reader.readString()
        case .null: break
        default: wrong = wrong ?? name
        }
        try reader.skipValue()
        return nil
    }

    private mutating func number(_ name: String, _ reader: inout JSONReader) throws(JSONError) -> Double? {
        switch try reader.peek() {
        case .number: return try reader.readDouble()
        case .null: break
        default: wrong = wrong ?? name
        }
        try reader.skipValue()
        return nil
    }

    private mutating func readProperties(_ reader: inout JSONReader) throws(JSONError) {
        guard try reader.peek() == .object else {
            if try !reader.readNull() {
                wrong = wrong ?? "properties"
                try reader.skipValue()
            }
            return
        }
        properties = try reader.readValue().bytes
    }
}
