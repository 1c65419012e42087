import WireJSON

/// Everything that is not acceptable in something from outside, in the order of its fields.
public struct ModelErrors: Error, Sendable, Hashable {
    /// The first error.
    public let first: ModelError
    /// The others.
    public let others: [ModelError]

    /// All errors, at least one.
    public var all: [ModelError] { [first] + others }

    init(_ first: ModelError, _ others: [ModelError] = []) {
        self.first = first
        self.others = others
    }
}

/// Reads something from outside part by part, and goes on where one can't be read.
struct PartReader {
    /// The maximum number of errors that are noted; nobody reads more, and anybody can make thousands.
    static let limit = 100

    private var errors: [ModelError] = []

    /// Everything that was wrong, or `nil` where nothing was.
    var failure: ModelErrors? { errors.first.map { ModelErrors($0, Array(errors.dropFirst())) } }

    /// Returns a part, or another value after noting why the part can't be read.
    mutating func read<Part>(or other: Part, _ part: () throws(ModelError) -> Part) -> Part {
        do throws(ModelError) {
            return try part()
        } catch {
            if errors.count < Self.limit { errors.append(error) }
            return other
        }
    }

    /// Returns a text, or `nil` where there is none or the member is something else, which is noted.
    mutating func string(_ name: String, of fields: JSONFields) -> String? {
        read(or: nil) { () throws(ModelError) in try fields.string(name) }
    }

    /// Returns a truth value, or `nil` where there is none or the member is something else, which is noted.
    mutating func bool(_ name: String, of fields: JSONFields) -> Bool? {
        read(or: nil) { () throws(ModelError) in try fields.bool(name) }
    }

    /// Returns a part that is made of parts itself, or another value after noting all that is wrong in it.
    mutating func readAll<Part>(or other: Part, _ part: () throws(ModelErrors) -> Part) -> Part {
        do throws(ModelErrors) {
            return try part()
        } catch {
            // safe: there are never more than the limit
            errors += error.all.prefix(Self.limit - errors.count)
            return other
        }
    }

    /// Notes what is wrong with a part, unless something else is already.
    mutating func refuse(_ error: ModelError) {
        guard errors.count < Self.limit, !errors.contains(where: { $0.path == error.path }) else { return }
        errors.append(error)
    }

    /// Opens an object, or returns `nil` after noting why it can't be read.
    mutating func open(_ value: JSONValue, at path: String, known: Set<String>) -> JSONFields? {
        read(or: nil) { () throws(ModelError) in try JSONFields(value, at: path, known: known) }
    }

    /// Returns a number, or `nil` where there is none or the member is something else, which is noted.
    mutating func double(_ name: String, of fields: JSONFields, in range: ClosedRange<Double>) -> Double? {
        read(or: nil) { () throws(ModelError) in try fields.double(name, in: range) }
    }

    // safe: an Int has 64 bits
    /// Returns a whole number, or `nil` where there is none or the member is something else, which is noted.
    mutating func count(_ name: String, of fields: JSONFields, in range: ClosedRange<Int64>) -> Int? {
        read(or: nil) { () throws(ModelError) in try fields.integer(name, in: range).map(Int.init) }
    }

    /// Returns a number, or `nil` after noting that there is none or that the member is something else.
    mutating func requiredDouble(_ name: String, of fields: JSONFields, in range: ClosedRange<Double>) -> Double? {
        if fields[name] == nil { refuse(fields.missing(name)) }
        return double(name, of: fields, in: range)
    }

    /// Returns a whole number, or `nil` after noting that there is none or that the member is something else.
    mutating func requiredCount(_ name: String, of fields: JSONFields, in range: ClosedRange<Int64>) -> Int? {
        if fields[name] == nil { refuse(fields.missing(name)) }
        return count(name, of: fields, in: range)
    }
}
