import CardModel
import CardStore
import HTTPTypes
import Hummingbird
import WireJSON

/// Says which key a request comes with, and whether it may.
struct Authenticator: Sendable {
    let catalog: CatalogCache
    /// The time now, in Unix seconds.
    let clock: @Sendable () -> UnixTime
    let uses = KeyUses()
    /// Notes who reads personal data.
    let reads: ReadAudit

    /// Creates an authenticator over a store and what is read of it.
    init(catalog: CatalogCache, store: any CardStore, clock: @escaping @Sendable () -> UnixTime) {
        self.catalog = catalog
        self.clock = clock
        reads = ReadAudit(store: store, clock: clock)
    }

    /// Returns who has the key of a request, if they may do that.
    ///
    /// - Parameters:
    ///   - permission: What they want to do.
    ///   - headers: The request's headers.
    ///   - address: Where the request comes from, or `nil` where that isn't known.
    /// - Returns: The key's holder.
    /// - Throws: `RequestError` with 401 where there is no such key, with 403 where it isn't allowed to.
    @discardableResult
    func require(
        _ permission: Permission,
        _ headers: HTTPFields,
        from address: IPAddress?
    ) throws(RequestError) -> Caller {
        let caller = try holder(of: headers, from: address)
        try caller.require(permission)
        return caller
    }

    /// Returns whether a caller may still do what was permitted when their request began.
    ///
    /// An answer may take hours to be read, so the right to it is checked for as long as it lasts. The right of a
    /// member is that of their session, which the dashboard checks.
    func stillPermits(_ permission: Permission, _ caller: Caller) -> Bool {
        guard caller.key != nil else { return true }
        guard let credential = catalog.current.credential(withHash: caller.keyHash) else { return false }
        return clock() < credential.expiresAt && credential.key.permits(permission)
            && credential.key.permits(caller.address)
    }

    /// Returns who has the key of a request.
    ///
    /// - Throws: `RequestError` with 401 where there is no such key, with 403 where it isn't for that address.
    func holder(of headers: HTTPFields, from address: IPAddress?) throws(RequestError) -> Caller {
        guard let field = headers[.authorization] else {
            throw RequestError(.unauthorized, "key_missing", "Send an API key: Authorization: Bearer pk_… or sk_….")
        }
        let snapshot = catalog.current
        guard let credential = snapshot.credential(authorization: field) else {
            // Whoever has a key tries again; a 401 would make them give it up.
            guard snapshot.areKeysKnown else { throw RequestError.unavailable }
            throw RequestError(.unauthorized, "key_invalid", "The API key is not known, or it was revoked.")
        }
        let now = clock()
        guard now < credential.expiresAt else {
            throw RequestError(.unauthorized, "key_expired", "The API key has expired. Create or rotate a key.")
        }
        guard credential.key.permits(address) else {
            throw RequestError(
                .forbidden,
                "address_not_allowed",
                "This key isn't allowed to be used from this address."
            )
        }
        uses.note(credential.key.id, at: now)
        return Caller(credential, from: address)
    }

    /// Whether a request comes with a key that may do that, remembering the last good one.
    ///
    /// A key that is bound to addresses is left to ``require(_:_:from:)``.
    func allows(
        _ permission: Permission,
        _ authorization: String?,
        _ snapshot: CatalogCache.Snapshot,
        at now: UnixTime,
        _ memory: inout ShortcutMemory
    ) -> Bool {
        guard let authorization else { return false }
        if memory.snapshot != snapshot.number || memory.authorization?.hasSameBytes(as: authorization) != true {
            guard let credential = snapshot.credential(authorization: authorization),
                credential.key.permissions.contains(permission), credential.key.allowedAddresses.isEmpty
            else { return false }
            memory.authorization = authorization
            memory.snapshot = snapshot.number
            memory.keyID = credential.key.id
            memory.key = BucketKey(.key, credential.key.id)
            memory.keyExpiresAt = credential.expiresAt
            memory.keyNotedAt = -.infinity
        }
        guard now < memory.keyExpiresAt else { return false }
        if abs(now - memory.keyNotedAt) >= KeyUses.interval {
            memory.keyNotedAt = now
            uses.note(memory.keyID, at: now)
        }
        return true
    }
}

extension CatalogCache.Snapshot {
    /// The key that an `Authorization` header names, if it wasn't revoked.
    fileprivate func credential(authorization: String) -> KeyCredential? {
        let scheme = authorization.prefix(7)
        guard scheme.utf8.count == 7, scheme.lowercased() == "bearer " else { return nil }
        return credential(withHash: KeySecret.hash(authorization.dropFirst(7)))
    }
}
