extension StoreError {
    /// A call of a store that was closed.
    package static let closed = StoreError(.unavailable, "The store is closed. Open it again to use it.")

    /// Says that more reads wait than can be answered in time.
    package static let busy = StoreError(.unavailable, "Too many reads wait for the database. Try again in a moment.")

    /// Says that a database doesn't have a user any more, or not yet, as far as the caller's placement goes.
    package static let misplaced = StoreError(
        .unavailable,
        "The user is being moved to another database. Try again."
    )

    /// Whether the caller has to ask again which database has the user.
    package var isMisplaced: Bool { self == .misplaced }

    /// Says that a write that was tried for it isn't there.
    package static let lostWrite = StoreError(
        .unavailable,
        "What was written can't be read back. See `placard doctor`."
    )

    /// Says that a newer version has written the store.
    package static let newerVersion = StoreError(
        .incompatible,
        "The database was written by a newer version. Update this program, or go back to an older backup."
    )

    /// Says that another process copies to the same target.
    package static let copiedElsewhere = StoreError(
        .conflict,
        "Another process copies to the target. Wait until it has ended."
    )

    /// Something that the store itself wrote cannot be read back.
    package static func unreadable(_ what: String) -> StoreError {
        StoreError(.corrupt, "The database holds \(what) that cannot be read. `placard doctor --full` says what helps.")
    }

    /// Says which row can't be read: what it is, such as a campaign, and its id or name.
    package static func unreadable(_ kind: String, _ id: String) -> StoreError {
        StoreError(.corrupt, "The \(kind) “\(id.prefix(100))” can't be read. `placard doctor` says what helps.")
    }
}
