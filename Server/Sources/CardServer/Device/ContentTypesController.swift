import CardModel
import CardStore
import Crypto
import Hummingbird
import WireJSON

/// `/v1/content-types`: what the app's typed contents expect of a card's extras.
///
/// A secret key publishes it. An app, whose key anybody can read, proposes it: that changes no check of a launch until
/// a member of the team accepts it.
struct ContentTypesController: Sendable {
    private static let longestVersion = 100

    let services: Services

    @Sendable func publish(_ request: Request, _ context: AppContext) async throws -> Response {
        let now = services.clock()
        let caller = try context.requireCaller()
        let body = try await request.readJSON()
        let types = try ContentTypeReading.types(of: body, at: now)
        guard !caller.permits(.campaigns) else {
            try await services.store.saveContentTypes(types, at: now, by: caller.actor)
            return Self.reply(types.count, "published")
        }
        let version = try Self.appVersion(of: body)
        try await services.store.proposeContentTypes(
            ContentTypeProposal(
                id: Self.id(of: types, version, caller.id),
                keyID: caller.id,
                appVersion: version,
                types: types,
                updatedAt: now
            )
        )
        return Self.reply(types.count, "proposed")
    }

    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let types = try await services.store.contentTypes()
        let proposals = try await services.store.contentTypeProposals()
        return Response(
            json: ["types": .array(types.map(\.shown)), "proposals": .array(proposals.map(\.shown))]
        )
    }

    @Sendable func accept(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.pathParameter("id")
        guard try await services.store.acceptContentTypes(id, at: services.clock(), by: caller.actor) else {
            throw RequestError.notFound("proposal")
        }
        return Response(json: ["id": .string(id), "status": "accepted"])
    }

    @Sendable func dismiss(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let id = try context.pathParameter("id")
        guard try await services.store.dismissContentTypes(id, at: services.clock(), by: caller.actor) else {
            throw RequestError.notFound("proposal")
        }
        return Response(json: ["id": .string(id), "status": "dismissed"])
    }

    @Sendable func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let classType = try context.pathParameter("id")
        guard try await services.store.deleteContentType(classType, at: services.clock(), by: caller.actor) else {
            throw RequestError.notFound("content type")
        }
        return Response(status: .noContent)
    }

    private static func reply(_ count: Int, _ status: String) -> Response {
        Response(json: ["types": .integer(Int64(count)), "status": .string(status)])
    }

    private static func appVersion(of body: JSONValue) throws(RequestError) -> String {
        guard let value = body["app_version"], !value.isNull else { return "" }
        guard let version = value.string, version.utf8.count <= longestVersion, IdentityText.isValid(version) else {
            throw RequestError.fieldInvalid("app_version", expected: Expected.bytes(upTo: longestVersion))
        }
        return version
    }

    /// Returns the ID that names the content of a proposal: 128 bits of a SHA-256 of all that it says.
    private static func id(of types: [ContentType], _ version: String, _ key: String) -> String {
        let text = JSONValue.array([
            .string(key), .string(version), .array(types.map(\.schema)),
        ]).text
        return SHA256.hash(data: Array(text.utf8)).prefix(16).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

extension ContentType {
    fileprivate var shown: JSONValue {
        var members = schema.object ?? [:]
        members["updated_at"] = .number(updatedAt)
        return .object(members)
    }
}

extension ContentTypeProposal {
    fileprivate var shown: JSONValue {
        [
            "id": .string(id), "key_id": .string(keyID),
            "app_version": appVersion.isEmpty ? .null : .string(appVersion), "updated_at": .number(updatedAt),
            "types": .array(types.map(\.schema)),
        ]
    }
}
