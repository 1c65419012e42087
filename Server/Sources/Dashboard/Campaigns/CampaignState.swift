import CardModel

/// The status of a campaign as pages show it: a schedule divides `active` into three.
///
/// A schedule in the user's local time begins with the first time zone that reaches it, and ends with the last.
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
        let (start, end) = delivery.schedule
        if let end, end.latest <= now { return .ended }
        if let start, start.earliest > now { return .scheduled }
        return .active
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
