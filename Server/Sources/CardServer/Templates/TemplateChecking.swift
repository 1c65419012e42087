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

extension Services {
    /// Throws where a template of the campaign can't be rendered.
    func checkTemplates(of content: Campaign.Content) async throws {
        if let error = RequestError.templateInvalid(try await templateProblems(in: content)) { throw error }
    }

    /// Returns what keeps the templates of a campaign from being rendered.
    ///
    /// Compiling may take a while, so it is done on threads on which no sync waits.
    func templateProblems(in content: Campaign.Content) async throws -> [TemplateProblem] {
        let engine = try await catalog.latest().engine
        return try await rendering.offload { engine.problems(in: content) }
    }
}
