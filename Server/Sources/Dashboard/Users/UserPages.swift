import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird
import WireJSON

import struct ContentCards.ContentCard

extension Section {
    static let users = Section(
        "users",
        in: .people,
        icon: """
            <circle cx='8' cy='5' r='3.2'/>\
            <path d='M1.8 14.5c.6-3.5 3-5 6.2-5s5.6 1.5 6.2 5'/>
            """
    ) { localized("Users") }
}

extension PageDescriptor {
    static let users = PageDescriptor(
        .users,
        templates: ["user": PackageResources.user_mustache, "users": PackageResources.users_mustache]
    ) { routes in
        routes.get("/dashboard/users", .viewer, UserPages.list)
        routes.get("/dashboard/users/:id", .viewer, UserPages.show)
        routes.get("/dashboard/users/:id/feed", .viewer, UserPages.feed)
        routes.post("/dashboard/users/:id/delete", .admin, UserPages.delete)
    }
}

/// The list of users, and the page of one user.
enum UserPages {
    private static let pageSize = 50
    private static let longestExplanation = 200

    struct UserLine {
        let id: String
        let address: String
        let name: String
        let hasName: Bool
        let email: String?
        let country: String?
        let seen: TimeView?
        let created: TimeView
    }

    struct UserListView {
        let text: String?
        let users: [UserLine]
        /// The number of users, or `nil` where those of a database are missing that doesn't answer.
        let total: String?
        let next: String?
        /// Whether the search ended before it found a full page.
        let isSearching: Bool
        let isFirst: Bool
        /// Whether the member isn't meant to see who they are.
        let isHidden: Bool
        var saved: SavedFiltersView?
    }

    struct UserFact {
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

    struct EligibilityLine {
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

    struct UserView {
        let id: String
        let address: String
        let name: String
        let facts: [UserFact]
        let attributes: [UserFact]
        let customAttributes: [UserFact]
        let hasCustomAttributes: Bool
        let events: [EventLine]
        let explanations: [EligibilityLine]
        let explained: String
        let hasExplanations: Bool
        let feedAddress: String
        let moment: String
        let isDark: Bool
        /// Whether the appearance of the feed is that of the page, since none was chosen.
        let isByTheme: Bool
    }

    // MARK: The list

    @Sendable static func list(_ context: PageContext) async throws -> Response {
        guard !context.hidesPersonalData else { return try await hiddenList(context) }
        let text = context.query.trimmed(.q)
        let place = context.query[.after].flatMap(UserID.init(checking:)).map {
            UserSearchPlace(user: $0, isInside: context.query[.inside] == "1")
        }
        try await context.site.server.reads.note("user.list", by: context.actor)
        let page = try await context.store.searchUsers(matching: text, after: place, limit: pageSize)
        let total = try await page.isPartial ? nil : Self.total(context)
        let view = UserListView(
            text: text.isEmpty ? nil : text,
            users: page.users.map { UserLine($0, context) },
            total: total,
            next: page.next.map {
                let inside = $0.isInside ? "&inside=1" : ""
                return "/dashboard/users?q=\(FormData.escape(text))&after=\(FormData.escape($0.user.rawValue))\(inside)"
            },
            isSearching: page.next != nil && page.users.count < pageSize,
            isFirst: place == nil,
            isHidden: false,
            saved: try await SavedFiltersView(of: .users, context)
        )
        return try context.page("users", title: localized("Users"), in: .users, view)
    }

    /// Returns the number of users, or `nil` where those of a database are missing that doesn't answer.
    private static func total(_ context: PageContext) async throws -> String? {
        let (count, absent) = try await PartialReads.permitted { try await context.store.userCount() }
        return absent.isEmpty ? PageFormatter.counted(count, .user) : nil
    }

    /// The number of users: a search would tell whether a user is among them.
    private static func hiddenList(_ context: PageContext) async throws -> Response {
        let total = try await Self.total(context)
        let view = UserListView(
            text: nil,
            users: [],
            total: total,
            next: nil,
            isSearching: false,
            isFirst: true,
            isHidden: true
        )
        return try context.page("users", title: localized("Users"), in: .users, view)
    }

    // MARK: One user

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        try context.requirePersonalData()
        let id = try user(context)
        let user = try await context.ask { try await $0.users.state(of: id, by: $1) }.profile
        let events = try await context.ask { try await $0.users.events(of: id, limit: 50, by: $1) }
        let moment = context.query.trimmed(.at)
        let explanations = await explanations(of: user, at: time(moment, context), context)
        let given = explanations.filter(\.gives)
        let isCut = explanations.count == longestExplanation
        let book = try await NameBook(campaigns: events.compactMap(\.campaign), context)
        let isDark = context.query[.previewLook].map { $0 == "dark" } ?? (Theme(context.request) == .dark)
        let look = isDark ? "dark" : "light"
        let address = "/dashboard/users/\(FormData.escape(part: id.rawValue))"
        let view = UserView(
            id: id.rawValue,
            address: address,
            name: UserFormatter.fullName(of: user) ?? id.rawValue,
            facts: facts(user, context),
            attributes: UserFormatter.attributes.compactMap { attribute in
                user.value(of: attribute).map { UserFormatter.fact(attribute, $0) }
            },
            customAttributes: user.custom.map { UserFact(name: $0.key, value: $0.value.fieldText) },
            hasCustomAttributes: !user.custom.isEmpty,
            events: newestFirst(events).map { EventLine($0, book, context) },
            explanations: given + explanations.filter { !$0.gives },
            explained: localized("\(given.count) in feed, \(explanations.count - given.count) not in feed")
                + (isCut ? localized(", of the latest \(longestExplanation)") : ""),
            hasExplanations: !explanations.isEmpty,
            feedAddress: "\(address)/feed?preview_look=\(look)&at=\(FormData.escape(moment))",
            moment: moment,
            isDark: isDark,
            isByTheme: context.query[.previewLook] == nil
        )
        return try context.page("user", title: view.name, in: .users, view)
    }

    /// The user that the path names.
    private static func user(_ context: PageContext) throws -> UserID {
        guard let user = UserID(checking: try context.parameter("id")) else { throw DashboardError.notFound }
        return user
    }

    /// Returns the explanations of why the user sees what they see, or nothing where that can't be said.
    private static func explanations(
        of user: UserProfile,
        at time: UnixTime?,
        _ context: PageContext
    ) async -> [EligibilityLine] {
        let explanations = try? await context.ask { server, caller in
            try await server.explanations.explanations(of: user.id, at: time, limit: longestExplanation, by: caller)
        }
        let own = user.value(of: .timeZone)?.string.flatMap { TimeZoneClock(named: $0) == nil ? nil : $0 }
        let reasons = (explanations ?? []).flatMap(\.audience.reasons)
        // Without names, sentences have ids.
        let labels = try? await AudienceLabels.read(reasons.compactMap(UserFormatter.audience), context.store)
        return (explanations ?? []).map {
            EligibilityLine($0, labels ?? AudienceLabels(), userZone: own ?? context.timeZone, context)
        }
    }

    /// The events by the time at which they happened: the log has them as they came in, and devices report late.
    static func newestFirst(_ events: [StoredEvent]) -> [StoredEvent] {
        let timed = events.enumerated().map { (place: $0.offset, event: $0.element) }
        return timed.sorted { ($1.event.at, $0.place) < ($0.event.at, $1.place) }.map(\.event)
    }

    /// The time that a field says, or `nil` for now.
    private static func time(_ moment: String, _ context: PageContext) -> UnixTime? {
        moment.isEmpty ? nil : DraftTimes(zone: context.timeZone).value(moment, isLocal: false).double
    }

    private static func facts(_ user: UserProfile, _ context: PageContext) -> [UserFact] {
        func text(_ time: UnixTime?) -> String { time.map { TimeView($0, for: context).text } ?? localized("never") }
        return [
            UserFact(name: localized("User ID"), value: user.id.rawValue),
            UserFact(name: localized("Created"), value: text(user.createdAt)),
            UserFact(name: localized("Last seen"), value: text(user.lastSeenAt)),
            UserFact(name: localized("App version"), value: user.device.appVersion ?? "–"),
        ]
    }

    /// The feed as the user sees it, drawn by the app's cells.
    @Sendable static func feed(_ context: PageContext) async throws -> Response {
        try context.requirePersonalData()
        let (user, moment) = (try user(context), time(context.query.trimmed(.at), context))
        guard let cards = try? await context.ask({ try await $0.explanations.feedCards(of: user, at: moment, by: $1) })
        else {
            let note = PreviewNote(message: localized("Couldn’t load this user’s feed."))
            return try await PreviewAnswer.response([], note: note, context)
        }
        let shown = cards.enumerated().map { index, card in
            ContentCard(preview: card, rendered: card, id: card.text(.id) ?? "\(index)")
        }
        return try await PreviewAnswer.response(shown, context)
    }

    @Sendable static func delete(_ context: PageContext) async throws -> Response {
        let user = try user(context)
        try await context.change { try await $0.users.delete(user, by: $1) }
        return .seeOther("/dashboard/users?done=deleted")
    }
}

extension UserPages.UserLine {
    init(_ user: UserProfile, _ context: PageContext) {
        func text(_ attribute: StandardAttribute) -> String? { user.value(of: attribute)?.string }
        id = user.id.rawValue
        address = "/dashboard/users/\(FormData.escape(part: user.id.rawValue))"
        let fullName = UserFormatter.fullName(of: user)
        name = fullName ?? user.id.rawValue
        hasName = fullName != nil
        email = text(.email)
        country = text(.country).map(UserFormatter.country)
        seen = user.lastSeenAt.map { TimeView($0, for: context) }
        created = TimeView(user.createdAt, for: context)
    }
}

extension UserPages.EventLine {
    init(_ event: StoredEvent, _ names: NameBook, _ context: PageContext) {
        type = EventFormatter.type(event.type)
        detail = EventFormatter.detail(event.details)
        time = TimeView(event.at, for: context)
        campaign = event.campaign.map(names.campaign)
        campaignAddress = event.campaign.map { "/dashboard/campaigns/\(FormData.escape(part: $0.rawValue))" }
        isError = event.isDecodingError
    }
}

extension UserPages.EligibilityLine {
    init(_ explanation: CampaignExplanation, _ labels: AudienceLabels, userZone: String, _ context: PageContext) {
        name = explanation.campaign.content.name
        address = "/dashboard/campaigns/\(FormData.escape(part: explanation.campaign.id.rawValue))"
        let isLocal = UserFormatter.isInLocalTime(explanation)
        message = PageFormatter.withTimes(
            UserFormatter.sentence(explanation, labels),
            in: isLocal ? userZone : context.timeZone,
            isUsers: isLocal
        )
        gives = explanation.code == "shown"
        let isOutside = if case .audience = explanation.reason { true } else { false }
        clauses = isOutside ? explanation.audience.reasons.map { UserPages.Clause($0, labels, context) } : []
        hasClauses = !clauses.isEmpty
    }
}

extension UserPages.Clause {
    init(_ clause: AudienceExplanation, _ labels: AudienceLabels, _ context: PageContext) {
        summary = UserFormatter.summary(of: clause, labels)
        outcome = clause.matches ? localized("matches, which excludes the user") : localized("doesn’t match")
        let value = clause.found ?? .null
        found = value.isNull ? localized("no value") : PageFormatter.withTimes(value.fieldText, for: context)
    }
}
