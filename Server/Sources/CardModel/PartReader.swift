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
    private var errors: [ModelError] = []

    /// Everything that was wrong, or `nil` where nothing was.
    var failure: ModelErrors? { errors.first.map { ModelErrors($0, Array(errors.dropFirst())) } }

    /// Returns a part, or another value after noting why the part can't be read.
    mutating func read<Part>(or other: Part, _ part: () throws(ModelError) -> Part) -> Part {
        do throws(ModelError) {
            return try part()
        } catch {
            errors.append(error)
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
            errors += error.all
            return other
        }
    }

    /// Notes what is wrong with a part, unless something else is already.
    mutating func refuse(_ error: ModelError) {
        if !errors.contains(where: { $0.path == error.path }) { errors.append(error) }
    }
}
