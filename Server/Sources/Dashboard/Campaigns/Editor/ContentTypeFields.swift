import WireJSON

/// What the app says that its typed contents expect.
struct ContentTypeFields: Sendable {
    struct Field: Sendable {
        let name: String
        let type: String
        let isOptional: Bool
        /// What it may be, where it is one of a list.
        let values: [String]
    }

    let classType: String
    let fields: [Field]

    init(_ json: JSONValue) {
        classType = json["class_type"]?.string ?? ""
        let schema = json["schema"] ?? json
        fields = (schema["fields"]?.array ?? []).map { field in
            Field(
                name: field["name"]?.string ?? field["key"]?.string ?? "",
                type: field["type"]?.string ?? "string",
                isOptional: field["optional"]?.bool ?? field["required"]?.bool.map { !$0 } ?? false,
                values: (field["values"]?.array ?? []).compactMap(\.string)
            )
        }
    }

    func hint(of key: String) -> String? {
        fields.first { $0.name == key }.map { "\($0.type)\($0.isOptional ? ", optional" : "")" }
    }
}
