import OrderedCollections
import WireJSON

/// Reads the members of an object from outside: each by name and type, and none that is not known.
struct JSONFields {
    private let members: JSONObject
    private let path: String

    /// Opens an object whose members may only have those names.
    init(_ value: JSONValue, at path: String, known: Set<String>) throws(ModelError) {
        guard let members = value.object else { throw Self.noObject(at: path) }
        self.init(members, at: path)
        if let error = unknownFields(known).first { throw error }
    }

    private init(_ members: JSONObject, at path: String) {
        self.members = members
        self.path = path
    }

    /// Opens an object, whose parts are then read one by one, after noting each member of another name.
    ///
    /// - Throws: `ModelErrors` where it is no object.
    static func open(
        _ value: JSONValue,
        at path: String,
        known: Set<String>,
        _ parts: inout PartReader
    ) throws(ModelErrors) -> JSONFields {
        guard let members = value.object else { throw ModelErrors(noObject(at: path)) }
        let fields = JSONFields(members, at: path)
        for error in fields.unknownFields(known) { parts.refuse(error) }
        return fields
    }

    private static func noObject(at path: String) -> ModelError {
        ModelError(.fieldInvalid, at: path, "An object is expected.")
    }

    private func unknownFields(_ known: Set<String>) -> [ModelError] {
        let message = "There is no such field. Known here: \(known.sorted().joined(separator: ", "))."
        return members.keys.lazy.filter { !known.contains($0) }.prefix(PartReader.limit)
            .map { ModelError(.fieldUnknown, at: place($0), message) }
    }

    /// The place of a member, for errors.
    func place(_ name: String) -> String { Self.join(path, name) }

    /// The member, or `nil` where it is absent or `null`.
    subscript(name: String) -> JSONValue? {
        guard let value = members[name], !value.isNull else { return nil }
        return value
    }

    func string(_ name: String) throws(ModelError) -> String? {
        guard let value = self[name] else { return nil }
        guard let string = value.string else { throw invalid(name, "A string is expected.") }
        return string
    }

    func requiredString(_ name: String) throws(ModelError) -> String {
        guard let string = try string(name) else { throw missing(name) }
        return string
    }

    func bool(_ name: String) throws(ModelError) -> Bool? {
        guard let value = self[name] else { return nil }
        guard let bool = value.bool else { throw invalid(name, "true or false is expected.") }
        return bool
    }

    func double(_ name: String, in range: ClosedRange<Double>) throws(ModelError) -> Double? {
        guard let value = self[name] else { return nil }
        guard let double = value.double, range.contains(double) else {
            let (low, high) = (Self.shown(range.lowerBound), Self.shown(range.upperBound))
            throw invalid(name, "A number from \(low) to \(high) is expected.")
        }
        return double
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(ModelError) -> Int64? {
        guard let value = self[name] else { return nil }
        guard let integer = value.integer, range.contains(integer) else {
            let (low, high) = (Self.shown(range.lowerBound), Self.shown(range.upperBound))
            throw invalid(name, "A whole number from \(low) to \(high) is expected.")
        }
        return integer
    }

    /// Reads Unix seconds or an ISO 8601 date and time.
    func time(_ name: String) throws(ModelError) -> UnixTime? {
        guard let value = self[name] else { return nil }
        guard let time = Timestamp.unixTime(of: value) else {
            throw invalid(name, "Unix seconds or an ISO 8601 time such as 2027-01-31T09:00:00Z is expected.")
        }
        return time
    }

    func array(_ name: String) throws(ModelError) -> [JSONValue]? {
        guard let value = self[name] else { return nil }
        guard let array = value.array else { throw invalid(name, "An array is expected.") }
        return array
    }

    func strings(_ name: String) throws(ModelError) -> [String]? {
        guard let array = try array(name) else { return nil }
        var strings: [String] = []
        for (index, element) in array.enumerated() {
            guard let string = element.string else { throw invalid("\(name)[\(index)]", "A string is expected.") }
            strings.append(string)
        }
        return strings
    }

    /// Returns a text of bounded length, without control characters.
    ///
    /// - Throws: `ModelError` where the field is missing, isn't a text, or isn't bounded as ``isBounded(_:_:)`` asks.
    func text(_ name: String, of characters: ClosedRange<Int>) throws(ModelError) -> String {
        guard let text = try optionalText(name, of: characters) else { throw missing(name) }
        return text
    }

    /// Returns a text of bounded length, without control characters, or `nil` where the field is absent.
    ///
    /// - Throws: `ModelError` where the field isn't a text, or isn't bounded as ``isBounded(_:_:)`` asks.
    func optionalText(_ name: String, of characters: ClosedRange<Int>) throws(ModelError) -> String? {
        guard let text = try string(name) else { return nil }
        guard Self.isBounded(text, characters), !Self.hasControlCharacters(text) else {
            throw invalid(
                name,
                "\(characters.lowerBound) to \(characters.upperBound) characters without control "
                    + "characters are expected."
            )
        }
        return text
    }

    /// Returns tags, each once: at most ``maximumTags``, each a text of at most 255 characters.
    ///
    /// - Throws: `ModelError` where there are more, or one is longer or has control characters.
    func tags() throws(ModelError) -> [String] {
        var tags: OrderedSet<ByteString> = []
        let texts = try strings("tags") ?? []
        let isBounded = texts.allSatisfy { Self.isBounded($0, 0...255) && !Self.hasControlCharacters($0) }
        guard texts.count <= Self.maximumTags, isBounded else {
            throw invalid(
                "tags",
                "At most \(Self.maximumTags) tags of at most 255 characters without control characters are expected."
            )
        }
        for text in texts { tags.append(ByteString(text)) }
        return tags.map(\.text)
    }

    /// The maximum number of tags of a campaign or a segment.
    static let maximumTags = 50

    /// Returns whether a text has so many characters, and no more bytes than so many letters can have.
    ///
    /// A character may have any number of marks, so that its bytes are bounded too: to those of as many letters of any
    /// script.
    static func isBounded(_ text: String, _ characters: ClosedRange<Int>) -> Bool {
        // safe: bounds of ours
        text.utf8.count <= 4 * characters.upperBound && characters.contains(text.count)
    }

    /// Returns whether a text has characters that end a line of a log or a text of a store: U+0000 to U+001F and
    /// U+007F.
    static func hasControlCharacters(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    /// Returns a bound as people read it, such as `3,650`.
    static func shown(_ number: Int64) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.utf8.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return number < 0 ? "-\(text)" : text
    }

    /// Returns a bound as people read it, such as `86,400` or `0.001`.
    static func shown(_ number: Double) -> String { Int64(exactly: number).map { shown($0) } ?? String(number) }

    func invalid(_ name: String, _ message: String) -> ModelError {
        ModelError(.fieldInvalid, at: place(name), message)
    }

    func missing(_ name: String) -> ModelError {
        ModelError(.fieldMissing, at: place(name), "This field is required.")
    }

    private static func join(_ path: String, _ name: String) -> String {
        path.isEmpty ? name : "\(path).\(name)"
    }
}
