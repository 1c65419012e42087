import CardModel

/// Finds what brings a campaign to the status that a file says.
enum CampaignSteps {
    /// Returns the steps in their order: what ends a campaign comes before its edit, and a launch behind it.
    ///
    /// - Parameters:
    ///   - campaign: The campaign on the server, or `nil` for none.
    ///   - state: The status that the file says, or `nil` where it says none.
    ///   - isSaved: Whether the content differs.
    /// - Returns: The steps, or `nil` where the model has no way from one status to the other.
    static func steps(of campaign: Campaign?, to state: WrittenStatus?, isSaved: Bool) -> [WorkspacePlan.Step]? {
        guard let campaign else {
            guard state?.status == .active || state?.status == .archived else { return [.save] }
            return [.save, .transition(state?.status == .active ? .launch : .archive)]
        }
        // What is archived can't be edited: it is restored, and archived again.
        let target = state ?? WrittenStatus(campaign.status)
        var path: [Campaign.Transition]?
        if isSaved, campaign.status == .archived {
            guard let restored = try? campaign.applying(.restore, at: campaign.updatedAt) else { return nil }
            path = way(from: restored, to: target).map { [.restore] + $0 }
        } else {
            path = way(from: campaign, to: target)
        }
        guard let path else { return nil }
        let late = path.filter { $0 == .launch || $0 == .archive }
        let early = path.filter { $0 != .launch && $0 != .archive }
        return early.map(WorkspacePlan.Step.transition) + (isSaved ? [.save] : [])
            + late.map(WorkspacePlan.Step.transition)
    }

    /// Returns whether a campaign has a status as far as it can have it.
    ///
    /// One that was never launched here can be neither paused nor stopped: as a draft, it reaches as few users.
    static func has(_ campaign: Campaign, _ state: WrittenStatus) -> Bool {
        let isDraft = campaign.launchedAt == nil && campaign.status == .draft
        if isDraft, state.status == .paused || state.status == .stopped { return true }
        if state.isWithdrawn, !campaign.isWithdrawn, campaign.launchedAt != nil { return false }
        return campaign.status == state.status
    }

    /// Finds the shortest way, which launches nothing but what is to be active.
    private static func way(from campaign: Campaign, to state: WrittenStatus) -> [Campaign.Transition]? {
        var transitions: [Campaign.Transition] = [.pause, .stop(withdraw: state.isWithdrawn), .archive, .restore]
        if state.status == .active { transitions.append(.launch) }
        var known: [(campaign: Campaign, path: [Campaign.Transition])] = [(campaign, [])]
        for index in 0..<16 where index < known.count {
            let (current, path) = known[index]
            if has(current, state) { return path }
            for transition in transitions {
                guard let next = try? current.applying(transition, at: current.updatedAt),
                    !known.contains(where: {
                        $0.campaign.status == next.status && $0.campaign.isWithdrawn == next.isWithdrawn
                    })
                else { continue }
                known.append((next, path + [transition]))
            }
        }
        return nil
    }
}
