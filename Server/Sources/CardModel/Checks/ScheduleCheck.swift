extension Campaign.Content {
    /// Returns what is wrong with the times of a delivery: an end that has passed, and times at which nobody can be
    /// given a card.
    ///
    /// - Parameters:
    ///   - now: The moment of the launch.
    ///   - quietHours: The hours in which nobody gets a new card, or `nil` for none.
    /// - Returns: What was found.
    func scheduleChecks(at now: UnixTime, quietHours: QuietHours?) -> [CampaignCheck] {
        if let end = delivery.schedule.end, end.latest <= now {
            let message = "The end has passed, so no one would receive the card. Set a later end, or remove it."
            return [CampaignCheck(.error, "schedule_over", at: "delivery.end_at", message)]
        }
        return [delayCheck(at: now), quietCheck(quietHours)].compactMap(\.self)
    }

    /// A card that is due no sooner than its campaign ends is never given.
    private func delayCheck(at now: UnixTime) -> CampaignCheck? {
        guard case .action(let action) = delivery, let end = action.end else { return nil }
        // safe: numbers with a fraction
        if let start = action.start, start + action.delay >= end {
            let message =
                "With this delay, every card is due after the end, so no one would receive it. "
                + "Set a later end, or a shorter delay."
            return CampaignCheck(.error, "schedule_never_opens", at: "delivery.end_at", message)
        }
        // Users may have done it before, and their cards be due in time.
        guard now + action.delay >= end else { return nil }
        let message = "Users who do the event from now on get no card: with this delay it is due after the end."
        return CampaignCheck(.warning, "schedule_nearly_over", at: "delivery.end_at", message)
    }

    /// A campaign in users' local time can lie in quiet hours as a whole.
    private func quietCheck(_ quietHours: QuietHours?) -> CampaignCheck? {
        guard case .scheduledLocally(let start?, let end?) = delivery, !rules.ignoresQuietHours,
            quietHours?.last(from: start, to: end) == true
        else { return nil }
        let message =
            "Between the start and the end there are only quiet hours, so no one would receive the card. "
            + "Set other times, or have the campaign ignore quiet hours."
        return CampaignCheck(.error, "schedule_never_opens", at: "delivery.end_at", message)
    }
}
