import CardModel
import CardStore
import WireJSON

/// The names of things that a page would else show by their IDs.
struct NameBook {
    private var campaigns: [CampaignID: String] = [:]
    private var variants: [CampaignID: [VariantID: String]] = [:]
    private var segments: [SegmentID: String] = [:]
    private var keys: [String: String] = [:]
    private var members: [String: String] = [:]
    private var pictures: [String: String] = [:]
    private var imports: [String: String] = [:]

    /// The names of campaigns, which are looked up at once.
    init(campaigns ids: some Sequence<CampaignID>, _ context: PageContext) async throws {
        for (id, found) in try await context.campaigns(ids, Self.names(of:)) { add(found, of: id) }
    }

    /// The names of campaigns that were read already.
    init(_ campaigns: [Campaign]) { for campaign in campaigns { add(Self.names(of: campaign), of: campaign.id) } }

    /// The name of a campaign, and those of its variants that have one.
    private typealias CampaignNames = (campaign: String, variants: [VariantID: String])

    private static func names(of campaign: Campaign) -> CampaignNames {
        let named = campaign.content.variants.filter { !$0.name.isEmpty }
        return (campaign.content.name, Dictionary(named.map { ($0.id, $0.displayName) }, uniquingKeysWith: { $1 }))
    }

    private mutating func add(_ names: CampaignNames, of campaign: CampaignID) {
        campaigns[campaign] = names.campaign
        variants[campaign] = names.variants
    }

    /// The names that entries of the audit log need.
    init(_ entries: [AuditEntry], _ context: PageContext) async throws {
        func subjects(_ prefix: String) -> [String] { entries.filter { $0.action.hasPrefix(prefix) }.map(\.subject) }
        let campaigns = subjects("campaign.") + subjects("approval.")
        try await self.init(campaigns: campaigns.map(CampaignID.init(rawValue:)), context)
        segments = try await context.store.segmentNames(subjects("segment.").map(SegmentID.init(rawValue:)))
        pictures = try await subjects("media.").lookedUp(by: { try await context.store.findMedia($0) }, \.name)
        imports = try await subjects("user.import")
            .lookedUp(by: { try await context.store.findImports($0) }, \.fileName)
        for key in try await context.store.apiKeys() { keys[key.id] = key.name }
        for member in try await context.store.members() where !member.name.isEmpty {
            members[member.email] = member.name
        }
    }

    /// A campaign's name, or its id where it is gone.
    func campaign(_ id: CampaignID) -> String { campaigns[id] ?? id.rawValue }

    /// The name of the variant that an event is about, or its id where it has none or is gone.
    func variant(of event: StoredEvent) -> String? {
        guard let variant = event.variant else { return nil }
        return event.campaign.flatMap { variants[$0]?[variant] } ?? variant.rawValue
    }

    /// Returns the name of who did something: a member by name, a key by what it is for.
    func actor(_ text: String) -> String {
        if text == Actor.unauthenticated.name { return localized("Not signed in") }
        if text == Actor.command.name { return localized("command") }
        if text == Actor.server.name { return localized("server") }
        return members[text] ?? keys[text].map { localized("Key “\($0)”") } ?? text
    }

    /// Returns the name of what something was done to.
    func subject(_ entry: AuditEntry) -> String {
        switch entry.action.prefix(before: ".") {
        case "campaign", "approval": campaign(CampaignID(rawValue: entry.subject))
        case "segment": segments[SegmentID(rawValue: entry.subject)] ?? entry.subject
        case "key": keys[entry.subject] ?? entry.subject
        case "media": pictures[entry.subject] ?? entry.subject
        case "user": imports[entry.subject] ?? entry.subject
        case "member", "session": members[entry.subject] ?? entry.subject
        default: entry.subject
        }
    }
}
