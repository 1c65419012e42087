import CardModel
import HTTPTypes
import Hummingbird
import WireJSON

/// Says which key a request comes with, and whether it may.
struct Authenticator: Sendable {
    let catalog: CatalogCache

    /// Who makes a request, if they may do that.
    ///
    /// - Throws: `RequestError` with 401 where there is no such key, with 403 where it may not.
    @discardableResult
    func require(_ permission: Permission, _ headers: HTTPFields) throws(RequestError) -> Caller {
        let caller = if let member = Caller.member { member } else { try holder(of: headers) }
        guard caller.permits(permission) else {
            throw RequestError(
                .forbidden,
                "permission_denied",
                "This key may not do that; it needs the permission \(permission.rawValue)."
            )
        }
        return caller
    }

    private func holder(of headers: HTTPFields) throws(RequestError) -> Caller {
        guard let field = headers[.authorization] else {
            throw RequestError(.unauthorized, "key_missing", "Send an API key: Authorization: Bearer pk_… or sk_….")
        }
        guard let key = catalog.current.key(authorization: field) else {
            throw RequestError(.unauthorized, "key_invalid", "The API key is not known, or it was revoked.")
        }
        return Caller(key)
    }

    /// Whether a request comes with a key that may do that, remembering the last good one.
    func allows(
        _ permission: Permission,
        _ authorization: String?,
        _ snapshot: CatalogCache.Snapshot,
        _ memory: inout ShortcutMemory
    ) -> Bool {
        guard let authorization else { return false }
        if memory.judge === snapshot, memory.authorization?.hasSameBytes(as: authorization) == true { return true }
        guard let key = snapshot.key(authorization: authorization), key.permissions.contains(permission) else {
            return false
        }
        memory.authorization = authorization
        memory.judge = snapshot
        memory.key = BucketKey(.key, key.id)
        return true
    }
}

extension CatalogCache.Snapshot {
    /// The key that an `Authorization` header names, if it works.
    fileprivate func key(authorization: String) -> APIKey? {
        let scheme = authorization.prefix(7)
        guard scheme.utf8.count == 7, scheme.lowercased() == "bearer " else { return nil }
        return key(withSecret: authorization.dropFirst(7))
    }
}
