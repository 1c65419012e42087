import CardModel
import CardServer
import Hummingbird

/// What is done to campaigns that were chosen in the list, and undone for a few seconds.
enum BulkActions {
    /// The number of campaigns that are changed at once.
    static let limit = 100
    private static let shownProblems = 5

    /// What came of it, for the list.
    struct Outcome {
        let done: String
        let problems: [String]
        /// The changes that can be undone, each as the campaign and its version.
        let undo: [String]
        let canUndo: Bool
    }

    private enum Action {
        case transition(Campaign.Transition)
        case tag(String)
        case undo

        init?(_ form: FormData) {
            switch form.value(.do) {
            case "pause": self = .transition(.pause)
            case "stop": self = .transition(.stop(withdraw: false))
            case "archive": self = .transition(.archive)
            case "tag":
                guard let tag = form.text(.tag) else { return nil }
                self = .tag(tag)
            case "undo": self = .undo
            default: return nil
            }
        }

        func said(_ count: Int) -> String {
            let campaigns = PageFormatter.counted(Int64(count), .campaign)
            return switch self {
            case .transition(.pause): localized("\(campaigns) paused.")
            case .transition(.stop): localized("\(campaigns) stopped.")
            case .transition(.archive): localized("\(campaigns) archived.")
            case .transition(.launch), .transition(.restore), .undo: localized("\(campaigns) as before.")
            case .tag(let tag): localized("\(campaigns) tagged “\(tag)”.")
            }
        }
    }

    @Sendable static func apply(_ context: PageContext) async throws -> Response {
        guard let action = Action(context.form) else {
            return try await CampaignsPage.page(context, outcome: nothing(localized("Enter a tag.")))
        }
        let isUndo = if case .undo = action { true } else { false }
        let chosen = Array(Set(context.form.all(isUndo ? .undo : .campaign)).sorted().prefix(limit))
        guard !chosen.isEmpty else {
            return try await CampaignsPage.page(context, outcome: nothing(localized("Select at least one campaign.")))
        }
        var changed: [Campaign] = []
        var problems: [String] = []
        for one in chosen {
            do {
                if let campaign = try await apply(action, to: one, context) { changed.append(campaign) }
            } catch let refusal as ServiceRefusal where (400..<500).contains(refusal.status) {
                problems.append(
                    PageFormatter.labeled(try await name(of: one, context), localized(sentence: refusal.message))
                )
            }
        }
        let outcome = Outcome(
            done: action.said(changed.count),
            problems: shown(problems),
            undo: isUndo ? [] : changed.map { "\($0.id.rawValue):\($0.version)" },
            canUndo: !isUndo && !changed.isEmpty
        )
        return try await CampaignsPage.page(context, outcome: outcome)
    }

    /// Does it to one campaign, and returns it where it is different now.
    private static func apply(_ action: Action, to one: String, _ context: PageContext) async throws -> Campaign? {
        switch action {
        case .undo:
            let parts = one.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let version = Int64(parts[1]) else { return nil }
            return try await context.change { try await $0.campaigns.undo(parts[0], version: version, by: $1) }
        case .transition(let transition):
            return try await context.change { server, caller in
                let before = try await server.campaigns.campaign(one)
                let after = try await server.campaigns.apply(transition, to: one, version: before.version, by: caller)
                return after.version == before.version ? nil : after
            }
        case .tag(let tag):
            return try await context.change { server, caller in
                let before = try await server.campaigns.campaign(one)
                guard !before.content.tags.contains(tag) else { return nil }
                var members = before.content.json
                members[.tags] = .array((before.content.tags + [tag]).map { .string($0) })
                let content = try Campaign.Content(json: .object(members))
                return try await server.campaigns.update(one, from: before.version, to: content, by: caller).campaign
            }
        }
    }

    private static func name(of one: String, _ context: PageContext) async throws -> String {
        let id = one.prefix { $0 != ":" }
        guard let id = CampaignID(checking: String(id)) else { return localized("Campaign") }
        return try await context.store.campaign(id)?.content.name ?? id.rawValue
    }

    private static func nothing(_ problem: String) -> Outcome {
        Outcome(done: "", problems: [problem], undo: [], canUndo: false)
    }

    private static func shown(_ problems: [String]) -> [String] {
        guard problems.count > shownProblems else { return problems }
        return problems.prefix(shownProblems) + [localized("And \(problems.count - shownProblems) more.")]
    }
}
