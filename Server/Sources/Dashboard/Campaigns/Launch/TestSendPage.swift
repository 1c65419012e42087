import CardModel
import CardServer
import CardStore
import Hummingbird
import WireJSON

/// Sends a card of a campaign to a few users to try, before its launch or after it.
enum TestSendPage {
    struct Choice {
        let value: String
        let name: String
        let isChosen: Bool
    }

    struct Failure {
        let user: String
        let message: String
    }

    struct Result {
        let sent: String?
        let failed: [Failure]
    }

    struct View {
        let name: String
        let address: String
        let variants: [Choice]
        let languages: [Choice]
        let hasLanguages: Bool
        let users: String
        let savesUsers: Bool
        let limit: String
        var result: Result?
        var error: String?
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let saved = try await visit.store.testUsers().map(\.rawValue)
        return try page(visit, try await view(visit, users: saved.joined(separator: "\n")))
    }

    @Sendable static func send(_ visit: Visit) async throws -> Response {
        let text = visit.form["users"] ?? ""
        let users = text.split(whereSeparator: \.isNewline).map(\.trimmingSpaces).filter { !$0.isEmpty }
        var view = try await view(visit, users: text)
        guard !users.isEmpty else {
            view.error = "Enter at least one user ID."
            return try page(visit, view, status: .badRequest)
        }
        let named = JSONValue.array(users.map(JSONValue.string))
        var body: JSONObject = ["users": named]
        body["variant_id"] = visit.form.text("variant").map(JSONValue.string)
        body["language"] = visit.form.text("language").map(JSONValue.string)
        do {
            if visit.form["save"] == "yes" { _ = try await visit.change(.put, "/v1/test-users", ["users": named]) }
            let path = "\(try CampaignPages.path(visit))/test-send"
            view.result = result(try await visit.change(.post, path, .object(body)))
            return try page(visit, view)
        } catch let refusal as ManagementAPI.Refusal where refusal.status == 400 {
            view.error = refusal.message
            return try page(visit, view, status: .badRequest)
        }
    }

    private static func result(_ answer: JSONValue) -> Result {
        let sent = Int64(answer["sent"]?.array?.count ?? 0)
        let failed = (answer["failed"]?.array ?? []).map {
            Failure(user: $0["user_id"]?.string ?? "", message: $0["message"]?.string ?? "")
        }
        return Result(sent: sent > 0 ? "Test sent to \(Wording.counted(sent, "user"))." : nil, failed: failed)
    }

    private static func view(_ visit: Visit, users: String) async throws -> View {
        let campaign = try await CampaignPages.campaign(visit)
        let cards = campaign.content.variants.compactMap(\.card)
        let languages = cards.flatMap { [$0.language].compactMap(\.self) + Array($0.translations.keys) }
        let chosen = (variant: visit.form["variant"], language: visit.form["language"])
        return View(
            name: campaign.content.name,
            address: try CampaignPages.address(visit),
            variants: campaign.content.variants.filter { !$0.isControl }.map {
                let name = $0.name.isEmpty ? $0.id.rawValue : $0.name
                return Choice(value: $0.id.rawValue, name: name, isChosen: $0.id.rawValue == chosen.variant)
            },
            languages: Set(languages).sorted().map { Choice(value: $0, name: $0, isChosen: $0 == chosen.language) },
            hasLanguages: !languages.isEmpty,
            users: users,
            savesUsers: visit.form["save"] == "yes",
            limit: "50"
        )
    }

    private static func page(_ visit: Visit, _ view: View, status: HTTPResponse.Status = .ok) throws -> Response {
        try visit.page("test-send", title: "Send test", in: .campaigns, status: status, view)
    }
}
