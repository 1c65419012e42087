/// Reads fields whose type a server got slightly wrong.
///
/// The right type is tried first, so right input costs nothing.
struct TolerantContainer<Key: CodingKey> {
    private let container: KeyedDecodingContainer<Key>

    init(_ container: KeyedDecodingContainer<Key>) {
        self.container = container
    }

    func text(_ key: Key) -> String? {
        guard isPresent(key) else { return nil }
        if let text = try? container.decode(String.self, forKey: key) { return text }
        return (try? container.decode(JSONValue.self, forKey: key))?.extrasText
    }

    func number(_ key: Key) -> Double? {
        guard isPresent(key) else { return nil }
        if let number = try? container.decode(Double.self, forKey: key) { return number }
        guard let text = try? container.decode(String.self, forKey: key) else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    func bool(_ key: Key) -> Bool? {
        guard isPresent(key) else { return nil }
        if let bool = try? container.decode(Bool.self, forKey: key) { return bool }
        if let number = try? container.decode(Double.self, forKey: key) { return number != 0 }
        return (try? container.decode(String.self, forKey: key)).flatMap(Bool.init(forgiving:))
    }

    func extras(_ key: Key) -> [String: String] {
        guard isPresent(key) else { return [:] }
        if let plain = try? container.decode([String: String].self, forKey: key) { return plain }
        let values = try? container.decode([String: JSONValue].self, forKey: key)
        return values?.compactMapValues(\.extrasText) ?? [:]
    }

    private func isPresent(_ key: Key) -> Bool {
        container.contains(key) && (try? container.decodeNil(forKey: key)) == false
    }
}

extension JSONValue {
    /// The value as an extra: text as it is, `null` as nothing, all else as its JSON text.
    var extrasText: String? {
        switch self {
        case .null: nil
        case .string(let text): text
        default: text
        }
    }
}

extension Bool {
    /// Creates a boolean from text as people and servers write it.
    init?(forgiving text: String) {
        switch text.lowercased() {
        case "true", "1", "yes", "on": self = true
        case "false", "0", "no", "off": self = false
        default: return nil
        }
    }
}

/// Decodes the elements of a list that can be decoded, and counts the others.
struct LossyList<Element: Decodable>: Decodable {
    private struct Attempt: Decodable {
        let element: Element?

        init(from decoder: any Decoder) {
            element = try? Element(from: decoder)
        }
    }

    let elements: [Element]
    let skipped: Int

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var elements: [Element] = []
        elements.reserveCapacity(list.count ?? 0)
        while !list.isAtEnd {
            if let element = try list.decode(Attempt.self).element { elements.append(element) }
        }
        self.elements = elements
        // safe: no more were taken than there are
        skipped = list.currentIndex - elements.count
    }
}
