import CardModel
import CardStore

/// The right of a device to its live stream.
///
/// A stream may be open for days, so the right to it is checked for as long as it is open, and not only at its
/// beginning.
struct LiveGrant: Sendable {
    /// The SHA-256 of the key that opened the stream.
    var keyHash: [UInt8] = []
    /// The address that opened it, or `nil` where that isn't known.
    var address: IPAddress?
    /// The user token that came with the request.
    var token: String?
    /// The time at which the right ends unless something changes, in Unix seconds.
    var expiresAt = UnixTime.infinity
    /// The time at which the user was created, or `nil` where the store didn't know the user then.
    ///
    /// A user of the same id that was created at another time is another user.
    var userCreatedAt: UnixTime?
}

extension CatalogCache.Snapshot {
    /// Returns when a grant ends, or `nil` where it entitles to nothing any more.
    func expiry(of grant: LiveGrant, for user: UserID, at now: UnixTime) -> UnixTime? {
        guard let credential = credential(withHash: grant.keyHash), credential.key.permits(.device),
            credential.key.permits(grant.address), now < credential.expiresAt,
            let expiry = try? tokens.verify(grant.token, for: user, at: now)
        else { return nil }
        return min(expiry, credential.expiresAt)
    }
}

extension LiveHub {
    /// Ends the streams whose key or token is no longer good.
    func review(by snapshot: CatalogCache.Snapshot, at now: UnixTime) {
        let streams = state.withLock { state in
            state.streams.flatMap { user, streams in streams.values.map { (user, $0) } }
        }
        for (user, stream) in streams {
            if let expiry = snapshot.expiry(of: stream.grant, for: user, at: now) {
                renew(stream, until: expiry)
            } else {
                stream.end()
            }
        }
    }

    /// Takes over until when the right to a stream lasts.
    func renew(_ stream: LiveSubscription, until expiry: UnixTime) {
        stream.renew(until: expiry)
        state.withLock { $0.firstExpiry = min($0.firstExpiry, expiry) }
    }

    /// Ends the streams whose right has ended by itself.
    func endExpired(at now: UnixTime) {
        let expired = state.withLock { state -> [LiveSubscription] in
            guard state.firstExpiry <= now else { return [] }
            var expired: [LiveSubscription] = []
            state.firstExpiry = .infinity
            for stream in state.streams.values.lazy.flatMap(\.values) {
                let expiry = stream.grant.expiresAt
                if expiry <= now { expired.append(stream) } else { state.firstExpiry = min(state.firstExpiry, expiry) }
            }
            return expired
        }
        for stream in expired { stream.end() }
    }

    /// Ends the streams of a user who is gone.
    func end(_ user: UserID) {
        for stream in streams(of: user) { stream.end() }
    }

    /// Returns whether a stream was opened for a user that the store didn't know then.
    func expectsCreation(of user: UserID) -> Bool {
        streams(of: user).contains { $0.grant.userCreatedAt == nil }
    }

    /// Ends the streams whose users are gone, or were replaced by others of the same id.
    ///
    /// It is for changes that were not told one by one, such as those of another process. One that can't be looked for
    /// is looked for again by ``reviewAgain(by:at:)``.
    ///
    /// - Throws: What kept the store from reading.
    func review(by store: any CardStore) async throws {
        try await review(state.withLock { Array($0.streams.keys) }, asking: Self.question(to: store))
    }

    /// Looks again for the users who couldn't be, and ends their streams once that has failed too often: whether they
    /// are still entitled to them can't be told, and a device opens another one.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - now: The time; nothing is done before the next attempt is due.
    /// - Throws: What kept the store from reading.
    func reviewAgain(by store: any CardStore, at now: UnixTime) async throws {
        let (due, over) = state.withLock { $0.unreviewed.take(at: now) }
        for user in over { end(user) }
        try await review(due, asking: Self.question(to: store))
    }

    /// Looks for users one after another, until too many of them can't be looked for; the others are then looked for
    /// again with those.
    func review(_ users: [UserID], asking creation: (UserID) async throws -> UnixTime?) async throws {
        var pass = ReviewPass()
        var failure: (any Error)?
        var rest = users[...]
        while !pass.isOver, let user = rest.popFirst() {
            do {
                if try await review(user, asking: creation) { pass.noteAnswer() }
            } catch {
                failure = error
                pass.noteFailure()
            }
        }
        let (left, isStoreAway) = (rest, pass.isStoreAway)
        if !left.isEmpty {
            state.withLock { state in
                for user in left {
                    if isStoreAway { state.unreviewed.note(user) } else { state.unreviewed.postpone(user) }
                }
            }
        }
        if let failure { throw failure }
    }

    /// Ends the streams of one user who is gone, or was replaced by another of the same id.
    func review(_ user: UserID, by store: any CardStore) async throws {
        _ = try await review(user, asking: Self.question(to: store))
    }

    /// Returns whether it was asked for the user, who has no stream otherwise.
    private func review(_ user: UserID, asking creation: (UserID) async throws -> UnixTime?) async throws -> Bool {
        let streams = streams(of: user)
        guard !streams.isEmpty else {
            state.withLock { $0.unreviewed.forget(user) }
            return false
        }
        let createdAt: UnixTime?
        do {
            createdAt = try await creation(user)
        } catch {
            state.withLock { $0.unreviewed.note(user) }
            throw error
        }
        for stream in streams where !stream.isOfUser(createdAt: createdAt) { stream.end() }
        state.withLock { $0.unreviewed.forget(user) }
        return true
    }

    /// Returns the question when a user was created.
    private static func question(to store: any CardStore) -> (UserID) async throws -> UnixTime? {
        { try await store.userRevision(of: $0)?.createdAt }
    }
}
