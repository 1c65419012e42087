public import CardModel
public import CardStore
import WireJSON

extension ReferenceCardStore {
    /// Reads one request for approval, or returns `nil`.
    public func approval(_ id: String) async throws -> Approval? {
        try read { $0.approvals.first { $0.id.hasSameBytes(as: id) } }
    }

    /// Reads the requests of a campaign, the newest first.
    public func approvals(of campaign: CampaignID, limit: Int, offset: Int) async throws -> [Approval] {
        try read { $0.approvals(of: campaign).page(limit, after: offset) }
    }

    /// Reads the requests that wait, the oldest first.
    public func pendingApprovals(limit: Int, offset: Int) async throws -> [Approval] {
        try read { state in
            let current = state.approvals.filter { approval in
                state.campaigns[approval.campaign].map(approval.isCurrent) ?? false
            }
            return current.sorted { ($0.requestedAt, ByteString($0.id)) < ($1.requestedAt, ByteString($1.id)) }
                .page(limit, after: offset)
        }
    }

    /// Returns which of some campaigns have a request that waits.
    public func campaignsAwaitingApproval(among campaigns: [CampaignID]) async throws -> Set<CampaignID> {
        try read { state in
            Set(
                campaigns.filter { id in
                    guard let campaign = state.campaigns[id] else { return false }
                    return state.approvals.contains { $0.campaign == id && $0.isCurrent(for: campaign) }
                }
            )
        }
    }

    /// Adds a request that waits.
    public func insertApproval(_ approval: Approval, by actor: Actor) async throws {
        try write { state in
            let campaign = try state.campaign(of: approval)
            try approval.checkVersion(of: campaign)
            if let pending = state.approvals.first(where: { $0.campaign == campaign.id && $0.status == .pending }) {
                try state.replace(approval.replacing(pending, of: campaign))
            }
            state.approvals.append(approval)
            let old = state.approvals(of: campaign.id).filter { $0.status != .pending }
            // safe: a constant above 0
            let dropped = Set(old.dropFirst(Approval.kept - 1).map(\.id))
            state.approvals.removeAll { dropped.contains($0.id) }
            state.tell(of: approval, campaign, at: approval.requestedAt, by: actor)
        }
    }

    /// Adds a comment to a request that waits.
    public func addApprovalComment(
        _ text: String,
        to id: String,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> Approval {
        try write { state in
            let next = try state.requireApproval(id).commented(text, at: now, by: actor)
            state.replace(next)
            state.appendAudit(
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
        try write { state in
            let approval = try state.requireApproval(id)
            let campaign = try state.campaign(of: approval)
            let role = state.role(of: actor)
            let next = try approval.closed(as: closing, role: role, comment: comment, at: now, by: actor)
            state.replace(next)
            state.tell(of: next, campaign, at: now, by: actor)
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
        try write { state in
            let approval = try state.requireApproval(id)
            let role = state.role(of: actor)
            let next = try approval.decided(as: .approved, role: role, comment: comment, at: now, by: actor)
            try approval.checkVersion(of: state.campaign(of: approval))
            let saved = try state.update(campaign, from: approval.version, action: approval.action, by: actor)
            state.replace(next)
            state.tell(of: next, saved, at: now, by: actor)
            return saved
        }
    }
}

extension ReferenceState {
    fileprivate func approvals(of campaign: CampaignID) -> [Approval] {
        approvals.filter { $0.campaign == campaign }
            .sorted { ($0.requestedAt, ByteString($0.id)) > ($1.requestedAt, ByteString($1.id)) }
    }

    fileprivate func requireApproval(_ id: String) throws -> Approval {
        guard let approval = approvals.first(where: { $0.id.hasSameBytes(as: id) }) else {
            throw StoreError.noApproval
        }
        return approval
    }

    fileprivate func campaign(of approval: Approval) throws -> Campaign {
        guard let campaign = campaigns[approval.campaign] else { throw StoreError.noCampaign }
        return campaign
    }

    fileprivate func role(of actor: Actor) -> Role? {
        guard case .member(let email) = actor else { return nil }
        return members.first { $0.member.email.hasSameBytes(as: email) }?.member.role
    }

    fileprivate mutating func replace(_ approval: Approval) {
        guard let index = approvals.firstIndex(where: { $0.id == approval.id }) else { return }
        approvals[index] = approval
    }

    fileprivate mutating func tell(
        of approval: Approval,
        _ campaign: Campaign,
        at now: UnixTime,
        by actor: Actor
    ) {
        if let action = approval.status.auditAction {
            appendAudit(action, of: campaign.id.rawValue, details: approval.details, at: now, by: actor)
        }
        if let notice = approval.notice(of: campaign, at: now) {
            addNotice(notice.kind, about: notice.subject, details: notice.details, at: notice.at)
        }
    }
}
