extension StandardAttribute {
    /// The attributes by which a person can be recognized.
    public static let identifying: Set<StandardAttribute> = [
        .firstName, .lastName, .email, .phone, .dateOfBirth, .biography, .imageURL,
    ]
}

extension Audience {
    /// Returns whether a condition is about who a user is: one that lists users, or compares an id or an attribute by
    /// which a person can be recognized.
    ///
    /// Whoever counts the users of such an audience learns something of a single person: one that combines an id with
    /// any other condition has one user or none.
    ///
    /// - Parameter segments: The audiences of all saved segments.
    /// - Returns: Whether any condition is.
    public func identifiesUsers(in segments: [SegmentID: Audience]) -> Bool {
        var seen: Set<SegmentID> = []
        return identifiesUsers(in: segments, &seen)
    }

    private func identifiesUsers(in segments: [SegmentID: Audience], _ seen: inout Set<SegmentID>) -> Bool {
        switch self {
        case .users: return true
        case .attribute(let clause): return clause.name.identifiesUsers
        case .all(let branches), .any(let branches), .none(let branches):
            for branch in branches where branch.identifiesUsers(in: segments, &seen) { return true }
            return false
        case .segment(let id):
            guard seen.insert(id).inserted else { return false }
            return segments[id]?.identifiesUsers(in: segments, &seen) ?? false
        case .everyone, .history, .contact, .bucket: return false
        }
    }
}

extension AttributeClause.Name {
    /// Whether the attribute says who a user is.
    public var identifiesUsers: Bool {
        switch self {
        case .standard(let attribute): StandardAttribute.identifying.contains(attribute)
        case .system(let attribute): attribute == .userID
        case .custom: false
        }
    }
}
