package import CardModel

/// An error of a store.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: String, Sendable {
        /// There is no such thing.
        case notFound
        /// There is such a thing already.
        case exists
        /// It was changed in the meantime.
        case conflict
        /// The disk is full or cannot be written.
        case diskFull
        /// The store is of a newer version of the software, or another program wrote it.
        case incompatible
        /// The store is busy, closed or out of reach; trying again may help.
        case unavailable
        /// The data is damaged.
        case corrupt
        /// The secrets in it can't be decrypted: their key is missing, or another one was given.
        case locked
        /// A device would bring back a user who was deleted.
        case erased
        /// There would be more of something than is kept.
        case limitReached
    }

    /// Says that a device would bring back a user who was deleted.
    public static let erased = StoreError(
        .erased,
        "This user was deleted. A backend can create the user again: PATCH /v1/users/{id} or POST /users/track."
    )

    /// Says that settings were changed since they were read.
    public static let settingsChanged = StoreError(
        .conflict,
        "The settings were changed since they were read. Read them again, and change those."
    )

    /// Says that the webhook was changed since it was read.
    public static let webhookChanged = StoreError(
        .conflict,
        "The webhook was changed since it was read. Read it again, and change that."
    )

    /// Says that the catalog was changed since something was checked with it.
    public static let catalogChanged = StoreError(
        .conflict,
        "Campaigns or what they are made of were changed at the same time. Try again."
    )
    /// Says that a segment would be part of itself, by others that were saved at the same time.
    public static let segmentCycle = StoreError(
        .conflict,
        "Segments were changed at the same time, and this one would be part of itself."
    )

    /// The kind of failure.
    public let code: Code
    /// The message that says what happened and what to do, without any user's data.
    public let message: String
    /// The user of another database that a call is about by now, since theirs was merged into that one; `nil` for any
    /// other error.
    package let departedIdentity: UserID?

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
        departedIdentity = nil
    }

    private init(departedTo identity: UserID) {
        code = .unavailable
        message = "The user was merged into one of another database. Try again."
        departedIdentity = identity
    }

    /// Says that a user was merged into one of another database, who gets the events by now.
    package static func departed(to identity: UserID) -> StoreError { StoreError(departedTo: identity) }

    /// The message.
    public var description: String { message }
}
