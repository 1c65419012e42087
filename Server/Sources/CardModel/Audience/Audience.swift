/// Says who is meant: a tree of conditions on a user.
///
/// One form serves campaigns, segments, triggers and the command. ``AudienceMatcher`` answers it.
public indirect enum Audience: Sendable, Hashable {
    /// Everybody.
    case everyone
    /// Users that every branch means; everybody where there is none.
    case all([Audience])
    /// Users that at least one branch means; nobody where there is none.
    case any([Audience])
    /// Users that no branch means.
    case none([Audience])
    /// The users with those ids.
    case users(Set<UserID>)
    /// Users with an attribute that compares so.
    case attribute(AttributeClause)
    /// Users who did something so often, or at such a time.
    case history(HistoryClause)
    /// Users who had to do with a campaign.
    case contact(ContactClause)
    /// The users of a saved segment; nobody where there is none of that id.
    case segment(SegmentID)
    /// Users whose random number is in a range.
    case bucket(RandomBucket)
}

extension Audience {
    /// The structure of an audience, where it makes no difference which filter is meant.
    enum Structure {
        case everyone
        case all([Audience])
        case any([Audience])
        case none([Audience])
        case segment(SegmentID)
        case filter(any AudienceFilter)
    }

    /// The structure of the audience.
    var structure: Structure {
        switch self {
        case .everyone: .everyone
        case .all(let branches): .all(branches)
        case .any(let branches): .any(branches)
        case .none(let branches): .none(branches)
        case .segment(let id): .segment(id)
        case .users(let ids): .filter(UsersFilter(ids))
        case .attribute(let clause): .filter(clause)
        case .history(let clause): .filter(clause)
        case .contact(let clause): .filter(clause)
        case .bucket(let bucket): .filter(bucket)
        }
    }

    /// Every filter, in the order in which the dashboard offers them.
    static var filters: [any FilterSyntax.Type] {
        [
            AttributeClause.self, HistoryClause.self, ContactClause.self, SegmentSyntax.self, UsersFilter.self,
            RandomBucket.self,
        ]
    }

    /// Every way to write a filter, in the order in which the dashboard offers them.
    package static let filterShapes = filters.flatMap { $0.shapes }
}
