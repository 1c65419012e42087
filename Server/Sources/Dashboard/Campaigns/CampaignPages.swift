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
        let types = try await visit.read("/v1/content-types")["types"]?.array ?? []
        let reach = try await visit.ask("/v1/audience/reach", ["audience": campaign["audience"] ?? .null])
        let checks = LaunchChecks.list(
            campaign,
            types: types.map(ContentTypeFields.init),
            reach: reach["users"]?.integer ?? 0,
            at: visit.now
        )
        let view = LaunchView(
            id: campaign["id"]?.string ?? "",
            name: campaign["name"]?.string ?? "",
            address: try address(visit),
            checks: checks,
            isBlocked: checks.contains { $0.isWrong },
            reach: "\(Wording.count(reach["users"]?.integer ?? 0)) of \(Wording.count(reach["total"]?.integer ?? 0))",
            version: campaign["version"]?.fieldText ?? ""
        )
        return try visit.page("launch", title: "Launch \(view.name)", in: .campaigns, view)
    }

    @Sendable static func launch(_ visit: Visit) async throws -> Response {
        let version = visit.form["version"].flatMap { Int64($0) }.map(JSONValue.integer) ?? .null
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

/// What is looked at before a campaign is launched.
enum LaunchChecks {
    struct Check {
        let text: String
        let kind: String
        let mark: String
        let isWrong: Bool

        static func ok(_ text: String) -> Check { Check(text: text, kind: "ok", mark: "✓", isWrong: false) }
        static func note(_ text: String) -> Check { Check(text: text, kind: "note", mark: "!", isWrong: false) }
        static func wrong(_ text: String) -> Check { Check(text: text, kind: "wrong", mark: "×", isWrong: true) }
    }

    static func list(_ campaign: JSONValue, types: [ContentTypeFields], reach: Int64, at now: UnixTime) -> [Check] {
        let variants = campaign["variants"]?.array ?? []
        var checks = [schedule(campaign["delivery"] ?? [:], at: now)]
        checks.append(
            reach > 0
                ? .ok("The audience means \(Wording.count(reach)) of the users known today.")
                : .note("The audience means none of the users known today; new ones may join it.")
        )
        checks.append(
            variants.contains { $0["control"]?.bool == true }
                ? .ok("A control group shows what would have happened without the card.")
                : .note("There is no control group: the report cannot say what the card has changed.")
        )
        for variant in variants where variant["control"]?.bool != true {
            checks += card(variant["card"] ?? [:], of: variant["name"]?.string ?? "", types)
        }
        return checks
    }

    private static func schedule(_ delivery: JSONValue, at now: UnixTime) -> Check {
        if let end = delivery["end_at"]?.double, end <= now {
            return .wrong("The end is in the past: nobody would get it.")
        }
        if let start = delivery["start_at"]?.double, start > now {
            return .ok("It starts in \(Wording.duration(start - now)).")
        }
        return .ok("It reaches users as soon as it is launched.")
    }

    private static func card(_ card: JSONValue, of name: String, _ types: [ContentTypeFields]) -> [Check] {
        var checks: [Check] = []
        if card["image"]?.string != nil, card["image_alt"]?.string == nil {
            checks.append(.note("“\(name)”: the image has no description for those who cannot see it."))
        }
        if let end = card["expires_at"]?.double, end <= 0 { checks.append(.wrong("“\(name)” has expired.")) }
        let extras = card["extras"]?.object ?? [:]
        guard let classType = extras["class_type"]?.string else { return checks }
        guard let type = types.first(where: { $0.classType == classType }) else {
            checks.append(.note("“\(name)”: no app has said what it expects of the content type \(classType)."))
            return checks
        }
        let problems = type.fields.compactMap { problem($0, extras[$0.name]?.string) }
        checks += problems.map { .wrong("“\(name)”: \($0)") }
        if problems.isEmpty { checks.append(.ok("“\(name)” has what the app expects of \(classType).")) }
        return checks
    }

    /// What an app could not decode; text with Liquid is only known when it is rendered.
    private static func problem(_ field: ContentTypeFields.Field, _ value: String?) -> String? {
        guard let value, !value.isEmpty else {
            return field.isOptional ? nil : "the app needs “\(field.name)”, and it is missing."
        }
        if value.contains("{{") || value.contains("{%") { return nil }
        let isRight: Bool =
            switch field.type.lowercased() {
            case "int", "integer": Int64(value) != nil
            case "double", "decimal", "number", "float": Double(value) != nil
            case "bool", "boolean": ["true", "false", "1", "0", "yes", "no"].contains(value.lowercased())
            default: true
            }
        return isRight ? nil : "“\(field.name)” says “\(value)”, and the app expects \(field.type)."
    }
}
