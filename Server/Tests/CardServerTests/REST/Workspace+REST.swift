import CardModel
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

extension Workspace {
    /// Records custom events of a user, each by its name.
    func track(_ names: [String]) async throws {
        let events = names.map { name in
            JSONValue.object([
                "external_id": "ann", "name": .string(name), "time": .string(Timestamp.text(of: time.now)),
            ])
        }
        let reply = try await backend("/users/track", ["events": .array(events)])
        guard reply.status == 201 else { throw Unexpected(answer: reply) }
    }
}
