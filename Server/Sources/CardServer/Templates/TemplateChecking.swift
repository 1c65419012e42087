import CardModel
import WireJSON

extension RequestError {
    /// Says which templates cannot be rendered and where, the first one first.
    static func templateInvalid(_ problems: [TemplateProblem]) -> RequestError? {
        guard let first = problems.first else { return nil }
        let place = first.line > 0 ? " (line \(first.line), column \(first.column))" : ""
        return RequestError(
            .badRequest,
            "template_invalid",
            "\(first.message)\(place)",
            details: [
                ("path", .string(first.path)), ("reason", .string(first.code)), ("line", .integer(Int64(first.line))),
                ("column", .integer(Int64(first.column))), ("problems", .array(problems.map(\.json))),
            ]
        )
    }
}

extension TemplateEngine {
    /// Throws where a template of the campaign cannot be rendered.
    func check(_ content: Campaign.Content) throws(RequestError) {
        if let error = RequestError.templateInvalid(problems(in: content)) { throw error }
    }
}
