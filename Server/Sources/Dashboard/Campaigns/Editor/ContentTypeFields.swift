import CardModel
import CardStore

/// The fields that the app's typed contents expect.
struct ContentTypeFields: Sendable {
    struct TypedField: Sendable {
        let name: String
        let type: String
        let isOptional: Bool
        /// The values that it can have, where it is one of a list.
        let values: [String]
    }

    let classType: String
    let fields: [TypedField]

    init(_ type: ContentType) {
        classType = type.classType
        fields = ContentSchema(json: type.schema).fields.map { field in
            TypedField(
                name: field.name,
                type: field.kind.name,
                isOptional: !field.isRequired,
                values: field.kind.values
            )
        }
    }

    func hint(of key: String) -> String? {
        fields.first { $0.name == key }.map { $0.isOptional ? localized("\($0.type), optional") : $0.type.description }
    }
}

extension ContentSchema.SchemaFieldKind {
    /// The name of the card type for apps.
    fileprivate var name: String {
        switch self {
        case .string: "string"
        case .integer: "integer"
        case .decimal: "decimal"
        case .boolean: "boolean"
        case .url: "url"
        case .date: "date"
        case .choice: "enum"
        case .json: "json"
        }
    }

    fileprivate var values: [String] {
        if case .choice(let values) = self { values } else { [] }
    }
}
