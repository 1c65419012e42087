import Foundation

/// Says which extra is wrong and how.
struct ContentError: Error, Equatable {
    var field: String?
    var message: String

    init(_ error: any Error) {
        switch error {
        case DecodingError.keyNotFound(let key, _):
            self.init(field: ExtraName.snakeCase(key.stringValue), message: "The extra is missing.")
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            let field = context.codingPath.first.map { ExtraName.snakeCase($0.stringValue) }
            self.init(field: field, message: context.debugDescription)
        default: self.init(field: nil, message: "The extras do not decode: \(Swift.type(of: error)).")
        }
    }

    init(field: String?, message: String) {
        self.field = field
        self.message = message
    }
}

/// Finds extras by the names of properties.
enum ExtraName {
    static func snakeCase(_ name: String) -> String {
        var output = ""
        // characters: the name of a property of the app
        for character in name {
            if character.isUppercase, !output.isEmpty, output.last != "_" { output += "_" }
            output += character.lowercased()
        }
        return output
    }

    static func find(_ name: String, in extras: [String: String]) -> String? {
        extras[name] ?? extras[snakeCase(name)]
    }
}

/// Decodes a type from the extras of a card.
struct ExtrasDecoder: Decoder {
    let card: ContentCard
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    static func decode<Content: Decodable>(
        _ type: Content.Type,
        from card: ContentCard
    ) throws(ContentError) -> Content {
        do {
            return try Content(from: ExtrasDecoder(card: card))
        } catch {
            throw ContentError(error)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ExtrasContainer<Key>(card: card))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "Extras are no list."))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "Extras are no single value."))
    }
}

/// The extras of a card, by key.
struct ExtrasContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let card: ContentCard
    let codingPath: [any CodingKey] = []

    var allKeys: [Key] { card.extras.keys.compactMap { Key(stringValue: $0) } }

    // Optional properties ask these two: a blank extra is what a marketer leaves who means none.
    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool {
        guard let text = ExtraName.find(key.stringValue, in: card.extras) else { return true }
        return text.allSatisfy(\.isWhitespace)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if let card = card as? Value { return card }
        guard let text = ExtraName.find(key.stringValue, in: card.extras) else {
            throw DecodingError.keyNotFound(key, .init(codingPath: [key], debugDescription: "missing"))
        }
        do {
            return try ExtraDecoder(text: text, key: key).decode(type)
        } catch let error as DecodingError {
            throw error.inExtra(key)
        }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try superDecoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { ExtrasDecoder(card: card) }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        guard let text = ExtraName.find(key.stringValue, in: card.extras) else {
            throw DecodingError.keyNotFound(key, .init(codingPath: [key], debugDescription: "missing"))
        }
        return ExtraDecoder(text: text, key: key)
    }
}

extension DecodingError {
    /// Returns the error under the name of an extra, also where it is one of a member of the extra's JSON.
    fileprivate func inExtra(_ key: any CodingKey) -> DecodingError {
        let inner = ContentError(self)
        var message = inner.message
        if case .keyNotFound(let member, _) = self {
            message = "“\(member.stringValue)” is missing in its JSON."
        } else if inner.field == ExtraName.snakeCase(key.stringValue) {
            return self
        }
        return .dataCorrupted(.init(codingPath: [key], debugDescription: message))
    }
}
