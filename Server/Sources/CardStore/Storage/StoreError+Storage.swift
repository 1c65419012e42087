extension StoreError {
    /// A call of a store that was closed.
    package static let closed = StoreError(.unavailable, "The store is closed. Open it again to use it.")

    /// Something that the store itself wrote cannot be read back.
    package static func unreadable(_ what: String) -> StoreError {
        StoreError(.corrupt, "The database holds \(what) that cannot be read. `placard doctor --full` says what helps.")
    }

    /// Says which row can't be read: what it is, such as a campaign, and its id or name.
    package static func unreadable(_ kind: String, _ id: String) -> StoreError {
        StoreError(.corrupt, "The \(kind) “\(id.prefix(100))” can't be read. `placard doctor` says what helps.")
    }
}
