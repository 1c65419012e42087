/// The number of content types, and their size in bytes.
package struct ContentTypesSize: Sendable {
    /// The number of content types.
    package let count: Int64
    /// The bytes of their JSON.
    package let bytes: Int64

    /// Creates a size.
    package init(count: Int64, bytes: Int64) { (self.count, self.bytes) = (count, bytes) }

    /// Throws where there are more than there may be; what was there before may stay.
    ///
    /// - Parameter before: The size before a change.
    /// - Throws: `StoreError.limitReached`.
    package func check(after before: Self) throws(StoreError) {
        if count > before.count { try WorkspaceLimit.contentTypes.check(count, adding: 0) }
        if bytes > before.bytes { try WorkspaceLimit.contentTypeSchemas.check(bytes, adding: 0) }
    }
}
