import WireJSON

/// The writes of a store when a user is gone, because they were deleted or became one with another.
///
/// The store removes what it has of a deleted user: profile, aliases, cards, history, triggers, conversions, counted
/// purchases, events, and the place among the saved test users. What a merge leaves with the other user is in
/// ``MergeWrites``. Counts of reports stay as they are, since they are about nobody.
public struct UserEnd: Sendable, Hashable {
    /// The user that succeeds a user after the end.
    public enum Successor: Sendable, Hashable {
        /// Nobody: the user was deleted, and so were those who had become this user.
        case none
        /// The user they were merged into, and those who had become this user with them.
        case user(UserID)
    }

    /// The user.
    public let user: UserID
    /// The user's successor.
    public let successor: Successor
    /// The time at which the user ended, in Unix seconds: never before they began, even where the clock was set back in
    /// between.
    public let at: UnixTime
    /// The notice for the webhook, where it asks for that.
    public let notice: Notice
    /// The action in the audit log, whose subject is a pseudonym, or `nil` where no entry is made.
    public let auditAction: String?

    /// A notice that the store has yet to number.
    public struct Notice: Sendable, Hashable {
        /// Whether the user was deleted or merged.
        public let kind: WebhookNotice.NoticeKind
        /// The other details of the notice.
        public let details: JSONValue
        /// The time at which it happened, in Unix seconds.
        public let at: UnixTime
    }

    /// Returns when a user ended who had been merged into this one.
    ///
    /// They are gone since their own merge. A later end counts, so that nobody of their id seems to be the same user.
    ///
    /// - Parameter merge: When they were merged.
    /// - Returns: The later of the two ends for a deletion, and the merge for a merge.
    public func end(ofMergedAt merge: UnixTime) -> UnixTime { successor == .none ? max(at, merge) : merge }
}

extension Recorder {
    /// Decides what is left of a user who is deleted.
    ///
    /// - Parameters:
    ///   - profile: The user.
    ///   - aliases: The user's aliases, in any order.
    ///   - now: The time.
    /// - Returns: What to write; the store removes the rest.
    public func delete(_ profile: UserProfile, aliases: [UserAlias], at now: UnixTime) -> UserEnd {
        // A user has one alias of a label.
        let sorted = aliases.sorted { ByteString($0.label) < ByteString($1.label) }
        return UserEnd(
            user: profile.id,
            successor: .none,
            at: max(now, profile.createdAt),
            notice: UserEnd.Notice(
                kind: .userDeleted,
                details: ["aliases": .array(sorted.map(\.json))],
                at: now
            ),
            auditAction: "user.delete"
        )
    }

    /// Decides when a user begins whose id others had before.
    ///
    /// A cursor tells two users of one id by when they were created, so the times differ in every case.
    ///
    /// - Parameters:
    ///   - creation: When the user was created by the clock, in Unix seconds.
    ///   - ends: When those of the same id ended.
    /// - Returns: The time, after each of the ends.
    public func beginning(of creation: UnixTime, after ends: [UnixTime]) -> UnixTime {
        ends.reduce(creation) { max($0, $1 + 0.001) }
    }
}

extension UserEnd {
    /// Creates the end of a user who is merged into another.
    init(merging profile: UserProfile, into identity: UserID, at now: UnixTime) {
        self.init(
            user: profile.id,
            successor: .user(identity),
            at: max(now, profile.createdAt),
            notice: Notice(kind: .userMerged, details: ["merged_into": .string(identity.rawValue)], at: now),
            auditAction: nil
        )
    }
}

extension UserAlias {
    /// The alias as backends read and write it.
    package var json: JSONValue { ["alias_name": .string(name), "alias_label": .string(label)] }
}
