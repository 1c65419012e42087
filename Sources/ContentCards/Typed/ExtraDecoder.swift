import Foundation

/// Decodes a value from the text of one extra.
struct ExtraDecoder: Decoder {
    let text: String
    let key: any CodingKey
    let userInfo: [CodingUserInfoKey: Any] = [:]

    var codingPath: [any CodingKey] { [key] }

    /// Text without the white space that a form lets in.
    var trimmed: String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value: Any? =
            switch type {
            case is String.Type: text
            case is Decimal.Type: ExtraText.decimal(trimmed)
            case is URL.Type: ContentCard.address(text)
            case is Date.Type: ExtraText.date(trimmed)
            default: try type.init(from: self)
            }
        guard let value = value as? Value else { throw mismatch(type) }
        return value
    }

    func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "“\(text.prefix(80))” is no \(type)."))
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { ExtraValue(decoder: self) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try json(trimmed).container(keyedBy: type)
    }

    /// A list is JSON, or texts with commas between them.
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        if trimmed.hasPrefix("[") { return try json(trimmed).unkeyedContainer() }
        let parts = trimmed.utf8.split(separator: UInt8(ascii: ","))
            .map { Substring($0).trimmingCharacters(in: .whitespaces) }
        return try json(JSONValue.array(parts.map(JSONValue.string)).text).unkeyedContainer()
    }

    private func json(_ text: String) throws -> any Decoder {
        do {
            return try JSONDecoder().decode(Captured.self, from: Data(text.utf8)).decoder
        } catch {
            let message = "“\(text.prefix(80))” is no JSON."
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: message))
        }
    }

    private struct Captured: Decodable {
        let decoder: any Decoder

        init(from decoder: any Decoder) {
            self.decoder = decoder
        }
    }
}

/// One extra as one value.
private struct ExtraValue: SingleValueDecodingContainer {
    let decoder: ExtraDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.trimmed.isEmpty }
    func decode(_ type: String.Type) throws -> String { decoder.text }
    func decode(_ type: Bool.Type) throws -> Bool { try read(Bool.init(forgiving:)) }
    func decode(_ type: Double.Type) throws -> Double { try read(ExtraText.number) }
    func decode(_ type: Float.Type) throws -> Float { try read(ExtraText.smallNumber) }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }

    private func integer<Number: FixedWidthInteger>() throws -> Number {
        try read { text in Number(text) ?? ExtraText.number(text).flatMap { Number(exactly: $0) } }
    }

    private func read<Value>(_ parse: (String) -> Value?) throws -> Value {
        guard let value = parse(decoder.trimmed) else { throw decoder.mismatch(Value.self) }
        return value
    }
}

/// Reads values as marketers write them.
enum ExtraText {
    private static let digits = Set("0123456789+-.eE")

    /// A number in plain notation: no hexadecimal digits, no infinity, nothing left over.
    static func number(_ text: String) -> Double? {
        guard text.allSatisfy(digits.contains) else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// A number that is one in single precision, too: what is larger is refused, not made infinite.
    static func smallNumber(_ text: String) -> Float? {
        number(text).map(Float.init).flatMap { $0.isFinite ? $0 : nil }
    }

    static func decimal(_ text: String) -> Decimal? {
        guard number(text) != nil else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// Unix seconds, or an ISO 8601 date with or without a time and a zone; see ``ISODate``.
    static func date(_ text: String) -> Date? {
        number(text).map { Date(timeIntervalSince1970: $0) } ?? ISODate.time(of: text)
    }
}
