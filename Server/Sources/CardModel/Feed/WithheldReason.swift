/// The reason why a campaign gives a user no card, or no further one, at that moment.
public enum WithheldReason: Sendable, Hashable {
    /// The campaign is a draft, paused, stopped or archived.
    case status(Campaign.Status)
    /// The schedule opens later.
    case notStarted(UnixTime)
    /// The schedule has closed.
    case ended(UnixTime)
    /// The user was given the card and can't be given another, or not before that time.
    case notReeligible(until: UnixTime?)
    /// Neither the user nor a backend has done what the campaign waits for.
    case notTriggered
    /// That was done, and the card comes after a delay.
    case triggerWaiting(until: UnixTime)
    /// That was done and came to nothing.
    case triggerOver(Trigger.TriggerOutcome)
    /// The user is not in the audience, at least until that time where they do nothing.
    case audience(until: UnixTime?)
    /// Finding out whether the user is in the audience took more work than a sync has, so it doesn't mean them.
    case searchLimit(until: UnixTime?)
    /// Every variant has the weight 0.
    case noVariant
    /// The card would have expired before it is given.
    case wouldBeExpired
    /// Nobody gets a new card until then.
    case quietHours(until: UnixTime)
    /// The user has had as many new cards as they may, until then.
    case frequencyCap(FrequencyCap, until: UnixTime)
    /// The user has as many cards as they may, and all of them are newer.
    case cardLimit
    /// The user has been given too many cards in all to get another one of the same campaign.
    case tooManyCards
    /// The card's template keeps it from the user.
    case template(TemplateFailure)
}

extension WithheldReason {
    /// The time from which the reason no longer holds, though nothing has changed, or `nil` for never.
    public var recheckAt: UnixTime? {
        switch self {
        case .notStarted(let time), .triggerWaiting(let time), .quietHours(let time), .frequencyCap(_, let time): time
        case .notReeligible(let time), .audience(let time), .searchLimit(let time): time
        case .status, .ended, .notTriggered, .triggerOver, .noVariant, .wouldBeExpired, .cardLimit,
            .tooManyCards, .template:
            nil
        }
    }

    /// The reason as a word that stays the same.
    public var code: String {
        switch self {
        case .status(let status): status.rawValue
        case .notStarted, .ended: "outside_schedule"
        case .notReeligible: "not_reeligible"
        case .notTriggered: "not_triggered"
        case .triggerWaiting: "trigger_waiting"
        case .triggerOver(.expired): "trigger_expired"
        case .triggerOver(.removed): "removal_event"
        case .triggerOver(.notReeligible): "not_reeligible"
        case .triggerOver(.delivered): "not_triggered"
        case .audience: "audience"
        case .searchLimit: "search_limit"
        case .noVariant: "no_variant"
        case .wouldBeExpired: "expired"
        case .quietHours: "quiet_hours"
        case .frequencyCap: "frequency_capped"
        case .cardLimit: "limit_reached"
        case .tooManyCards: "too_many_cards"
        case .template(let failure): failure.code
        }
    }
}
