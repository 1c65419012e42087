import CardModel
import Crypto
import Synchronization
import WireJSON

/// Checks that a device speaks for the user it names.
///
/// Checking a signature costs more than everything else in a sync, so a token that was found good is remembered until
/// it expires, and one that nobody of the workspace signed is remembered for a while.
final class UserTokenVerifier: Sendable {
    private struct Verified: Sendable {
        let user: UserID
        let expiresAt: UnixTime
        /// Whether a key of the set signed it.
        let isOfSet: Bool
    }

    private struct Memory {
        var verified: [ByteString: Verified] = [:]
        /// The size of the tokens that were found good, in bytes.
        var bytes = 0
        /// The hashes of tokens that no key signed.
        var refused: Set<[UInt8]> = []
    }

    private static let rememberedBytes = 16 << 20
    private static let rememberedRefusals = 4_096

    let mode: Settings.UserTokenMode
    private let rules: Settings.TokenRules
    private let keys: [UserTokenKey]
    private let keySetURL: String?
    private let keySetWatch: KeySetWatch
    private let memory = Mutex(Memory())

    /// Takes the settings' keys; those that cannot be read were refused when they were set.
    init(_ settings: Settings, keySetWatch: KeySetWatch = KeySetWatch()) {
        self.keySetWatch = keySetWatch
        mode = settings.userTokens
        keySetURL = settings.keySetURL
        rules = settings.tokenRules
        keys =
            settings.publicKeys.compactMap { try? UserTokenKey($0) }
            + (settings.keySet?.keys ?? []).compactMap { try? UserTokenKey($0) }
    }

    /// Checks that the keys of settings in PEM can be used.
    ///
    /// - Throws: `ModelError` where one in PEM is neither RSA of 2048 to 8192 bits nor P-256.
    static func checkKeys(of settings: Settings) throws(ModelError) {
        for (index, key) in settings.publicKeys.enumerated() where (try? UserTokenKey(key)) == nil {
            throw ModelError(
                .fieldInvalid,
                at: "public_keys[\(index)].pem",
                "A public key in PEM is expected: RSA of 2048 to 8192 bits, or P-256."
            )
        }
    }

    /// Returns a set without the keys that can't be used.
    ///
    /// - Parameters:
    ///   - set: The set.
    ///   - unused: Gets a line for each key that is left out.
    /// - Returns: The set.
    /// - Throws: `ModelError` where no key is left.
    static func usable(_ set: JSONWebKeySet, unused: inout [String]) throws(ModelError) -> JSONWebKeySet {
        try set.leavingOut(at: "jwks", unused: &unused) { key in
            (try? UserTokenKey(key)) == nil ? "it is neither RSA of 2048 to 8192 bits nor a point of P-256" : nil
        }
    }

    /// Checks the token of a request for a user.
    ///
    /// - Returns: When the token expires; infinity where the request is accepted without one.
    /// - Throws: `RequestError` with 401, and with 503 where the keys are too old to tell.
    @discardableResult
    func verify(_ token: String?, for user: UserID, at now: UnixTime) throws(RequestError) -> UnixTime {
        guard mode != .disabled else { return .infinity }
        guard let token else {
            if mode == .optional { return .infinity }
            throw RequestError(.unauthorized, "token_missing", "Send the user's token: Placard-User-Token.")
        }
        let found = try verified(token, at: now)
        guard found.expiresAt > now else {
            throw RequestError(.unauthorized, "token_expired", "The user token has expired.")
        }
        guard found.user == user else {
            throw RequestError(.unauthorized, "token_invalid", "The user token is another user's.")
        }
        return found.expiresAt
    }

    /// Whether a request may speak for a user without a signature having to be checked: because no token is asked for,
    /// or because this one was found good before.
    func accepts(_ token: String?, for user: UserID, at now: UnixTime) -> Bool {
        guard mode != .disabled else { return true }
        guard let token else { return mode == .optional }
        guard let known = memory.withLock({ $0.verified[ByteString(token)] }) else { return false }
        return known.expiresAt > now && known.user == user && !(known.isOfSet && isOutdated(at: now))
    }

    /// Whether the keys of the set were fetched too long ago.
    private func isOutdated(at now: UnixTime) -> Bool {
        keySetURL.map { keySetWatch.isOutdated($0, at: now) } ?? false
    }

    private func verified(_ text: String, at now: UnixTime) throws(RequestError) -> Verified {
        if let known = memory.withLock({ $0.verified[ByteString(text)] }) {
            guard !known.isOfSet || !isOutdated(at: now) else { throw .tokenKeysOutdated }
            return known
        }
        guard let token = try? UserToken(text) else {
            throw RequestError(.unauthorized, "token_invalid", "The user token is not a JWT that can be used.")
        }
        // Before the signature, which is dear; what is said here helps nobody who cannot sign.
        guard token.claims.expiresAt > now else {
            throw RequestError(.unauthorized, "token_expired", "The user token has expired.")
        }
        let signer = signer(of: token, text)
        // A key that came since then may have signed it, and one that signed it may be revoked.
        guard signer?.isOfSet == false || !isOutdated(at: now) else { throw .tokenKeysOutdated }
        guard let signer else {
            throw RequestError(
                .unauthorized,
                "token_invalid",
                "The user token is not signed by a key of this workspace."
            )
        }
        guard token.claims.agree(with: rules, at: now) else {
            throw RequestError(
                .unauthorized,
                "token_invalid",
                "The user token's nbf, iat, iss, aud or lifetime is not what the settings ask for."
            )
        }
        let found = Verified(
            user: UserID(rawValue: token.claims.subject),
            expiresAt: token.claims.expiresAt,
            isOfSet: signer.isOfSet
        )
        remember(text, found, at: now)
        return found
    }

    /// The key of the workspace that signed the token, or `nil`: the one that it names, or any of the right kind
    /// that has no name or is not asked for by one.
    private func signer(of token: UserToken, _ text: String) -> UserTokenKey? {
        if let name = token.keyID, !keys.contains(where: { $0.id.hasSameBytes(as: name) }) { keySetWatch.raise() }
        let candidates = keys.filter { key in
            key.fits(token) && (key.id.isEmpty || token.keyID.map { key.id.hasSameBytes(as: $0) } ?? true)
        }
        guard !candidates.isEmpty else { return nil }
        let hash = Array(SHA256.hash(data: Array(text.utf8)))
        guard memory.withLock({ !$0.refused.contains(hash) }) else { return nil }
        if let signer = candidates.first(where: { $0.verifies(token) }) { return signer }
        memory.withLock { memory in
            if memory.refused.count >= Self.rememberedRefusals { memory.refused = [] }
            memory.refused.insert(hash)
        }
        return nil
    }

    // safe: at most the limit and one token, which came in a header
    private func remember(_ token: String, _ found: Verified, at now: UnixTime) {
        memory.withLock { memory in
            if memory.bytes + token.utf8.count > Self.rememberedBytes {
                memory.verified = memory.verified.filter { $0.value.expiresAt > now }
                memory.bytes = memory.verified.keys.reduce(0) { $0 + $1.text.utf8.count }
            }
            if memory.bytes + token.utf8.count > Self.rememberedBytes { memory = Memory() }
            if memory.verified.updateValue(found, forKey: ByteString(token)) == nil { memory.bytes += token.utf8.count }
        }
    }
}
