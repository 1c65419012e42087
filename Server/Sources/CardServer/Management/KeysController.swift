import CardModel
import HTTPTypes
import Hummingbird
import WireJSON

/// `/v1/keys`.
struct KeysController: Sendable {
    /// The number of seconds for which both secrets of a rotated key work, unless the request says otherwise: a day.
    private static let standardOverlap = 86_400.0

    let keys: KeyService

    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Response {
        Response(json: ["keys": .array(try await keys.list().map(\.json))])
    }

    /// Makes a key; its secret is in this answer and nowhere else.
    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        return response(try await keys.create(try await request.readJSON(), by: caller), status: .created)
    }

    /// Gives a key another secret, which is in this answer and nowhere else; the present one works for a while more.
    @Sendable func rotate(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let overlap = try overlap(try await request.readObject())
        let id = try context.pathParameter("id")
        return response(try await keys.rotate(id, overlap: overlap, by: caller))
    }

    /// Changes what a key may do, for how long and from where; the secret stays.
    @Sendable func edit(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.pathParameter("id")
        return Response(json: try await keys.edit(id, try await request.readRequiredObject(), by: caller).json)
    }

    @Sendable func revoke(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        try await keys.revoke(try context.pathParameter("id"), by: caller)
        return Response(status: .noContent)
    }

    private func overlap(_ body: JSONValue) throws(RequestError) -> Double {
        if let unknown = body.object?.keys.first(where: { $0 != "overlap_seconds" }) {
            throw RequestError(ModelError(.fieldUnknown, at: unknown, "There is no such field."))
        }
        guard let value = body["overlap_seconds"], !value.isNull else { return Self.standardOverlap }
        guard let seconds = value.double, (0...APIKey.maximumOverlap).contains(seconds) else {
            throw RequestError.fieldInvalid(
                "overlap_seconds",
                expected: "a number from 0 to \(Int(APIKey.maximumOverlap))"
            )
        }
        return seconds
    }

    private func response(_ issued: KeyService.Issued, status: HTTPResponse.Status = .ok) -> Response {
        var members = issued.key.json.object ?? [:]
        members["secret"] = .string(issued.secret)
        return Response(json: .object(members), status: status)
    }
}
