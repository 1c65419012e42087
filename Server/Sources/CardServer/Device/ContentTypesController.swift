import CardModel
import CardStore
import Hummingbird
import WireJSON

/// `PUT /v1/content-types`: what the app's typed contents expect of a card's extras.
struct ContentTypesController: Sendable {
    private static let kinds: Set<String> = [
        "string", "integer", "decimal", "boolean", "url", "date", "enum", "json",
    ]
    private static let maximumTypes = 100
    private static let maximumFields = 100

    let services: Services

    @Sendable func publish(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await request.readJSON()
        guard let elements = body["types"]?.array else { throw RequestError.fieldMissing("types") }
        guard elements.count <= Self.maximumTypes else { throw RequestError.fieldInvalid("types") }
        let now = services.clock()
        let types = try elements.enumerated().map { index, element in
            try contentType(element, at: "types[\(index)]", now)
        }
        try await services.store.save(types, at: now)
        return Response(json: ["types": .integer(Int64(types.count))])
    }

    @Sendable func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let types = try await services.store.contentTypes()
        let shown = types.map { type -> JSONValue in
            var members = type.schema.object ?? [:]
            members["updated_at"] = .number(type.updatedAt)
            return .object(members)
        }
        return Response(json: ["types": .array(shown)])
    }

    private func contentType(_ json: JSONValue, at path: String, _ now: UnixTime) throws(RequestError) -> ContentType {
        guard let name = json["class_type"]?.string, IdentityText.isValid(name) else {
            throw RequestError.fieldInvalid("\(path).class_type")
        }
        guard let fields = json["fields"]?.array, fields.count <= Self.maximumFields else {
            throw RequestError.fieldInvalid("\(path).fields")
        }
        for (index, field) in fields.enumerated() {
            let place = "\(path).fields[\(index)]"
            guard let name = field["name"]?.string, IdentityText.isValid(name) else {
                throw RequestError.fieldInvalid("\(place).name")
            }
            guard let kind = field["type"]?.string, Self.kinds.contains(kind) else {
                throw RequestError.fieldInvalid("\(place).type")
            }
            guard kind != "enum" || field["values"]?.array?.allSatisfy({ $0.string != nil }) == true else {
                throw RequestError.fieldInvalid("\(place).values")
            }
        }
        return ContentType(classType: name, schema: json, updatedAt: now)
    }
}
