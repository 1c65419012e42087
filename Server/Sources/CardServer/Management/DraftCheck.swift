package import CardModel
package import WireJSON

/// Something wrong in a campaign that need not be saved, or even readable.
package struct DraftCheck: Sendable {
    /// The problem and its place.
    package let check: CampaignCheck
    /// The problem of a template that it is about, or `nil` for anything else.
    package let problem: TemplateProblem?

    fileprivate init(_ check: CampaignCheck) {
        self.check = check
        problem = nil
    }

    fileprivate init(_ problem: TemplateProblem) {
        check = CampaignCheck(.error, "template_invalid", at: problem.path, problem.message)
        self.problem = problem
    }

    /// Whether it keeps the campaign from being saved, and not only from being launched.
    var isRefusal: Bool {
        check.severity == .error && (problem != nil || ModelError.Code(rawValue: check.code) != nil)
    }

    /// The check by its names on the wire, with the line and column in a template, from 1.
    var json: JSONValue {
        guard let problem, var members = check.json.object else { return check.json }
        members["reason"] = .string(problem.code)
        if problem.line > 0 {
            members["line"] = .integer(Int64(problem.line))
            members["column"] = .integer(Int64(problem.column))
        }
        return .object(members)
    }
}

extension CampaignService {
    /// Returns what is wrong in a campaign that need not exist: every field that can't be read, every template that
    /// can't be rendered, and what would be wrong at a launch; errors first.
    package func checks(ofDraft json: JSONValue) async throws -> [DraftCheck] {
        var found: [CampaignCheck] = []
        do {
            let content = try Campaign.Content.read(json, allowing: Campaign.keptFieldNames)
            try services.checkSizes(of: content)
            found = try await services.checks(of: content)
        } catch let errors as ModelErrors {
            found = errors.all.map(CampaignCheck.init)
        } catch let error as ModelError {
            found = [CampaignCheck(error)]
        }
        let engine = services.catalog.current.engine
        let problems = try await services.rendering.offload { engine.problems(inCardsOf: json) }
        let checks = problems.map(DraftCheck.init) + found.map(DraftCheck.init)
        return checks.filter { $0.check.severity == .error } + checks.filter { $0.check.severity != .error }
    }
}

extension CampaignCheck {
    /// Creates a check of the error that keeps a campaign from being read or saved.
    init(_ error: ModelError) {
        self.init(.error, error.code.rawValue, at: error.path, error.message)
    }
}
