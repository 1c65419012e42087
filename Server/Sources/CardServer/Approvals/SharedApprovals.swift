import CardModel
import CardStore
import WireJSON

/// The approvals of what campaigns share: a change of it is a change of each of them, and no way around an approval.
extension Services {
    /// Throws where a change of a segment changes campaigns that users have, or what others are asked to approve, and
    /// the caller needs an approval for that.
    func checkApproval(ofSegment id: SegmentID, by caller: Caller) async throws {
        guard try approvals.isNeeded(by: caller) else { return }
        let source = try await catalog.latest().source
        func isNamed(by audience: Audience) -> Bool { audience.reaches(id, through: source.segments) }
        let audiences = source.campaigns.filter(\.hasReachedUsers).map(\.content.audience)
        if (audiences + source.broadcasts.map(\.audience)).contains(where: isNamed) {
            throw RequestError.approvalRequired(forShared: "segment")
        }
        if try await isAwaited({ isNamed(by: $0.audience) }) { throw RequestError.approvalWaits(forShared: "segment") }
    }

    /// Throws where content blocks are in campaigns that users have, or in what others are asked to approve, and the
    /// caller needs an approval to change those.
    func checkApprovalOfContentBlocks(by caller: Caller) async throws {
        guard try approvals.isNeeded(by: caller) else { return }
        // Which blocks a card shows may depend on the user, and blocks name others: any may be meant.
        func names(_ content: String) -> Bool { content.utf8.firstRange(of: "content_blocks".utf8) != nil }
        let campaigns = try await catalog.latest().source.campaigns
        if campaigns.contains(where: { $0.hasReachedUsers && names($0.storedContent) }) {
            throw RequestError.approvalRequired(forShared: "content block")
        }
        if try await isAwaited({ names(JSONValue.object($0.json).text) }) {
            throw RequestError.approvalWaits(forShared: "content block")
        }
    }

    /// Whether the content of a request that waits is one of those.
    private func isAwaited(_ isMeant: (Campaign.Content) -> Bool) async throws -> Bool {
        var isFound = false
        try await store.forEachPendingApproval { approval in
            guard !isFound else { return }
            switch approval.change {
            case .edit(let content): isFound = isMeant(content)
            case .launch:
                if let campaign = try await store.campaign(approval.campaign) { isFound = isMeant(campaign.content) }
            }
        }
        return isFound
    }
}
