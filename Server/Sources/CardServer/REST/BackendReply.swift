import HTTPTypes
import Hummingbird
import OrderedCollections
import WireJSON

/// An object of a request that could not be taken, while others could.
struct InputError: Sendable, Hashable {
    /// The arrays of requests, by the names that replies have for them.
    enum Array: String, Sendable {
        case attributes
        case events
        case purchases
        case recipients
        /// The users that a request names by whatever they are called.
        case users = "user_identifiers"
    }

    /// What is wrong.
    var type: String
    /// The array.
    var array: Array
    /// The place in it.
    var index: Int

    var json: JSONValue {
        ["type": .string(type), "input_array": .string(array.rawValue), "index": .integer(Int64(index))]
    }
}

/// Why one object of a request cannot be taken.
struct InputProblem: Error {
    let type: String

    init(_ type: String) { self.type = type }
}

extension Response {
    /// Makes the reply to a backend whose request was done, but for what the errors say.
    init(
        success members: JSONObject,
        errors: [InputError] = [],
        status: HTTPResponse.Status = .created
    ) {
        var all: JSONObject = ["message": "success"]
        all.merge(members) { _, new in new }
        if !errors.isEmpty { all["errors"] = .array(errors.map(\.json)) }
        self.init(json: .object(all), status: status)
    }
}

extension RequestError {
    /// Refuses a whole request.
    static func fatal(_ code: String, _ message: String, _ errors: [InputError] = []) -> RequestError {
        var refusal = RequestError(.badRequest, code, message)
        refusal.errors = errors
        return refusal
    }
}
