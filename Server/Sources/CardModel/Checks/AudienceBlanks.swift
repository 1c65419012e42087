extension Campaign.Content {
    /// The filters of the audience that were left blank, and so mean other users than they seem to.
    func audienceChecks() -> [CampaignCheck] {
        var checks: [CampaignCheck] = []
        for blank in audience.blanks {
            let check =
                switch blank {
                case .name:
                    CampaignCheck(
                        .warning,
                        "audience_name_blank",
                        at: "audience",
                        "A filter of the audience has a blank name."
                    )
                case .value(let name):
                    CampaignCheck(
                        .warning,
                        "audience_value_blank",
                        at: "audience",
                        "The filter for \(name) has a blank value."
                    )
                }
            if !checks.contains(check) { checks.append(check) }
        }
        return checks
    }
}

extension Audience {
    fileprivate var blanks: [BlankPart] {
        switch structure {
        case .filter(let filter): filter.blank.map { [$0] } ?? []
        case .all(let branches), .any(let branches), .none(let branches): branches.flatMap(\.blanks)
        case .everyone, .segment: []
        }
    }
}
