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

    struct Outcome {
        let sent: String?
        let failed: [Failure]

        init(_ outcomes: [TestSendService.Outcome]) {
            failed = outcomes.compactMap { user, card in
                if case .failure(let failure) = card {
                    Failure(user: user.rawValue, message: localized(sentence: failure.message))
                } else {
                    nil
                }
            }
            let count = Int64(outcomes.count - failed.count)
            sent = count > 0 ? localized("Test sent to \(Wording.counted(count, .user)).") : nil
        }
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
        var result: Outcome?
        var error: String?
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let saved = try await visit.store.testUsers().map(\.rawValue)
        return try page(visit, try await view(visit, users: saved.joined(separator: "\n")))
    }

    @Sendable static func send(_ visit: Visit) async throws -> Response {
        let text = visit.form.value(.users)
        let users = text.split(whereSeparator: \.isNewline).map(\.trimmingSpaces).filter { !$0.isEmpty }
        var view = try await view(visit, users: text)
        guard !users.isEmpty else {
            view.error = localized("Enter at least one user ID.")
            return try page(visit, view, status: .badRequest)
        }
        let named = JSONValue.array(users.map(JSONValue.string))
        let order: JSONValue = [
            "users": named, "variant_id": visit.form.text(.variant).map(JSONValue.string) ?? .null,
            "language": visit.form.text(.language).map(JSONValue.string) ?? .null,
        ]
        do {
            if visit.form[.save] == "yes" {
                try await visit.change { _ = try await $0.tests.saveUsers(["users": named], by: $1) }
            }
            let campaign = try await CampaignPages.campaign(visit)
            view.result = Outcome(try await visit.change { try await $0.tests.send(campaign, order, by: $1) })
            return try page(visit, view)
        } catch let refusal as ServiceRefusal where refusal.status == 400 {
            view.error = localized(sentence: refusal.message)
            return try page(visit, view, status: .badRequest)
        }
    }

    private static func view(_ visit: Visit, users: String) async throws -> View {
        let campaign = try await CampaignPages.campaign(visit)
        let cards = campaign.content.variants.compactMap(\.card)
        let languages = cards.flatMap { [$0.language].compactMap(\.self) + Array($0.translations.keys) }
        let chosen = (variant: visit.form[.variant], language: visit.form[.language])
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
            savesUsers: visit.form[.save] == "yes",
            limit: String(TestSendService.userLimit)
        )
    }

    private static func page(_ visit: Visit, _ view: View, status: HTTPResponse.Status = .ok) throws -> Response {
        try visit.page("test-send", title: localized("Send test"), in: .campaigns, status: status, view)
    }
}
