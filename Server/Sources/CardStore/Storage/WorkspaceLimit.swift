import CardModel

/// The maximum number of what every catalog and every list has to hold.
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

    /// Content types, which are all on one page.
    package static let contentTypes = WorkspaceLimit(
        count: 500,
        message: "A workspace has at most 500 content types. Publish new fields of one that is there."
    )
    /// Bytes of JSON of all content types.
    package static let contentTypeSchemas = WorkspaceLimit(
        count: 1 << 20,
        message: "All content types have at most 1 MiB together. Publish fewer fields."
    )

    /// Bytes of JSON of all campaigns that were launched, which are in the memory of every node.
    package static let launchedContents = WorkspaceLimit(
        count: 128 << 20,
        message: "The campaigns that were launched have at most 128 MiB in all. Shorten the audiences of large ones."
    )
    /// Bytes of JSON of all segments, which are in the memory of every node, and are read for each change of one.
    package static let segmentContents = WorkspaceLimit(
        count: 16 << 20,
        message: "All segments have at most 16 MiB together. Shorten the lists of large ones."
    )
    /// API keys that weren't revoked.
    package static let keys = WorkspaceLimit(
        count: 1_000,
        message: "A workspace has at most 1,000 API keys. Revoke one that isn't used."
    )
    /// API keys that were revoked and are still listed; of more, those revoked the longest ago are removed.
    package static let revokedKeys = 200

    /// The maximum number.
    package let count: Int64
    private let message: String

    private init(count: Int64, message: String) { (self.count, self.message) = (count, message) }

    /// Throws where there is no room for more.
    ///
    /// - Parameters:
    ///   - present: How many there are.
    ///   - added: How many are added.
    /// - Throws: `StoreError.limitReached`.
    package func check(_ present: Int64, adding added: Int64 = 1) throws(StoreError) {
        let (sum, overflows) = present.addingReportingOverflow(added)
        guard !overflows, sum <= count else { throw StoreError(.limitReached, message) }
    }
}

extension Campaign {
    /// Returns the bytes by which the contents of launched campaigns grow where the campaign is saved.
    ///
    /// - Parameter old: The campaign as it is stored, or `nil` for a new one.
    /// - Returns: The bytes; 0 where they don't grow.
    package func launchedGrowth(from old: Campaign?) -> Int64 {
        guard launchedAt != nil else { return 0 }
        guard let old, old.launchedAt != nil else { return Int64(storedContent.utf8.count) }
        // Nothing is written as JSON for a campaign that is only paused.
        guard content != old.content else { return 0 }
        return WorkspaceLimit.growth(of: storedContent, from: old.storedContent)
    }
}

extension Segment {
    /// Returns the bytes by which the contents of segments grow where the segment is saved.
    ///
    /// - Parameter old: The segment as it is stored, or `nil` for a new one.
    /// - Returns: The bytes; 0 where they don't grow.
    package func growth(from old: Segment?) -> Int64 {
        content == old?.content ? 0 : WorkspaceLimit.growth(of: storedContent, from: old?.storedContent ?? "")
    }
}

extension WorkspaceLimit {
    fileprivate static func growth(of content: String, from old: String) -> Int64 {
        max(0, Int64(content.utf8.count) - Int64(old.utf8.count))
    }
}
