import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird
import WireJSON

import struct ContentCards.ContentCard

/// The list of users, and the page of one user.
enum UserPages {
    private static let pageSize = 50
    private static let longestExplanation = 200

    struct Line {
        let id: String
        let address: String
        let name: String
        let hasName: Bool
        let email: String
        let country: String
        let seen: TimeView?
        let created: TimeView
    }

    struct ListView {
        let text: String?
        let users: [Line]
        let total: String
        let next: String?
        /// Whether the search ended before it found a full page.
        let isSearching: Bool
        let isFirst: Bool
        /// Whether the member isn't meant to see who they are.
        let isHidden: Bool
    }

    struct Fact {
        let name: String
        let value: String
    }

    struct EventLine {
        let type: String
        let detail: String
        let time: TimeView
        let campaign: String?
        let campaignAddress: String?
        let isError: Bool
    }

    struct CampaignLine {
        let name: String
        let address: String
        let message: String
        let gives: Bool
        let clauses: [Clause]
        let hasClauses: Bool
    }

    /// A filter of an audience that keeps the user out, with the value that was compared.
    struct Clause {
        let summary: String
        let outcome: String
        let found: String
    }

    struct View {
        let id: String
        let address: String
        let name: String
        let facts: [Fact]
        let attributes: [Fact]
        let customAttributes: [Fact]
        let hasCustomAttributes: Bool
        let events: [EventLine]
        let explanations: [CampaignLine]
        let explained: String
        let hasExplanations: Bool
        let feedAddress: String
        let moment: String
        let isDark: Bool
    }

    // MARK: The list

    @Sendable static func list(_ visit: Visit) async throws -> Response {
        guard !visit.hidesPersonalData else { return try await hiddenList(visit) }
        let text = visit.query.text("q") ?? ""
        let place = visit.query["after"].flatMap(UserID.init(checking:)).map {
            UserSearchPlace(user: $0, isInside: visit.query["inside"] == "1")
        }
        try await visit.site.server.reads.note("user.list", by: visit.actor)
        let page = try await visit.store.searchUsers(matching: text, after: place, limit: pageSize)
        let view = ListView(
            text: text.isEmpty ? nil : text,
            users: page.users.map { Line($0, visit) },
            total: Wording.counted(try await visit.store.userCount(), "user"),
            next: page.next.map {
                let inside = $0.isInside ? "&inside=1" : ""
                return "/dashboard/users?q=\(FormData.escape(text))&after=\(FormData.escape($0.user.rawValue))\(inside)"
            },
            isSearching: page.next != nil && page.users.count < pageSize,
            isFirst: place == nil,
            isHidden: false
        )
        return try visit.page("users", title: "Users", in: .users, view)
    }

    /// The number of users: a search would tell whether a user is among them.
    private static func hiddenList(_ visit: Visit) async throws -> Response {
        let total = Wording.counted(try await visit.store.userCount(), "user")
        let view = ListView(
            text: nil,
            users: [],
            total: total,
            next: nil,
            isSearching: false,
            isFirst: true,
            isHidden: true
        )
        return try visit.page("users", title: "Users", in: .users, view)
    }

    // MARK: One user

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        try visit.requirePersonalData()
        let id = try visit.parameter("id")
        let path = "/v1/users/\(FormData.escape(id))"
        let user = try await visit.read(path)
        let events = try await visit.read("\(path)/events?limit=50")["events"]?.array ?? []
        let moment = visit.query.text("at") ?? ""
        let query = momentQuery(moment, visit).map { "&at=\($0)" } ?? ""
        let explained = try? await visit.read("\(path)/explain?limit=\(longestExplanation)\(query)")
        let explanations = (explained?["campaigns"]?.array ?? []).map { CampaignLine($0, visit) }
        let given = explanations.filter(\.gives)
        let isCut = explanations.count == longestExplanation
        let attributes = (user["attributes"]?.object ?? [:]).filter { !$0.value.isNull }
        let custom = user["custom_attributes"]?.object ?? [:]
        let ids = events.compactMap { $0["campaign_id"]?.string.map(CampaignID.init(rawValue:)) }
        let book = try await NameBook(campaigns: ids, visit)
        let names = ["first_name", "last_name"].compactMap { attributes[$0]?.string }
        let look = visit.query["preview_look"] == "dark" ? "dark" : "light"
        let address = "/dashboard/users/\(FormData.escape(id))"
        let view = View(
            id: id,
            address: address,
            name: names.isEmpty ? id : names.joined(separator: " "),
            facts: facts(user, visit),
            attributes: attributes.map { UserWording.fact($0.key, $0.value) },
            customAttributes: custom.map { Fact(name: $0.key, value: $0.value.fieldText) },
            hasCustomAttributes: !custom.isEmpty,
            events: newestFirst(events).map { EventLine($0, book, visit) },
            explanations: given + explanations.filter { !$0.gives },
            explained: "\(given.count) in feed, \(explanations.count - given.count) not in feed"
                + (isCut ? ", of the latest \(longestExplanation)" : ""),
            hasExplanations: !explanations.isEmpty,
            feedAddress: "\(address)/feed?preview_look=\(look)&at=\(FormData.escape(moment))",
            moment: moment,
            isDark: look == "dark"
        )
        return try visit.page("user", title: view.name, in: .users, view)
    }

    /// The events by the time at which they happened: the log has them as they came in, and devices report late.
    static func newestFirst(_ events: [JSONValue]) -> [JSONValue] {
        let timed = events.enumerated().map {
            (time: $0.element["at"]?.double ?? 0, place: $0.offset, event: $0.element)
        }
        return timed.sorted { ($1.time, $0.place) < ($0.time, $1.place) }.map(\.event)
    }

    /// The moment as the API takes it, or `nil` for now.
    private static func momentQuery(_ moment: String, _ visit: Visit) -> String? {
        let time = moment.isEmpty ? JSONValue.null : DraftTimes(zone: visit.timeZone).value(moment, isLocal: false)
        return time.double?.fieldText
    }

    private static func facts(_ user: JSONValue, _ visit: Visit) -> [Fact] {
        func time(_ name: String) -> String { user[name]?.double.map { TimeView($0, for: visit).text } ?? "never" }
        return [
            Fact(name: "User ID", value: user["user_id"]?.string ?? ""),
            Fact(name: "Created", value: time("created_at")), Fact(name: "Last seen", value: time("last_seen_at")),
            Fact(name: "App version", value: user["app_version"]?.string ?? "–"),
        ]
    }

    /// The feed as the user sees it, drawn by the app's cells.
    @Sendable static func feed(_ visit: Visit) async throws -> Response {
        try visit.requirePersonalData()
        let path = "/v1/users/\(FormData.escape(try visit.parameter("id")))/feed"
        let query = momentQuery(visit.query.text("at") ?? "", visit).map { "?at=\($0)" } ?? ""
        guard let feed = try? await visit.read(path + query) else {
            let note = ContentCard.note("Couldn’t load this user’s feed.", path: "")
            return try await PreviewAnswer.response([note], visit)
        }
        let cards = (feed["cards"]?.array ?? []).enumerated().map { index, card in
            ContentCard(
                preview: card,
                rendered: card,
                id: card["id"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? "\(index)"
            )
        }
        return try await PreviewAnswer.response(cards, visit)
    }

    @Sendable static func delete(_ visit: Visit) async throws -> Response {
        _ = try await visit.change(.delete, "/v1/users/\(FormData.escape(try visit.parameter("id")))")
        return .seeOther("/dashboard/users?done=deleted")
    }
}

extension UserPages.Line {
    init(_ user: UserProfile, _ visit: Visit) {
        func text(_ attribute: StandardAttribute) -> String? { user.value(of: attribute)?.string }
        id = user.id.rawValue
        address = "/dashboard/users/\(FormData.escape(user.id.rawValue))"
        let names = [text(.firstName), text(.lastName)].compactMap(\.self)
        name = names.isEmpty ? user.id.rawValue : names.joined(separator: " ")
        hasName = !names.isEmpty
        email = text(.email) ?? ""
        country = text(.country).map(UserWording.country) ?? ""
        seen = user.lastSeenAt.map { TimeView($0, for: visit) }
        created = TimeView(user.createdAt, for: visit)
    }
}

extension UserPages.EventLine {
    init(_ json: JSONValue, _ names: NameBook, _ visit: Visit) {
        let details = json["details"] ?? .null
        let id = json["campaign_id"]?.string
        type = (json["type"]?.string ?? "").replacing("_", with: " ")
        detail = EventWording.detail(details)
        time = TimeView(json["at"]?.double ?? 0, for: visit)
        campaign = id.map { names.campaign(CampaignID(rawValue: $0)) }
        campaignAddress = id.map { "/dashboard/campaigns/\(FormData.escape($0))" }
        isError = json["type"] == "content_error"
    }
}

extension UserPages.CampaignLine {
    init(_ json: JSONValue, _ visit: Visit) {
        name = json["name"]?.string ?? ""
        address = "/dashboard/campaigns/\(FormData.escape(json["campaign_id"]?.string ?? ""))"
        message = Wording.withTimes(json["message"]?.string ?? "", for: visit)
        gives = json["gives_card"]?.bool == true || json["code"]?.string == "shown"
        clauses = (json["reason"]?["clauses"]?.array ?? []).map { UserPages.Clause($0, visit) }
        hasClauses = !clauses.isEmpty
    }
}

extension UserPages.Clause {
    init(_ json: JSONValue, _ visit: Visit) {
        summary = json["summary"]?.string ?? ""
        outcome = json["matches"]?.bool == true ? "matches, which excludes the user" : "doesn’t match"
        let value = json["found"] ?? .null
        found = value.isNull ? "no value" : Wording.withTimes(value.fieldText, for: visit)
    }
}
