import Foundation

/// Finds out which extras a type decodes, by letting it decode nothing in particular.
final class SchemaRecorder {
    private(set) var fields: [ContentTypeSchema.Field] = []
    private var optional: Set<String> = []

    static func fields<Content: Decodable>(of type: Content.Type) -> [ContentTypeSchema.Field] {
        let recorder = SchemaRecorder()
        // A type that does not take the stand-in values ends the recording early; what is known by then is true.
        _ = try? Content(from: SchemaDecoder(recorder: recorder))
        return recorder.fields
    }

    fileprivate func noteOptional(_ name: String) {
        optional.insert(name)
    }

    fileprivate func note(_ name: String, _ kind: ContentTypeSchema.Field.Kind) {
        fields.append(.init(ExtraName.snakeCase(name), kind, isRequired: !optional.contains(name)))
    }
}

/// Gives a stand-in for whatever is asked, and notes it if it is at the top level.
private struct SchemaDecoder: Decoder {
    let recorder: SchemaRecorder?
    var kind: Kind?
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Remembers what the value of a field turned out to be.
    final class Kind {
        var value: ContentTypeSchema.Field.Kind = .json
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(SchemaContainer<Key>(recorder: recorder))
    }

    // An empty list satisfies every type of list.
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try JSONDecoder().decode(EmptyList.self, from: Data("[]".utf8)).container
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { SchemaValue(kind: kind) }
}

private struct EmptyList: Decodable {
    let container: any UnkeyedDecodingContainer

    init(from decoder: any Decoder) throws {
        container = try decoder.unkeyedContainer()
    }
}

private struct SchemaContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: SchemaRecorder?
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool {
        recorder?.noteOptional(key.stringValue)
        // Below the top level nothing is noted, and a type that holds an optional value of its own type has no end.
        return recorder == nil
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if let card = ContentCard(id: "schema") as? Value { return card }
        let (kind, value) = try StandIn.make(type)
        recorder?.note(key.stringValue, kind)
        return try value.get()
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        recorder?.note(key.stringValue, .json)
        return KeyedDecodingContainer(SchemaContainer<Nested>(recorder: nil))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        recorder?.note(key.stringValue, .json)
        return try SchemaDecoder(recorder: nil).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { SchemaDecoder(recorder: nil) }
    func superDecoder(forKey key: Key) -> any Decoder { SchemaDecoder(recorder: nil) }
}

/// Values of any type, for want of real ones.
private enum StandIn {
    typealias Outcome<Value> = (ContentTypeSchema.Field.Kind, Result<Value, any Error>)

    static func make<Value: Decodable>(_ type: Value.Type) throws -> Outcome<Value> {
        let plain: (ContentTypeSchema.Field.Kind, Any)? =
            switch type {
            case is Decimal.Type: (.decimal, Decimal(0))
            case is URL.Type: (.url, URL(fileURLWithPath: "/"))
            case is Date.Type: (.date, Date(timeIntervalSince1970: 0))
            default: nil
            }
        if let (kind, value) = plain, let value = value as? Value { return (kind, .success(value)) }
        if let type = type as? any CaseIterable.Type, let (values, first) = cases(of: type), let value = first as? Value
        {
            return (.enumeration(values), .success(value))
        }
        let kind = SchemaDecoder.Kind()
        let value = Result { try deeper { try Value(from: SchemaDecoder(recorder: nil, kind: kind)) } }
        return (kind.value, value)
    }

    /// The number of types in one another that are looked into.
    private static let deepest = 32
    /// The types of which a value is being made.
    @TaskLocal private static var begun: Set<ObjectIdentifier> = []

    /// Makes a value in those that are being made, unless that has no end: a type may decode itself by hand, or by
    /// way of others.
    private static func deeper<Value>(_ make: () throws -> Value) throws -> Value {
        let type = ObjectIdentifier(Value.self)
        guard begun.count < deepest, !begun.contains(type) else { throw EndlessTypeError() }
        return try $begun.withValue(begun.union([type]), operation: make)
    }

    private struct EndlessTypeError: Error {}

    private static func cases<Cases: CaseIterable>(of type: Cases.Type) -> ([String], Any)? {
        let values = type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        guard let first = type.allCases.first, !values.isEmpty else { return nil }
        return (values, first)
    }
}

private struct SchemaValue: SingleValueDecodingContainer {
    let kind: SchemaDecoder.Kind?
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { false }
    func decode(_ type: String.Type) -> String { note(.string, "") }
    func decode(_ type: Bool.Type) -> Bool { note(.boolean, false) }
    func decode(_ type: Double.Type) -> Double { note(.decimal, 0) }
    func decode(_ type: Float.Type) -> Float { note(.decimal, 0) }
    func decode(_ type: Int.Type) -> Int { note(.integer, 0) }
    func decode(_ type: Int8.Type) -> Int8 { note(.integer, 0) }
    func decode(_ type: Int16.Type) -> Int16 { note(.integer, 0) }
    func decode(_ type: Int32.Type) -> Int32 { note(.integer, 0) }
    func decode(_ type: Int64.Type) -> Int64 { note(.integer, 0) }
    func decode(_ type: UInt.Type) -> UInt { note(.integer, 0) }
    func decode(_ type: UInt8.Type) -> UInt8 { note(.integer, 0) }
    func decode(_ type: UInt16.Type) -> UInt16 { note(.integer, 0) }
    func decode(_ type: UInt32.Type) -> UInt32 { note(.integer, 0) }
    func decode(_ type: UInt64.Type) -> UInt64 { note(.integer, 0) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (kind, value) = try StandIn.make(type)
        self.kind?.value = kind
        return try value.get()
    }

    private func note<Value>(_ kind: ContentTypeSchema.Field.Kind, _ value: Value) -> Value {
        self.kind?.value = kind
        return value
    }
}
