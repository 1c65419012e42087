import CardModel
import CardStore
import Hummingbird
import WireJSON

extension PageDescriptor {
    static let versions = PageDescriptor(templates: ["versions": PackageResources.versions_mustache]) { routes in
        routes.get("/dashboard/campaigns/:id/versions", .viewer, VersionPages.show)
    }
}

/// The history of a campaign: its versions, and what differs between any two.
enum VersionPages {
    struct VersionLine {
        let number: Int64
        let what: String
        let who: String
        let when: TimeView
        let status: String
        let changed: String
        let comparison: String?
        let isCurrent: Bool
        let isBefore: Bool
        let isAfter: Bool
        let bringBack: String?
    }

    struct VersionView {
        let name: String
        let address: String
        let versions: [VersionLine]
        let older: String?
        let hasComparison: Bool
        let before: String
        let after: String
        let differences: [CampaignDifference]
        let isSame: Bool
        let bringBeforeBack: String?
    }

    private static let limit = 50

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let campaign = try await CampaignPages.campaign(context)
        let address = try CampaignPages.address(context)
        let place = context.query.position(.before)
        // One more than is shown: it is what the last one shown is compared with, and says that there is more.
        let found = try await context.store.campaignVersions(of: campaign.id, before: place, limit: limit + 1)
        let (list, numbers) = (found.prefix(limit), found.map(\.number))
        // Without a choice, the last change is shown.
        let after = context.query.position(.to) ?? numbers.first
        let before = context.query.position(.from) ?? (numbers.count > 1 ? numbers[1] : nil)
        var differences: [CampaignDifference] = []
        if let before, let after {
            let old = try await past(before, of: campaign.id, context)
            let new = try await past(after, of: campaign.id, context)
            let labels = try await context.labels(of: [old, new])
            differences = CampaignDifference.list(old, new, timeZone: context.timeZone, labels: labels)
        }
        let canEdit = context.may(.editor) && campaign.status != .archived
        func bringBack(_ number: Int64) -> String? {
            canEdit && number != campaign.version ? "\(address)/edit?version=\(number)" : nil
        }
        let names = try await NameBook([], context)
        let lines = list.enumerated().map { index, version in
            let number = version.number
            return VersionLine(
                number: number,
                what: VersionWords.action(version),
                who: names.actor(version.actor),
                when: TimeView(version.at, for: context),
                status: version.status.rawValue,
                changed: VersionWords.changed(version) ?? localized("compare"),
                comparison: index + 1 < numbers.count
                    ? "\(address)/versions?from=\(numbers[index + 1])&to=\(number)#differences" : nil,
                isCurrent: number == campaign.version,
                isBefore: number == before,
                isAfter: number == after,
                bringBack: bringBack(number)
            )
        }
        let view = VersionView(
            name: campaign.content.name,
            address: address,
            versions: lines,
            older: found.count > limit ? list.last.map { "\(address)/versions?before=\($0.number)" } : nil,
            hasComparison: before != nil && after != nil,
            before: PageFormatter.shown(before),
            after: PageFormatter.shown(after),
            differences: differences,
            isSame: differences.isEmpty,
            bringBeforeBack: before.flatMap(bringBack)
        )
        return try context.page("versions", title: localized("Versions of \(view.name)"), in: .campaigns, view)
    }

    /// Returns the campaign as one of its versions was, as far as the member is allowed to see it.
    private static func past(_ number: Int64, of campaign: CampaignID, _ context: PageContext) async throws -> JSONValue
    {
        guard let past = try await context.store.campaignVersion(number, of: campaign) else {
            throw DashboardError.notFound
        }
        return context.shown(past.campaign.json)
    }
}

/// The changes of a campaign in words.
enum VersionWords {
    private static let actions: [String: Phrase] = [
        "create": "Created", "update": "Edited", "launch": "Launched", "pause": "Paused", "stop": "Stopped",
        "archive": "Archived", "restore": "Restored", "duplicate": "Created as a copy",
        "undo": "Undone",
    ]
    private static let fields: [String: Phrase] = [
        "name": "name", "tags": "tags", "delivery": "delivery", "audience": "target audience", "variants": "variants",
        "salt": "assignment seed", "rules": "rules", "conversions": "conversion events",
    ]

    static func action(_ version: CampaignVersion) -> String {
        let action = version.action.split(at: ".").last.map(String.init) ?? version.action
        let words = actions[action].map(localized) ?? action.replacing("_", with: " ")
        return version.restores.map { localized("\(words): same content as version \($0)") } ?? words
    }

    static func changed(_ version: CampaignVersion) -> String? {
        let names = version.changedFields.map { fields[$0].map(localized) ?? $0 }
        return names.isEmpty ? nil : PageFormatter.list(names)
    }
}
