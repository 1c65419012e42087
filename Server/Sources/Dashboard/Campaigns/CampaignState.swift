import CardModel

/// The status of a campaign as pages show it: a schedule divides `active` into three.
enum CampaignState: String, CaseIterable, Sendable {
    case draft
    case scheduled
    case active
    case ended
    case paused
    case stopped
    case archived

    init(_ campaign: Campaign, at now: UnixTime) {
        self =
            switch campaign.status {
            case .draft: .draft
            case .active: Self.ofSchedule(campaign.content.delivery, at: now)
            case .paused: .paused
            case .stopped: .stopped
            case .archived: .archived
            }
    }

    private static func ofSchedule(_ delivery: Campaign.DeliveryMode, at now: UnixTime) -> CampaignState {
        switch delivery.phase(at: now) {
        case .ahead: .scheduled
        case .running: .active
        case .over: .ended
        }
    }

    var name: String {
        switch self {
        case .draft: localized("Draft")
        case .scheduled: localized("Scheduled", in: "status")
        case .active: localized("Active")
        case .ended: localized("Ended")
        case .paused: localized("Paused")
        case .stopped: localized("Stopped")
        case .archived: localized("Archived")
        }
    }
}
