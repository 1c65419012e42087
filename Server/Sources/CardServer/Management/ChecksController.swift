import CardModel
import CardStore
import Hummingbird
import OrderedCollections
import WireJSON

/// `GET /v1/campaigns/{id}/checks` and `POST /v1/checks`: everything that would be wrong at a launch.
struct ChecksController: Sendable {
    let services: Services

    @Sendable func checks(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let id = CampaignID(checking: try context.parameters.require("id")),
            let campaign = try await services.store.campaign(id)
        else { throw RequestError.notFound("campaign") }
        let checks = try await services.checks(of: campaign.content)
        return Response(
            json: [
                "launchable": .bool(!checks.contains { $0.severity == .error }), "checks": .array(checks.map(\.json)),
            ]
        )
    }

    /// Looks at a campaign that need not exist, and keeps nothing: the first field that cannot be read, every template
    /// that cannot be rendered, and what would be wrong at a launch.
    @Sendable func check(_ request: Request, _ context: AppContext) async throws -> Response {
        let body = try await request.readJSON()
        var found: [JSONValue] = []
        do {
            let content = try Campaign.Content(json: body, allowing: CampaignsController.kept)
            try content.audience.checkSegments(in: try await services.store.segmentAudiences())
            try services.checkSizes(of: content)
            found += try await services.checks(of: content).map(\.json)
        } catch let error as ModelError {
            found.append(CampaignCheck(.error, error.code.rawValue, at: error.path, error.message).json)
        }
        let engine = services.catalog.current.engine
        let problems = try await services.rendering.offload { engine.problems(inCardsOf: body) }
        let isValid = problems.isEmpty && !found.contains { $0["severity"] == "error" && Self.isRefusal($0) }
        found = problems.map(\.check) + found
        let errors = found.filter { $0["severity"] == "error" }
        return Response(
            json: [
                "valid": .bool(isValid), "launchable": .bool(errors.isEmpty),
                "checks": .array(errors + found.filter { $0["severity"] != "error" }),
            ]
        )
    }

    /// Whether it keeps a campaign from being saved, and not only from being launched.
    private static func isRefusal(_ check: JSONValue) -> Bool {
        check["code"]?.string.flatMap(ModelError.Code.init) != nil
    }
}

extension Services {
    /// Everything that would be wrong at a launch.
    func checks(of content: Campaign.Content) async throws -> [CampaignCheck] {
        let types = try await store.contentTypes().map { ContentSchema(json: $0.schema) }
        return content.checks(types: types, at: clock())
    }

    /// Throws where a card that is the same for everybody is too large; what is rendered is measured then.
    func checkSizes(of content: Campaign.Content) throws(ModelError) {
        let limit = catalog.current.settings.cardSizeLimit
        for (index, variant) in content.variants.enumerated() where variant.card?.isTemplate == false {
            guard let size = variant.card?.contentSize, size > limit else { continue }
            throw ModelError(
                .cardTooLarge,
                at: "variants[\(index)].card",
                "The card's texts, URLs and key-value pairs take \(size) bytes; \(limit) are possible."
            )
        }
    }
}

extension TemplateProblem {
    /// The problem as a check, with the line and column in the text, from 1.
    fileprivate var check: JSONValue {
        var members = CampaignCheck(.error, "template_invalid", at: path, message).json.object ?? [:]
        members["reason"] = .string(code)
        if line > 0 {
            members["line"] = .integer(Int64(line))
            members["column"] = .integer(Int64(column))
        }
        return .object(members)
    }
}

extension TemplateEngine {
    /// Everything that is wrong in the templates of a campaign's JSON, which need not make sense otherwise.
    fileprivate func problems(inCardsOf json: JSONValue) -> [TemplateProblem] {
        (json["variants"]?.array ?? []).enumerated().flatMap { index, variant in
            problems(in: variant["card"] ?? .null, below: "variants[\(index)].card")
        }
    }

    private func problems(in value: JSONValue, below path: String) -> [TemplateProblem] {
        if let text = value.string { return problems(in: text, at: path) }
        return (value.object ?? [:]).flatMap { problems(in: $0.value, below: "\(path).\($0.key)") }
    }
}

extension RequestError {
    /// Refuses a launch that would not do what is meant.
    static func notLaunchable(_ errors: [CampaignCheck]) -> RequestError {
        RequestError(
            .unprocessableContent,
            "checks_failed",
            "The campaign has mistakes. Mend them, or launch with \"force\": true.",
            details: [("checks", .array(errors.map(\.json)))]
        )
    }
}
