import CardModel
import CardServer
import CardStore
import Hummingbird
import WireJSON

/// What is done with a campaign: checks, launch, pause, stop, archive, duplicate.
enum CampaignPages {
    struct LaunchView {
        let id: String
        let name: String
        let address: String
        let checks: [LaunchChecks.Check]
        let isBlocked: Bool
        let reach: String
        let version: String
    }

    struct StopView {
        let name: String
        let address: String
    }

    static func path(_ visit: Visit) throws -> String {
        "/v1/campaigns/\(FormData.escape(try visit.parameter("id")))"
    }

    private static func address(_ visit: Visit) throws -> String {
        "/dashboard/campaigns/\(FormData.escape(try visit.parameter("id")))"
    }

    @Sendable static func launchPage(_ visit: Visit) async throws -> Response {
        let campaign = try await visit.read(try path(visit))
        let found = try await visit.read("\(try path(visit))/checks")["checks"]?.array ?? []
        let reach = try await visit.ask("/v1/audience/reach", ["audience": campaign["audience"] ?? .null])
        let checks = LaunchChecks.list(
            campaign,
            checks: found,
            reach: reach["users"]?.integer ?? 0,
            at: visit.now
        )
        let view = LaunchView(
            id: campaign["id"]?.string ?? "",
            name: campaign["name"]?.string ?? "",
            address: try address(visit),
            checks: checks,
            isBlocked: checks.contains { $0.isWrong },
            reach: Wording.part(reach["users"]?.integer ?? 0, of: reach["total"]?.integer ?? 0, "user"),
            version: campaign["version"]?.fieldText ?? ""
        )
        return try visit.page("launch", title: "Launch \(view.name)", in: .campaigns, view)
    }

    @Sendable static func launch(_ visit: Visit) async throws -> Response {
        let version = visit.form.position("version").map(JSONValue.integer) ?? .null
        return try await transition(visit, "launch", ["version": version], "launched")
    }

    @Sendable static func pause(_ visit: Visit) async throws -> Response {
        try await transition(visit, "pause", [:], "paused")
    }

    @Sendable static func stopPage(_ visit: Visit) async throws -> Response {
        let name = try await visit.read(try path(visit))["name"]?.string ?? ""
        let view = StopView(name: name, address: try address(visit))
        return try visit.page("stop", title: "Stop \(name)", in: .campaigns, view)
    }

    @Sendable static func stop(_ visit: Visit) async throws -> Response {
        let withdraws = visit.form["withdraw"] == "yes"
        return try await transition(visit, "stop", ["withdraw": .bool(withdraws)], withdraws ? "withdrawn" : "stopped")
    }

    @Sendable static func archive(_ visit: Visit) async throws -> Response {
        try await transition(visit, "archive", [:], "archived")
    }

    @Sendable static func duplicate(_ visit: Visit) async throws -> Response {
        let copy = try await visit.change(.post, "\(try path(visit))/duplicate", [:])
        return .seeOther("/dashboard/campaigns/\(FormData.escape(copy["id"]?.string ?? ""))/edit?done=duplicated")
    }

    private static func transition(
        _ visit: Visit,
        _ name: String,
        _ body: JSONValue,
        _ done: String
    ) async throws -> Response {
        _ = try await visit.change(.post, "\(try path(visit))/\(name)", body)
        return .seeOther("\(try address(visit))?done=\(done)")
    }
}

/// What is said of a campaign before it is launched: what there is to know of the plan, then what the server would refuse
/// or warns of.
enum LaunchChecks {
    struct Check {
        let text: String
        let kind: String
        let mark: String
        let isWrong: Bool
        /// The field of the editor that it is about.
        var link: String?

        static func ok(_ text: String) -> Check { Check(text: text, kind: "ok", mark: "✓", isWrong: false) }

        static func note(_ text: String, at link: String? = nil) -> Check {
            Check(text: text, kind: "note", mark: "!", isWrong: false, link: link)
        }

        static func wrong(_ text: String, at link: String? = nil) -> Check {
            Check(text: text, kind: "wrong", mark: "×", isWrong: true, link: link)
        }
    }

    static func list(_ campaign: JSONValue, checks: [JSONValue], reach: Int64, at now: UnixTime) -> [Check] {
        let entries = EditorView(CampaignDraft(campaign: campaign, timeZone: "UTC"), .init()).entries
        return plan(campaign, reach: reach, at: now) + checks.map { found(by: $0, in: campaign, entries) }
    }

    private static func plan(_ campaign: JSONValue, reach: Int64, at now: UnixTime) -> [Check] {
        let variants = campaign["variants"]?.array ?? []
        let editor = "/dashboard/campaigns/\(FormData.escape(campaign["id"]?.string ?? ""))/edit"
        let start = campaign["delivery"]?["start_at"]?.double ?? now
        return [
            .ok(
                start > now
                    ? "Starts in \(Wording.duration(start - now))." : "Starts immediately."
            ),
            reach > 0
                ? .ok("Estimated reach: \(Wording.counted(reach, "user")).")
                : .note(
                    "Estimated reach: 0 users. New users can still enter the audience.",
                    at: "\(editor)#audience"
                ),
            variants.contains { $0["control"]?.bool == true }
                ? .ok("The control group measures the lift of the card.")
                : .note(
                    "No control group: the report can’t measure the lift of the card.",
                    at: "\(editor)#variants"
                ),
        ]
    }

    /// A check of the server, with the names of the variant and the key that it is about.
    private static func found(by check: JSONValue, in campaign: JSONValue, _ entries: [FieldMaker.Entry]) -> Check {
        let path = check["path"]?.string ?? ""
        let message = check["message"]?.string ?? ""
        let subject = [variant(at: path, in: campaign), key(at: path)].compactMap(\.self).joined(separator: ", ")
        let text = subject.isEmpty ? message : "\(subject): \(message)"
        let section = String(path.prefix { $0.isLetter })
        let field = FieldMaker.entry(for: path, among: entries)?.fieldID ?? (section.isEmpty ? nil : section)
        let link = field.map { "/dashboard/campaigns/\(FormData.escape(campaign["id"]?.string ?? ""))/edit#\($0)" }
        return check["severity"] == "error" ? .wrong(text, at: link) : .note(text, at: link)
    }

    private static func variant(at path: String, in campaign: JSONValue) -> String? {
        guard let match = path.prefixMatch(of: /variants\[([0-9]+)\]/), let index = Int(match.1),
            let variants = campaign["variants"]?.array, variants.indices.contains(index),
            let name = variants[index]["name"]?.string, !name.isEmpty
        else { return nil }
        return "“\(name)”"
    }

    private static func key(at path: String) -> String? {
        path.firstMatch(of: /\.extras\.(.+)$/).map { "“\($0.1)”" }
    }
}
