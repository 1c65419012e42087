import CardModel
import OrderedCollections
import WireJSON

/// A filter that has nothing but plain fields, as fields of a form; everything follows from its ``FilterShape``.
struct PlainFilterForm {
    let shape: FilterShape

    /// Takes the filter of a name; `nil` for one that has other fields.
    init?(_ name: String) {
        let shape = Audience.filterShapes.first { $0.name == name }
        guard let shape, !shape.fields.isEmpty else { return nil }
        self.shape = shape
    }

    /// The place of a field in an audience.
    func path(of field: FilterField) -> String {
        if case .value = shape.content { shape.name } else { "\(shape.name).\(field.name)" }
    }

    /// Returns the `inputmode` of a field, by which a phone chooses its keyboard, or `nil` for the usual one.
    static func inputMode(of field: FilterField) -> String? {
        switch field.kind {
        case .integer: "numeric"
        case .text, .texts: nil
        }
    }

    /// Returns the fields of what an audience has under the name.
    func fields(of json: JSONValue) -> JSONValue {
        var members: JSONObject = ["kind": .string(shape.name)]
        switch shape.content {
        case .value(let field): members[field.name] = .string(Self.text(of: json, in: field))
        case .members(let fields):
            for field in fields { members[field.name] = .string(Self.text(of: json[field.name] ?? .null, in: field)) }
        case .other: break
        }
        return .object(members)
    }

    /// Returns what an audience has under the name, as far as fields say.
    func json(_ fields: JSONValue) -> JSONValue {
        switch shape.content {
        case .value(let field): return Self.value(of: field, in: fields) ?? []
        case .members(let known):
            var members: JSONObject = [:]
            for field in known { members[field.name] = Self.value(of: field, in: fields) }
            return .object(members)
        case .other: return [:]
        }
    }

    private static func text(of value: JSONValue, in field: FilterField) -> String {
        switch field.kind {
        case .text, .integer: value.fieldText
        case .texts: ValueText.list(ofTexts: value)
        }
    }

    private static func value(of field: FilterField, in fields: JSONValue) -> JSONValue? {
        switch field.kind {
        case .text: return fields.text(named: field.name).map(JSONValue.string)
        case .integer: return fields.text(named: field.name).map(TypedNumber.json)
        case .texts:
            let texts = ValueText.texts(fields.value(named: field.name))
            return texts.isEmpty ? nil : .array(texts.map(JSONValue.string))
        }
    }
}
