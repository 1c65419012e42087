import HTTPTypes
import Hummingbird
import OrderedCollections
import WireJSON

/// The reason why one object of a request cannot be taken.
struct BackendInputError: Error {
    let type: String

    init(_ type: String) { self.type = type }
}

extension Response {
    /// Creates the reply to a backend whose request was done, but for what the errors say.
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

    /// Refuses a whole request for one of its fields.
    static func fatal(at path: String, _ message: String, _ errors: [InputError] = []) -> RequestError {
        var refusal = RequestError.fatal("field_invalid", message, errors)
        refusal.details = [("path", .string(path))]
        return refusal
    }
}
