/// A permission of a key.
public enum Permission: String, Sendable, CaseIterable {
    /// The device API; every publishable key has it.
    case device
    /// Everything but the device API.
    case manage
    /// Campaigns, segments, content blocks and content types, without results and without users.
    case read
    /// Results of campaigns.
    case report
    /// Permission to track users: attributes, events, purchases, aliases.
    case track
    /// Sending the cards of API-triggered campaigns.
    case trigger
    /// Creating, editing, launching and ending campaigns, segments and content blocks, and reading them.
    case campaigns
    /// Personal data: reading, editing, exporting and deleting users, and their events.
    case users
    /// API keys; a key gives no permission that it doesn't have itself.
    case keys
    /// Settings, the webhook and the audit log.
    case settings
    /// `POST /users/track`.
    case trackUsers = "users.track"
    /// `POST /users/export/ids`.
    case exportUsers = "users.export.ids"
    /// `POST /users/delete`.
    case deleteUsers = "users.delete"
    /// `POST /users/alias/new`.
    case nameUsers = "users.alias.new"
    /// `POST /users/identify`.
    case identifyUsers = "users.identify"
    /// `POST /campaigns/trigger/send`.
    case sendCampaigns = "campaigns.trigger.send"
    /// `POST /campaigns/trigger/schedule/create`.
    case scheduleCampaigns = "campaigns.trigger.schedule.create"
    /// `POST /campaigns/trigger/schedule/update`.
    case rescheduleCampaigns = "campaigns.trigger.schedule.update"
    /// `POST /campaigns/trigger/schedule/delete`.
    case unscheduleCampaigns = "campaigns.trigger.schedule.delete"
    /// `GET /campaigns/list`.
    case listCampaigns = "campaigns.list"
    /// `GET /campaigns/details`.
    case readCampaigns = "campaigns.details"
    /// `GET /campaigns/data_series`.
    case countCampaigns = "campaigns.data_series"
    /// `GET /segments/list`.
    case listSegments = "segments.list"
    /// `GET /segments/details`.
    case readSegments = "segments.details"
    /// `GET /v1/events/export`.
    case exportEvents = "events.export"

    /// Whether it is for one path of the REST API for backends.
    public var isForBackends: Bool { group != nil }

    /// The permission that a permission for one path is a part of, or `nil` where it is for more than one path.
    public var group: Permission? {
        switch self {
        case .device, .manage, .read, .report, .track, .trigger, .campaigns, .users, .keys, .settings: nil
        case .trackUsers, .nameUsers, .identifyUsers: .track
        case .exportUsers, .deleteUsers, .exportEvents: .users
        case .sendCampaigns, .scheduleCampaigns, .rescheduleCampaigns, .unscheduleCampaigns: .trigger
        case .listCampaigns, .readCampaigns, .listSegments, .readSegments: .read
        case .countCampaigns: .report
        }
    }

    /// Whether whoever has this permission may do what another one allows.
    public func includes(_ other: Permission) -> Bool {
        if self == other { return true }
        switch self {
        case .manage: return other != .device
        case .campaigns: return other == .read || other.group == .read
        default: return other.group == self
        }
    }
}
