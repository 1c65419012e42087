public import CardModel

/// Keeps requests for another member's approval.
///
/// At most one request of a campaign waits at a time. A request is about one version of its campaign: a store approves
/// it, and makes the change, in one transaction that has compared that version. Requests are kept as long as their
/// campaign, the last ``CardModel/Approval/kept`` of each.
public protocol ApprovalStore: Sendable {
    /// Reads one request, or returns `nil`.
    func approval(_ id: String) async throws -> Approval?

    /// Reads the requests of a campaign, the newest first: `limit` at most, 1 to 1000, after passing over `offset`.
    func approvals(of campaign: CampaignID, limit: Int, offset: Int) async throws -> [Approval]

    /// Reads the requests that wait, the oldest first: `limit` at most, 1 to 1000, after passing over `offset`.
    ///
    /// Those whose campaign was changed since are left out.
    func pendingApprovals(limit: Int, offset: Int) async throws -> [Approval]

    /// Returns which of some campaigns have a request that waits and isn't outdated.
    func campaignsAwaitingApproval(among campaigns: [CampaignID]) async throws -> Set<CampaignID>

    /// Adds a request that waits; an earlier one that waits is replaced where it is outdated or of the same actor.
    ///
    /// - Throws: `StoreError.notFound` where there is no such campaign, `conflict` where it has another version,
    ///   `exists` where a request of another actor waits for that version.
    func insertApproval(_ approval: Approval, by actor: Actor) async throws

    /// Adds a comment to a request that waits.
    ///
    /// - Returns: The request as it is now.
    /// - Throws: `StoreError.notFound`; `conflict` where it waits no longer; `limitReached` beyond
    ///   ``CardModel/Approval/Comment/limit`` comments.
    func addApprovalComment(_ text: String, to id: String, at now: UnixTime, by actor: Actor) async throws -> Approval

    /// Rejects a request that waits, or takes it back, with a comment if there is one.
    ///
    /// - Returns: The request as it is now.
    /// - Throws: `StoreError.notFound`; `conflict` where it waits no longer, where whoever rejects it is no
    ///   administrator or has asked for it, or where whoever takes it back hasn't asked for it.
    func closeApproval(
        _ id: String,
        as closing: ApprovalClosing,
        comment: String?,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> Approval

    /// Approves a request, and saves the campaign as it asks for.
    ///
    /// - Parameters:
    ///   - id: The request.
    ///   - campaign: The campaign as it is to be.
    ///   - comment: What is said about it, or `nil`.
    ///   - now: The moment.
    ///   - actor: Who approves it.
    /// - Returns: The campaign as saved.
    /// - Throws: `StoreError.notFound`; `conflict` where it waits no longer, where the campaign was changed since, or
    ///   where whoever approves it is no administrator or has asked for it.
    func approve(
        _ id: String,
        saving campaign: Campaign,
        comment: String?,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> Campaign
}

/// The end of a request without its change being made.
public enum ApprovalClosing: String, Sendable {
    /// Another member decides against it.
    case reject
    /// Whoever asked takes it back.
    case withdraw
}

extension ApprovalStore {
    /// Reads the newest requests of a campaign, the newest first: `limit` at most, 1 to 1000.
    public func approvals(of campaign: CampaignID, limit: Int) async throws -> [Approval] {
        try await approvals(of: campaign, limit: limit, offset: 0)
    }

    /// Reads the oldest requests that wait, the oldest first: `limit` at most, 1 to 1000.
    public func pendingApprovals(limit: Int) async throws -> [Approval] {
        try await pendingApprovals(limit: limit, offset: 0)
    }

    /// Goes through all requests that wait, a few at a time: each may hold a megabyte.
    package func forEachPendingApproval(_ body: (Approval) async throws -> Void) async throws {
        let size = 16
        var offset = 0
        while true {
            let page = try await pendingApprovals(limit: size, offset: offset)
            for approval in page { try await body(approval) }
            guard page.count == size else { return }
            offset += size
        }
    }
}
