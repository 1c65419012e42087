import CardModel
import Crypto
import WireJSON

/// Reads the objects of `events` and `purchases`.
///
/// Backends give their events no ids, and repeat a request of which they heard nothing. So an object's id comes from
/// all that it says: the same one in another request is the same event. Several that are alike in one request are
/// several. An object may also name its own `id`, a UUID.
struct BackendEventReading {
    let now: UnixTime
    /// The number of days for which events are kept, or `nil` for ever: whether an older one was counted is not known.
    private let keptDays: Int?
    /// The number of times each object has come in this request.
    private var seen: [[UInt8]: UInt64] = [:]

    init(now: UnixTime, keptDays: Int? = nil) {
        self.now = now
        self.keptDays = keptDays
    }

    mutating func event(_ object: JSONValue) throws(BackendInputError) -> DeviceEvent {
        try read(object, as: .custom(name: ByteString(try Self.text("name", in: object))))
    }

    mutating func purchase(_ object: JSONValue) throws(BackendInputError) -> DeviceEvent {
        guard let currency = CurrencyCode.reading(try Self.text("currency", in: object)) else {
            throw BackendInputError("'currency' has to be a code of ISO 4217")
        }
        guard let price = object["price"]?.roundedDecimal, price.isPrice else {
            throw BackendInputError("'price' has to be a number from -\(Amount.largestPrice) to \(Amount.largestPrice)")
        }
        var quantity: Int64 = 1
        if let value = object["quantity"], !value.isNull {
            guard let number = value.integer, (1...100).contains(number) else {
                throw BackendInputError("'quantity' has to be a whole number from 1 to 100")
            }
            quantity = number
        }
        let purchase = DeviceEvent.Purchase(
            productID: try Self.text("product_id", in: object),
            currency: currency,
            price: price,
            quantity: quantity
        )
        return try read(object, as: .purchase(purchase))
    }

    private mutating func read(
        _ object: JSONValue,
        as kind: DeviceEvent.EventKind
    ) throws(BackendInputError) -> DeviceEvent {
        guard let value = object["time"], !value.isNull else { throw BackendInputError("'time' is required") }
        guard let time = BackendTime.read(value) else {
            throw BackendInputError("'time' has to be \(BackendTime.expected)")
        }
        if let keptDays, time < now - Double(keptDays) * 86_400 {
            throw BackendInputError("'time' has to be of the last \(Quantity.text(keptDays, "day"))")
        }
        let properties = try Self.properties(of: object)
        // What is said to come is taken to happen now.
        return DeviceEvent(id: try id(of: object), kind: kind, at: min(time, now), properties: properties)
    }

    private static func properties(of object: JSONValue) throws(BackendInputError) -> [UInt8]? {
        guard let value = object["properties"], !value.isNull else { return nil }
        guard let members = value.object else { throw BackendInputError("'properties' has to be an object") }
        guard members.keys.allSatisfy({ IdentityText.isValid($0) && !$0.hasBytePrefix("$") }) else {
            throw BackendInputError(
                "The name of a property has 1 to 255 bytes without control characters and does not begin with '$'"
            )
        }
        let bytes = value.bytes
        guard bytes.count <= UserLimits.valueBytes else {
            throw BackendInputError("'properties' have more than \(UserLimits.valueBytes) bytes of JSON")
        }
        return bytes
    }

    private static func text(_ name: String, in object: JSONValue) throws(BackendInputError) -> String {
        guard let value = object[name], !value.isNull else { throw BackendInputError("'\(name)' is required") }
        guard let text = value.string, IdentityText.isValid(text) else {
            throw BackendInputError("'\(name)' has to be a string of 1 to 255 bytes without control characters")
        }
        return text
    }

    // MARK: Ids

    private mutating func id(of object: JSONValue) throws(BackendInputError) -> EventID {
        if let value = object["id"], !value.isNull {
            guard let id = value.string.flatMap({ EventID(utf8: $0.utf8) }) else {
                throw BackendInputError("'id' has to be a UUID")
            }
            return id
        }
        let bytes = object.withSortedMembers.bytes
        let ordinal = seen[bytes, default: 0]
        // safe: counts the objects of a request
        seen[bytes] = ordinal + 1
        return Self.id(of: bytes, ordinal: ordinal)
    }

    /// A version 8 UUID of an object's text.
    private static func id(of bytes: [UInt8], ordinal: UInt64) -> EventID {
        var hash = SHA256()
        hash.update(data: bytes)
        withUnsafeBytes(of: ordinal.bigEndian) { hash.update(bufferPointer: $0) }
        let halves = Array(hash.finalize()).prefix(16).reduce(into: (UInt64(0), UInt64(0))) { halves, byte in
            // safe: a byte
            halves = (halves.0 << 8 | halves.1 >> 56, halves.1 << 8 | UInt64(byte))
        }
        return EventID(high: halves.0 & ~0xF000 | 0x8000, low: halves.1 & ~(3 << 62) | 2 << 62)
    }
}

extension JSONValue {
    /// The same value with the members of every object in the order of their names: the order has no meaning in JSON,
    /// and clients that keep theirs in a hash table write another one each time.
    fileprivate var withSortedMembers: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.withSortedMembers))
        case .object(let members):
            .object(
                // safe: the names of an object
                JSONObject(
                    uniqueKeysWithValues:
                        members
                        .sorted { $0.key.precedesInBytes($1.key) }
                        .map { (key: $0.key, value: $0.value.withSortedMembers) }
                )
            )
        default: self
        }
    }
}
