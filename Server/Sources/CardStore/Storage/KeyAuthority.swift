package import CardModel

/// The authority of a key over other keys, decided at the moment of the change.
///
/// A request is checked when it arrives; by the time that it is applied, the key that made it may have been revoked, or
/// the key that it is about may do more than before.
package enum KeyAuthority {
    /// Checks that whoever changes keys still may.
    ///
    /// - Parameters:
    ///   - actor: Who makes the change; only a key is limited by what it may do itself.
    ///   - keys: The keys as they are, and as they are to be.
    ///   - now: The time of the change.
    ///   - find: Reads a key in the transaction of the change.
    /// - Throws: `StoreError` with `conflict`, and what `find` throws.
    package static func check(
        _ actor: Actor,
        covers keys: [APIKey],
        at now: UnixTime,
        find: (_ id: String) throws -> APIKey?
    ) throws {
        guard case .key(let id) = actor else { return }
        guard let maker = try find(id), maker.works(at: now), keys.allSatisfy(maker.covers) else {
            throw StoreError(.conflict, "One of the keys was changed by another request. Read the keys, and try again.")
        }
    }
}
