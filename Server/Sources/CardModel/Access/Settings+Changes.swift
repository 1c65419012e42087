public import WireJSON

extension Settings {
    /// Longer values are told by their length only.
    private static let longestValue = 1_000
    /// The number of characters of a public key that are told, from its end.
    private static let keyHint = 16

    /// Returns what is different from older settings, for the audit log.
    ///
    /// - Parameter old: The settings before.
    /// - Returns: An array of objects with `field`, `previous` and `current`; public keys are told by their ids and
    ///   ends.
    public func changes(from old: Settings) -> JSONValue {
        let previous = old.json.object ?? [:]
        let changes = (json.object ?? [:]).compactMap { name, value -> JSONValue? in
            let before = previous[name] ?? .null
            guard before != value else { return nil }
            return AuditChange(name, from: Self.shown(before, name), to: Self.shown(value, name)).json
        }
        return .array(changes)
    }

    private static func shown(_ value: JSONValue, _ name: String) -> JSONValue {
        if name == "public_keys" {
            return .array((value.array ?? []).map { .string("\($0["id"]?.string ?? "") \(hint($0["pem"]?.string))") })
        }
        let count = value.text.utf8.count
        return count <= longestValue ? value : .string("\(count) bytes")
    }

    /// The last letters of a key's body.
    private static func hint(_ pem: String?) -> String {
        // characters: a line of another kind is no Base64, and refused
        let lines = (pem ?? "").split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
        return "…" + lines.joined().suffix(keyHint)
    }
}
