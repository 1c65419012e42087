import CardModel
import CardServer
import Hummingbird

/// The actions on campaigns that were chosen in the list, which can be undone for a few seconds.
enum BulkActions {
    /// The number of campaigns that are changed at once.
    static let limit = 100
    private static let shownProblems = 5

    private enum Action {
        case transition(Campaign.Transition)
        case tag(String)

        init?(_ form: FormData) {
            switch form.value(.do) {
            case "pause": self = .transition(.pause)
            case "stop": self = .transition(.stop(withdraw: false))
            case "archive": self = .transition(.archive)
            case "tag":
                guard let tag = form.text(.tag) else { return nil }
                self = .tag(tag)
            default: return nil
            }
        }

        func said(_ count: Int) -> String {
            let campaigns = PageFormatter.counted(Int64(count), .campaign)
            return switch self {
            case .transition(.pause): localized("\(campaigns) paused.")
            case .transition(.stop): localized("\(campaigns) stopped.")
            case .transition(.archive): localized("\(campaigns) archived.")
            case .transition(.launch), .transition(.restore): localized("\(campaigns) as before.")
            case .tag(let tag): localized("\(campaigns) tagged “\(tag)”.")
            }
        }
    }

    @Sendable static func apply(_ context: PageContext) async throws -> Response {
        try await lead(to: CampaignsPage.presentAddress(context.query), outcome(context), context)
    }

    /// Leads back to the list, or shows it at once where so much was done that no address has room for it.
    private static func lead(to list: String, _ notice: ChangeNotice, _ context: PageContext) async throws -> Response {
        if let address = context.address(list, notice) { return .seeOther(address) }
        var context = context
        context.shownChange = notice
        context.shownAddress = list
        return try await CampaignsPage.show(context)
    }

    private static func outcome(_ context: PageContext) async throws -> ChangeNotice {
        guard let action = Action(context.form) else { return ChangeNotice(problems: [localized("Enter a tag.")]) }
        let chosen = Array(Set(context.form.all(.campaign)).sorted().prefix(limit))
        guard !chosen.isEmpty else { return ChangeNotice(problems: [localized("Select at least one campaign.")]) }
        let changes = try await each(chosen) { try await apply(action, to: $0, context) }
        var problems: [String] = []
        for problem in changes.problems {
            // Where the store doesn't answer, what was changed before is said all the same.
            let name = (try? await name(of: problem.id, context)) ?? localized("Campaign")
            problems.append(PageFormatter.labeled(name, problem.message))
        }
        return ChangeNotice(
            done: action.said(changes.changed.count),
            problems: shown(problems),
            undo: changes.changed.map { .campaign($0.id.rawValue, version: $0.version) }
        )
    }

    /// The campaigns that were changed, and why others weren't.
    struct BulkChanges {
        var changed: [Campaign] = []
        var problems: [(id: String, message: String)] = []
    }

    /// Changes one campaign after another.
    ///
    /// Where the server fails after some were changed, the rest are left as they are.
    ///
    /// - Throws: The failure, where nothing was changed before.
    static func each(_ chosen: [String], _ change: (String) async throws -> Campaign?) async throws -> BulkChanges {
        var changes = BulkChanges()
        for one in chosen {
            do {
                if let campaign = try await change(one) { changes.changed.append(campaign) }
            } catch let refusal as ServiceError where (400..<500).contains(refusal.status) {
                changes.problems.append((id: one, message: localized(sentence: refusal.message)))
            } catch let refusal as ServiceError where !changes.changed.isEmpty {
                changes.problems.append((id: one, message: localized(sentence: refusal.message)))
                return changes
            }
        }
        return changes
    }

    /// Does it to one campaign, and returns it where it is different now.
    private static func apply(_ action: Action, to one: String, _ context: PageContext) async throws -> Campaign? {
        switch action {
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

    /// Returns the display name of a campaign.
    static func name(of one: String, _ context: PageContext) async throws -> String {
        guard let id = CampaignID(checking: one) else { return localized("Campaign") }
        return try await context.store.campaign(id)?.content.name ?? id.rawValue
    }

    /// The first problems, and how many more there are.
    static func shown(_ problems: [String]) -> [String] {
        guard problems.count > shownProblems else { return problems }
        return problems.prefix(shownProblems) + [localized("And \(problems.count - shownProblems) more.")]
    }
}
