/// The problem of a field of a form, as its page marks it.
///
/// Templates set attributes of the input from it, and show the message beside it with `field-problem`.
struct FieldMark: Sendable {
    /// The id of the input, to which a line at the top of the page leads.
    let inputID: String
    /// The id of the message, by which the input is described.
    let markID: String
    /// The message that says what is wrong and what to do.
    let problem: String
    /// Whether it is the first on the page, which gets the focus.
    let isFirstMark: Bool

    /// Creates the mark of a form's only wrong field.
    init(_ name: String, _ problem: String) { self.init(name, problem, isFirst: true) }

    private init(_ name: String, _ problem: String, isFirst: Bool) {
        inputID = Self.inputID(name)
        markID = "wrong-\(name)"
        self.problem = problem
        isFirstMark = isFirst
    }

    /// Returns the id of a wrong field's input.
    static func inputID(_ name: String) -> String { "field-\(name)" }

    /// Returns the marks of a form's wrong fields, by their names.
    ///
    /// - Parameters:
    ///   - problems: The names of the fields, and what is wrong with each.
    ///   - form: The form as it was sent, whose fields are in the order of the page.
    /// - Returns: The marks.
    static func marks(_ problems: [(name: String, problem: String)], of form: FormData) -> [String: FieldMark] {
        let wrong = Set(problems.map(\.name))
        let first = form.fields.first { wrong.contains($0.name) }?.name ?? problems.first?.name
        let marks = problems.map { ($0.name, FieldMark($0.name, $0.problem, isFirst: $0.name == first)) }
        return Dictionary(marks) { earlier, _ in earlier }
    }

    /// Returns the mark of a form's only wrong field, by its name.
    static func marks(_ field: FormField, _ problem: String) -> [String: FieldMark] {
        [field.rawValue: FieldMark(field.rawValue, problem)]
    }
}
