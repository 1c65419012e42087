import OrderedCollections
import WireJSON

/// Reads the members of an object from outside: each by name and type, and none that is not known.
struct JSONFields {
    private let members: JSONObject
    private let path: String

    /// Opens an object whose members may only have those names.
    init(_ value: JSONValue, at path: String, known: Set<String>) throws(ModelError) {
        guard let members = value.object else { throw ModelError(.fieldInvalid, at: path, "An object is expected.") }
        if let unknown = members.keys.first(where: { !known.contains($0) }) {
            throw ModelError(
                .fieldUnknown,
                at: Self.join(path, unknown),
                "There is no such field. Known here: \(known.sorted().joined(separator: ", "))."
            )
        }
        self.members = members
        self.path = path
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
            throw invalid(name, "A number from \(range.lowerBound) to \(range.upperBound) is expected.")
        }
        return double
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(ModelError) -> Int64? {
        guard let value = self[name] else { return nil }
        guard let integer = value.integer, range.contains(integer) else {
            throw invalid(name, "A whole number from \(range.lowerBound) to \(range.upperBound) is expected.")
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
