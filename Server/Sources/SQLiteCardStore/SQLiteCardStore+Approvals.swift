public import CardModel
public import CardStore
import GRDB

extension SQLiteCardStore {
    /// Reads one request for approval, or returns `nil`.
    public func approval(_ id: String) async throws -> Approval? {
        try await read { try ApprovalRow.find(id, in: $0) }
    }

    /// Reads the requests of a campaign, the newest first.
    public func approvals(of campaign: CampaignID, limit: Int, offset: Int) async throws -> [Approval] {
        try await read {
            try ApprovalRow.list(of: campaign, limit: PageLimit.clamp(limit), offset: max(0, offset), in: $0)
        }
    }

    /// Reads the requests that wait, the oldest first.
    public func pendingApprovals(limit: Int, offset: Int) async throws -> [Approval] {
        try await read { try ApprovalRow.pending(limit: PageLimit.clamp(limit), offset: max(0, offset), in: $0) }
    }

    /// Returns which of some campaigns have a request that waits.
    public func campaignsAwaitingApproval(among campaigns: [CampaignID]) async throws -> Set<CampaignID> {
        try await read { try ApprovalRow.awaited(among: campaigns, in: $0) }
    }

    /// Adds a request that waits.
    public func insertApproval(_ approval: Approval, by actor: Actor) async throws {
        try await writer.write { try $0.insert(approval, by: actor) }
    }

    /// Adds a comment to a request that waits.
    public func addApprovalComment(
        _ text: String,
        to id: String,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> Approval {
        try await writer.write { session in
            let next = try session.requireApproval(id).commented(text, at: now, by: actor)
            try ApprovalRow.update(next, in: session.database)
            try session.audit(
                "approval.comment",
                of: next.campaign.rawValue,
                details: next.details,
                at: now,
                by: actor
            )
            return next
        }
    }

    /// Rejects a request that waits, or takes it back.
    public func closeApproval(
        _ id: String,
        as closing: ApprovalClosing,
        comment: String?,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> Approval {
        try await writer.write { session in
            let approval = try session.requireApproval(id)
            let campaign = try session.campaign(of: approval)
            let role = try session.role(of: actor)
            let next = try approval.closed(as: closing, role: role, comment: comment, at: now, by: actor)
            try session.save(next, of: campaign, at: now, by: actor)
            return next
        }
    }

    /// Approves a request, and saves the campaign as it asks for.
    public func approve(
        _ id: String,
        saving campaign: Campaign,
        comment: String?,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> Campaign {
        try await writer.write { session in
            let approval = try session.requireApproval(id)
            let role = try session.role(of: actor)
            let next = try approval.decided(as: .approved, role: role, comment: comment, at: now, by: actor)
            try approval.checkVersion(of: try session.campaign(of: approval))
            let saved = try session.update(campaign, from: approval.version, action: approval.action, by: actor)
            try session.save(next, of: saved, at: now, by: actor)
            return saved
        }
    }
}

extension WriteSession {
    fileprivate func requireApproval(_ id: String) throws -> Approval {
        guard let approval = try ApprovalRow.find(id, in: database) else { throw StoreError.noApproval }
        return approval
    }

    fileprivate func campaign(of approval: Approval) throws -> Campaign {
        guard let campaign = try CampaignRow.find(approval.campaign, in: database) else { throw StoreError.noCampaign }
        return campaign
    }

    fileprivate func role(of actor: Actor) throws -> Role? {
        guard case .member(let email) = actor else { return nil }
        return try String.fetchOne(database, sql: "SELECT role FROM members WHERE email = ?", arguments: [email])
            .flatMap(Role.init)
    }

    fileprivate func insert(_ approval: Approval, by actor: Actor) throws {
        let campaign = try campaign(of: approval)
        try approval.checkVersion(of: campaign)
        if let pending = try ApprovalRow.pending(of: campaign.id, in: database) {
            try ApprovalRow.update(approval.replacing(pending, of: campaign), in: database)
        }
        try ApprovalRow.insert(approval, into: database)
        try tell(of: approval, campaign, at: approval.requestedAt, by: actor)
    }

    fileprivate func save(_ approval: Approval, of campaign: Campaign, at now: UnixTime, by actor: Actor) throws {
        try ApprovalRow.update(approval, in: database)
        try tell(of: approval, campaign, at: now, by: actor)
    }

    private func tell(of approval: Approval, _ campaign: Campaign, at now: UnixTime, by actor: Actor) throws {
        if let action = approval.status.auditAction {
            try audit(action, of: campaign.id.rawValue, details: approval.details, at: now, by: actor)
        }
        if let notice = approval.notice(of: campaign, at: now) {
            try WebhookNoticeRow.insert(notice, into: database)
        }
    }
}
