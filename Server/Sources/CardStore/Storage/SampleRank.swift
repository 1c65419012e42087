package import CardModel

/// A user's place in an order that has nothing to do with who they are, by which samples are drawn.
package enum SampleRank {
    /// The number of places.
    package static let count: Int64 = 1 << 30
    /// The places below this are those of the users that `users_sample` holds: an eighth.
    ///
    /// Part of the index; a change needs a migration.
    package static let kept: Int64 = 1 << 27

    // safe: thirty bits
    package static func of(_ user: UserID) -> Int64 { Int64(StableHash.of("sample", user.rawValue) >> 34) }
}
