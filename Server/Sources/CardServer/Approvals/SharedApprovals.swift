import CardModel
import CardStore
import WireJSON

/// What campaigns share: a change of it is a change of each of them, and no way around an approval.
extension Services {
    /// Throws where a change of a segment changes campaigns that users have, or what others are asked to approve, and the
    /// caller needs an approval for that.
    func checkApproval(ofSegment id: SegmentID, by caller: Caller) async throws {
        guard try approvals.isNeeded(by: caller) else { return }
        let source = catalog.current.source
        func isNamed(by audience: Audience) -> Bool { audience.reaches(id, through: source.segments) }
        let audiences = source.campaigns.filter(\.hasReachedUsers).map(\.content.audience)
        if (audiences + source.broadcasts.map(\.audience)).contains(where: isNamed) {
            throw RequestError.approvalRequired(forShared: "segment")
        }
        if try await contentsThatWait(needing: "segment").contains(where: { isNamed(by: $0.audience) }) {
            throw RequestError.approvalWaits(forShared: "segment")
        }
    }

    /// Throws where content blocks are in campaigns that users have, or in what others are asked to approve, and the caller
    /// needs an approval to change those.
    func checkApprovalOfContentBlocks(by caller: Caller) async throws {
        guard try approvals.isNeeded(by: caller) else { return }
        // Which blocks a card shows may depend on the user, and blocks name others: any may be meant.
        func names(_ content: String) -> Bool { content.utf8.firstRange(of: "content_blocks".utf8) != nil }
        if catalog.current.source.campaigns.contains(where: { $0.hasReachedUsers && names($0.storedContent) }) {
            throw RequestError.approvalRequired(forShared: "content block")
        }
        if try await contentsThatWait(needing: "content block").contains(where: {
            names(JSONValue.object($0.json).text)
        }) {
            throw RequestError.approvalWaits(forShared: "content block")
        }
    }

    /// The content of every request that waits.
    private func contentsThatWait(needing what: String) async throws -> [Campaign.Content] {
        let most = 1_000
        let waiting = try await store.pendingApprovals(limit: most)
        // More wait than can be looked at: what is beyond may need it.
        guard waiting.count < most else { throw RequestError.approvalWaits(forShared: what) }
        var contents: [Campaign.Content] = []
        for approval in waiting {
            switch approval.change {
            case .edit(let content): contents.append(content)
            case .launch:
                if let campaign = try await store.campaign(approval.campaign) { contents.append(campaign.content) }
            }
        }
        return contents
    }
}
