import CardModel
import Foundation
import JWTKit
import Synchronization

/// Checks that a device speaks for the user it names.
///
/// Checking a signature costs more than everything else in a sync, so a token that was found good is remembered until
/// it expires.
final class UserTokenVerifier: Sendable {
    private struct Claims: JWTPayload {
        let sub: SubjectClaim
        let exp: ExpirationClaim

        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    private struct Verified: Sendable {
        let user: String
        let expiresAt: UnixTime
    }

    private static let rememberedTokens = 20_000

    let mode: Settings.UserTokenMode
    private let keys: [JWTKeyCollection]
    private let verified = Mutex<[String: Verified]>([:])

    /// Takes the settings' keys; those that cannot be read were refused when they were set.
    init(_ settings: Settings) async {
        mode = settings.userTokens
        var keys: [JWTKeyCollection] = []
        for key in settings.publicKeys {
            if let collection = try? await Self.collection(of: key) { keys.append(collection) }
        }
        self.keys = keys
    }

    /// Checks that a key can be used.
    ///
    /// - Throws: `ModelError` where it is neither RSA of 2048 bits or more nor P-256.
    static func check(_ key: Settings.PublicKey, at path: String) async throws(ModelError) {
        do {
            _ = try await collection(of: key)
        } catch {
            throw ModelError(
                .fieldInvalid,
                at: path,
                "A public key in PEM is expected: RSA of 2048 bits or more, or P-256."
            )
        }
    }

    private static func collection(of key: Settings.PublicKey) async throws -> JWTKeyCollection {
        if let rsa = try? Insecure.RSA.PublicKey(pem: key.pem) {
            return await JWTKeyCollection().add(rsa: rsa, digestAlgorithm: .sha256)
        }
        return await JWTKeyCollection().add(ecdsa: try ES256PublicKey(pem: key.pem))
    }

    /// Checks the token of a request for a user.
    ///
    /// - Throws: `RequestError` with 401.
    func verify(_ token: String?, for user: UserID, at now: UnixTime) async throws(RequestError) {
        guard mode != .disabled else { return }
        guard let token else {
            if mode == .optional { return }
            throw RequestError(.unauthorized, "token_missing", "Send the user's token: Placard-User-Token.")
        }
        let found = try await claims(of: token, at: now)
        guard found.expiresAt > now else {
            throw RequestError(.unauthorized, "token_expired", "The user token has expired.")
        }
        guard found.user == user.rawValue else {
            throw RequestError(.unauthorized, "token_invalid", "The user token is another user's.")
        }
    }

    /// Whether a request may speak for a user without a signature having to be checked: because no token is asked for,
    /// or because this one was found good before.
    func accepts(_ token: String?, for user: UserID, at now: UnixTime) -> Bool {
        guard mode != .disabled else { return true }
        guard let token else { return mode == .optional }
        guard let known = verified.withLock({ $0[token] }) else { return false }
        return known.expiresAt > now && known.user == user.rawValue
    }

    private func claims(of token: String, at now: UnixTime) async throws(RequestError) -> Verified {
        if let known = verified.withLock({ $0[token] }) { return known }
        for collection in keys {
            guard let claims = try? await collection.verify(token, as: Claims.self) else { continue }
            let found = Verified(user: claims.sub.value, expiresAt: claims.exp.value.timeIntervalSince1970)
            remember(token, found, at: now)
            return found
        }
        throw RequestError(.unauthorized, "token_invalid", "The user token is not signed by a key of this workspace.")
    }

    private func remember(_ token: String, _ found: Verified, at now: UnixTime) {
        guard found.expiresAt > now else { return }
        verified.withLock { tokens in
            if tokens.count >= Self.rememberedTokens { tokens = tokens.filter { $0.value.expiresAt > now } }
            if tokens.count >= Self.rememberedTokens { tokens.removeAll(keepingCapacity: true) }
            tokens[token] = found
        }
    }
}
