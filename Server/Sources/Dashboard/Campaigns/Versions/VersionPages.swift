import Hummingbird
import WireJSON

/// What became of a campaign: its versions, and what differs between any two.
enum VersionPages {
    struct Line {
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

    struct View {
        let name: String
        let address: String
        let versions: [Line]
        let older: String?
        let hasComparison: Bool
        let before: String
        let after: String
        let differences: [CampaignDifference]
        let isSame: Bool
        let bringBeforeBack: String?
    }

    private static let limit = 50

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let path = try CampaignPages.path(visit)
        let campaign = try await visit.read(path)
        let address = "/dashboard/campaigns/\(FormData.escape(campaign["id"]?.string ?? ""))"
        let place = visit.query.position("before").map { "&before=\($0)" } ?? ""
        let list = try await visit.read("\(path)/versions?limit=\(limit)\(place)")["versions"]?.array ?? []
        let numbers = list.compactMap { $0["version"]?.integer }
        // Without a choice, the last change is shown.
        let after = visit.query.position("to") ?? numbers.first
        let before = visit.query.position("from") ?? (numbers.count > 1 ? numbers[1] : nil)
        var differences: [CampaignDifference] = []
        if let before, let after {
            let old = try await visit.read("\(path)/versions/\(before)")["campaign"] ?? .null
            let new = try await visit.read("\(path)/versions/\(after)")["campaign"] ?? .null
            differences = CampaignDifference.list(old, new, timeZone: visit.timeZone)
        }
        let current = campaign["version"]?.integer ?? 0
        let canEdit = visit.may(.editor) && campaign["status"] != "archived"
        func bringBack(_ number: Int64) -> String? {
            canEdit && number != current ? "\(address)/edit?version=\(number)" : nil
        }
        let names = try await NameBook([], visit)
        let lines = list.enumerated().map { index, version in
            let number = version["version"]?.integer ?? 0
            return Line(
                number: number,
                what: VersionWords.action(version),
                who: names.actor(version["actor"]?.string ?? ""),
                when: TimeView(version["at"]?.double ?? 0, for: visit),
                status: version["status"]?.string ?? "",
                changed: VersionWords.changed(version) ?? "compare",
                comparison: index + 1 < numbers.count
                    ? "\(address)/versions?from=\(numbers[index + 1])&to=\(number)#differences" : nil,
                isCurrent: number == current,
                isBefore: number == before,
                isAfter: number == after,
                bringBack: bringBack(number)
            )
        }
        let view = View(
            name: campaign["name"]?.string ?? "",
            address: address,
            versions: lines,
            older: list.count == limit ? numbers.last.map { "\(address)/versions?before=\($0)" } : nil,
            hasComparison: before != nil && after != nil,
            before: before.map { String($0) } ?? "",
            after: after.map { String($0) } ?? "",
            differences: differences,
            isSame: differences.isEmpty,
            bringBeforeBack: before.flatMap(bringBack)
        )
        return try visit.page("versions", title: "Versions of \(view.name)", in: .campaigns, view)
    }
}

/// The changes of a campaign in words.
enum VersionWords {
    private static let actions = [
        "create": "Created", "update": "Edited", "launch": "Launched", "pause": "Paused", "stop": "Stopped",
        "archive": "Archived", "restore": "Restored", "duplicate": "Created as a copy",
    ]
    private static let fields = [
        "name": "name", "tags": "tags", "delivery": "delivery", "audience": "target audience", "variants": "variants",
        "salt": "assignment seed", "rules": "rules", "conversions": "conversion events",
    ]

    static func action(_ version: JSONValue) -> String {
        let action = String((version["action"]?.string ?? "").split(separator: ".").last ?? "")
        let words = actions[action] ?? action.replacing("_", with: " ")
        return version["restores"]?.integer.map { "\(words): same content as version \($0)" } ?? words
    }

    static func changed(_ version: JSONValue) -> String? {
        // safe: a text is its key
        let names = (version["changed"]?.array ?? []).compactMap(\.string).map { fields[$0] ?? $0 }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}
