import HTTPTypes
import Testing
import WireJSON

@testable import CardServer

extension Workspace {
    /// Sends a request as a backend does, with the key that may do everything where none is named.
    func backend(_ path: String, _ body: JSONValue? = nil, key: String? = nil) async throws -> Answer {
        try await send(body == nil ? .get : .post, path, raw: body?.text, key: key ?? secret)
    }

    /// A user as the export has them.
    func exported(_ id: String) async throws -> JSONValue {
        let reply = try await backend("/users/export/ids", ["external_ids": [.string(id)]])
        guard let user = reply.json["users"]?.array?.first else { throw Unexpected(answer: reply) }
        return user
    }
}
