/// What a key may do.
public enum Permission: String, Sendable, CaseIterable {
    /// The device API; every publishable key has it.
    case device
    /// Everything under `/v1` that is not the device API, and all that backends may do.
    case manage
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

    /// Whether it is one of those that backends have, each for one path.
    public var isForBackends: Bool { self != .device && self != .manage }
}
