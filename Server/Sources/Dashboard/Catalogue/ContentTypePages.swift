import CardModel
import Hummingbird
import WireJSON

/// Content types.
enum ContentTypePages {
    struct FieldView {
        let name: String
        let type: String
        let isOptional: Bool
    }

    struct TypeView {
        let name: String
        let fields: [FieldView]
        let updated: TimeView?
        let schema: String
    }

    struct TypesView {
        let types: [TypeView]
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let types = try await visit.read("/v1/content-types")["types"]?.array ?? []
        let views = types.map { json in
            let type = ContentTypeFields(json)
            return TypeView(
                name: type.classType,
                fields: type.fields.map { FieldView(name: $0.name, type: $0.type, isOptional: $0.isOptional) },
                updated: json["updated_at"]?.double.map { TimeView($0, for: visit) },
                schema: json.text
            )
        }
        return try visit.page("content-types", title: "Content types", in: .contentTypes, TypesView(types: views))
    }
}
