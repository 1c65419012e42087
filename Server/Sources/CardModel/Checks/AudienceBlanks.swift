import WireJSON

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
    fileprivate enum Blank {
        case name
        /// Of the attribute with that name.
        case value(String)
    }

    /// Whether the number of its users follows from when each was first or last there, so that the users who were there
    /// lately say nothing of those who will be.
    ///
    /// - Parameter segments: The audiences of all saved segments.
    /// - Returns: Whether any condition is about that.
    package func dependsOnPresence(in segments: [SegmentID: Audience]) -> Bool {
        var seen: Set<SegmentID> = []
        return dependsOnPresence(in: segments, &seen)
    }

    private func dependsOnPresence(in segments: [SegmentID: Audience], _ seen: inout Set<SegmentID>) -> Bool {
        switch self {
        case .attribute(let clause):
            switch clause.name {
            case .system(.createdAt), .system(.firstSeenAt), .system(.lastSeenAt): return true
            case .system, .standard, .custom: return false
            }
        case .history(let clause): return clause.subject == .session
        case .all(let branches), .any(let branches), .none(let branches):
            for branch in branches where branch.dependsOnPresence(in: segments, &seen) { return true }
            return false
        case .segment(let id):
            guard seen.insert(id).inserted else { return false }
            return segments[id]?.dependsOnPresence(in: segments, &seen) ?? false
        case .everyone, .users, .contact, .bucket: return false
        }
    }

    fileprivate var blanks: [Blank] {
        switch self {
        case .attribute(let clause):
            if clause.name.text.isBlank { return [.name] }
            return clause.value.isBlank ? [.value(clause.name.text)] : []
        case .history(let clause):
            switch clause.subject {
            case .event(let name): return name.text.isBlank ? [.name] : []
            case .purchase(let product): return product?.text.isBlank == true ? [.name] : []
            case .session: return []
            }
        case .all(let branches), .any(let branches), .none(let branches): return branches.flatMap(\.blanks)
        case .everyone, .users, .contact, .segment, .bucket: return []
        }
    }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

extension JSONValue {
    /// Whether it is a text without a letter, or a list with one.
    fileprivate var isBlank: Bool {
        switch self {
        case .string(let text): text.isBlank
        case .array(let values): values.contains { $0.string?.isBlank == true }
        default: false
        }
    }
}
