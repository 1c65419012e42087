import CardModel
import CardStore
import WireJSON

/// The questions by which a store's state is compared.
enum StoreQuestions {
    /// Returns the questions to ask after an operation: all after every tenth and after the last one.
    static func after(_ place: Int, of count: Int) -> [StoreOperation] {
        place % 10 == 9 || place == count - 1 ? all : []
    }

    static let all: [StoreOperation] = users + lists + campaigns + logs

    private static let users: [StoreOperation] = RandomOperation.users.flatMap { user in
        [
            StoreOperation("userState(\(user))") { try await $0.userState(of: user, including: .all) },
            StoreOperation("userRevision(\(user))") { try await $0.userRevision(of: user) },
            StoreOperation("userEvents(\(user))") { try await $0.userEvents(of: user, limit: 1_000).withoutPositions },
            StoreOperation("userRecords(\(user))") { try await $0.userRecords(of: [.id(user)]) },
            StoreOperation("lastTriggers(\(user))") { try await $0.lastTriggers(of: user) },
        ]
    }

    private static let lists: [StoreOperation] = [
        StoreOperation("userCount") { try await $0.userCount() },
        StoreOperation("listUsers") { try await $0.listUsers(startingWith: "u", after: nil, limit: 10) },
        StoreOperation("searchUsers") { try await $0.searchUsers(matching: "example", after: nil, limit: 10).users },
        StoreOperation("testUsers") { try await $0.testUsers() },
        StoreOperation("findUsers") { try await $0.findUsers(RandomOperation.references) },
        StoreOperation("segments") { try await $0.segments(includingArchived: true, limit: 10, offset: 0) },
        StoreOperation("findSegments") { store in
            try await store.findSegments(["one", "two", "three"].map { SegmentID(rawValue: $0) })
        },
        StoreOperation("apiKeys") { try await $0.apiKeys() },
        StoreOperation("contentBlocks") { try await $0.contentBlocks() },
        StoreOperation("mediaItems") { try await $0.mediaItems(offset: 0, limit: 10) },
        StoreOperation("mediaTotals") { try await $0.mediaTotals() },
        StoreOperation("catalog") { store in
            let catalog = try await store.loadCatalog()
            return [
                AnySendableHashable(catalog.generation), AnySendableHashable(catalog.campaigns),
                AnySendableHashable(catalog.broadcasts), AnySendableHashable(catalog.settings.timeZone),
            ]
        },
        StoreOperation("overlap") { store in
            let audiences = ["gold", "silver"].map { plan in
                AudienceMatcher(.attribute(AttributeClause(.custom("plan"), .equals, .string(plan))))
            }
            return try await store.audienceOverlap(of: audiences + [AudienceMatcher(.everyone)], at: noon)
        },
        StoreOperation("reach") { store in
            let audience = AudienceMatcher(.attribute(AttributeClause(.custom("plan"), .equals, "gold")))
            return try await store.audienceReach(of: audience, at: noon, exactly: true)
        },
    ]

    private static let campaigns: [StoreOperation] = RandomOperation.campaigns.flatMap { campaign in
        [
            StoreOperation("campaignReport(\(campaign))") { store in
                var report = try await store.campaignReport(of: campaign)
                report?.conversions.sort { "\($0)" < "\($1)" }
                report?.amounts.sort { "\($0)" < "\($1)" }
                return report
            },
            StoreOperation("campaignTotals(\(campaign))") { try await $0.campaignTotals(of: [campaign]) },
            StoreOperation("campaignVersions(\(campaign))") {
                try await $0.campaignVersions(of: campaign, before: nil, limit: 1_000)
            },
        ]
    }

    /// A picture that campaigns name.
    static let picture = "0123456789abcdef0123456789abcdef"

    private static let logs: [StoreOperation] = [
        StoreOperation("uses") {
            let names = [ContentName(.picture, picture), ContentName(.contentBlock, "a")]
            return try await $0.uses(of: names, includesFormer: true, limit: 1_000)
        },
        StoreOperation("uses now") {
            try await $0.uses(of: [ContentName(.contentBlock, "a")], includesFormer: false, limit: 1)
        },
        StoreOperation("findCampaigns") { try await $0.findCampaigns(RandomOperation.campaigns) },
        StoreOperation("latestCampaignVersions") {
            try await $0.latestCampaignVersions(of: RandomOperation.campaigns, limit: 3)
        },
        StoreOperation("dayTotals") { try await $0.dayTotals(from: Day(number: 0)) },
        StoreOperation("campaignCountsByStatus") { try await $0.campaignCountsByStatus() },
        StoreOperation("eventPage") {
            try await $0.eventPage(after: 0, EventFilter(), limit: 1_000).events.withoutPositions
        },
        StoreOperation("searchEvents") {
            try await $0.searchEvents(matching: EventLogFilter(type: "click"), before: nil, limit: 1_000).events
                .withoutPositions
        },
        StoreOperation("audit") { store in
            // What names a deleted user is another text in every store.
            try await store.auditEntries(after: 0, limit: 1_000).map { entry in
                [entry.action, entry.actor, entry.action == "user.delete" ? "" : entry.subject, "\(entry.position)"]
            }
        },
        StoreOperation("webhookState") { try await $0.webhookState()?.withoutPosition },
        StoreOperation("webhookNotices") { store in
            try await store.webhookNotices(limit: 1_000).map { notice in
                [notice.kind.rawValue, notice.subject.text, notice.details.text, "\(notice.position)"]
            }
        },
    ]
}

/// A value of any type, to be compared.
struct AnySendableHashable: Hashable, Sendable, CustomStringConvertible {
    private let value: any Hashable & Sendable

    init(_ value: any Hashable & Sendable) { self.value = value }

    var description: String { "\(value)" }

    static func == (left: Self, right: Self) -> Bool { AnyHashable(left.value) == AnyHashable(right.value) }

    func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
}

extension [StoredEvent] {
    /// The events but for their positions, which every store may give out with gaps of its own.
    fileprivate var withoutPositions: [StoredEvent] {
        map { event in
            var event = event
            event.position = 0
            return event
        }
    }
}

extension WebhookState {
    /// The state but for the position, which is one of the store's own.
    var withoutPosition: WebhookState {
        var state = self
        state.progress.position = 0
        return state
    }
}
