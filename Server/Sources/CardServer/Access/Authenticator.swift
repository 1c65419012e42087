import CardModel
import HTTPTypes
import Hummingbird

/// Says which key a request comes with, and whether it may.
struct Authenticator: Sendable {
    let catalog: CatalogCache

    /// The key of a request, if it may do that.
    ///
    /// - Throws: `RequestError` with 401 where there is no such key, with 403 where it may not.
    @discardableResult
    func require(_ permission: Permission, _ headers: HTTPFields) throws(RequestError) -> APIKey {
        guard let field = headers[.authorization] else {
            throw RequestError(.unauthorized, "key_missing", "Send an API key: Authorization: Bearer pk_… or sk_….")
        }
        let scheme = field.prefix(7)
        guard scheme.utf8.count == 7, scheme.lowercased() == "bearer ",
            let key = catalog.current.key(withSecret: field.dropFirst(7))
        else {
            throw RequestError(.unauthorized, "key_invalid", "The API key is not known, or it was revoked.")
        }
        guard key.permits(permission) else {
            throw RequestError(
                .forbidden,
                "permission_denied",
                "This key may not do that; it needs the permission \(permission.rawValue)."
            )
        }
        return key
    }
}
