import WireJSON

/// Reads the body of `POST /users/track`: JSON, with the prices of purchases as their digits say.
///
/// A price may have more digits than a `Double` holds. Read as one, it would be rounded there and again to nine
/// decimals.
enum TrackBody {
    /// Reads a body; an empty one is an empty object.
    ///
    /// - Throws: `JSONError` where it is not JSON, or a name stands twice in an object.
    static func read(_ bytes: some Collection<UInt8>) throws(JSONError) -> JSONValue {
        if bytes.isEmpty { return [:] }
        return try JSONReader.read(bytes) { reader throws(JSONError) in
            guard try reader.peek() == .object else { return try reader.readValue(isUnambiguous: true) }
            return .object(
                try reader.readMembers { key, reader throws(JSONError) in
                    try key.matches("purchases") ? purchases(&reader) : reader.readValue(isUnambiguous: true)
                }
            )
        }
    }

    /// Reads the purchases: an array, or the only one without an array around it.
    private static func purchases(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
        guard try reader.peek() == .array else { return try purchase(&reader) }
        var elements: [JSONValue] = []
        try reader.beginArray()
        while try reader.nextElement() { elements.append(try purchase(&reader)) }
        return .array(elements)
    }

    private static func purchase(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
        guard try reader.peek() == .object else { return try reader.readValue(isUnambiguous: true) }
        return .object(
            try reader.readMembers { key, reader throws(JSONError) in
                try key.matches("price") ? price(&reader) : reader.readValue(isUnambiguous: true)
            }
        )
    }

    /// Reads a price: as any number, but where its digits say another price than that, as the decimal that they say.
    ///
    /// The id of a purchase comes from what stands here, so what differs in the request goes on differing.
    private static func price(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
        var beginning = reader
        let value = try reader.readValue(isUnambiguous: true)
        guard try beginning.peek() == .number, let price = try beginning.readDecimal() else { return value }
        return value.roundedDecimal == price ? value : JSONValue(price)
    }
}
