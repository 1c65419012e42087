/// How many there are at most of what every catalog and every list has to hold.
///
/// Campaigns and segments that are archived count: they stay, and can be restored.
package struct WorkspaceLimit: Sendable {
    /// Campaigns, of any status.
    package static let campaigns = WorkspaceLimit(
        count: 100_000,
        message: "A workspace has at most 100,000 campaigns. Change one that is archived, or open another workspace."
    )
    /// Segments, archived ones too.
    package static let segments = WorkspaceLimit(
        count: 20_000,
        message: "A workspace has at most 20,000 segments. Change one that is archived."
    )
    /// Content blocks, which are all in the memory of every node.
    package static let contentBlocks = WorkspaceLimit(
        count: 1_000,
        message: "A workspace has at most 1,000 content blocks. Delete one that no campaign uses."
    )

    /// How many there are at most.
    package let count: Int64
    private let message: String

    private init(count: Int64, message: String) { (self.count, self.message) = (count, message) }

    /// Throws where there is no room for another one.
    ///
    /// - Parameter present: How many there are.
    /// - Throws: `StoreError.limitReached`.
    package func check(_ present: Int64) throws(StoreError) {
        guard present < count else { throw StoreError(.limitReached, message) }
    }
}
