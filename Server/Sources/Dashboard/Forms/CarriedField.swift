/// A field of a form that another page carries on, so that nothing has to be typed again.
struct CarriedField {
    let name: String
    let value: String

    /// Makes the fields of a part of a form, in their order.
    static func all(_ fields: [(name: String, value: String)]) -> [CarriedField] {
        fields.map { CarriedField(name: $0.name, value: $0.value) }
    }
}
