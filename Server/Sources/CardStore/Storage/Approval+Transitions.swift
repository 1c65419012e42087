package import CardModel
import WireJSON

/// The transitions of a request; a store loads it, asks for one, and saves what comes out.
extension Approval {
    /// Returns the earlier request that waits as it is once this one is there, unless it has to be decided first.
    ///
    /// - Parameters:
    ///   - pending: A request of the campaign that waits.
    ///   - campaign: The campaign.
    /// - Returns: The earlier request, replaced.
    /// - Throws: `StoreError.exists` where another member's request waits.
    package func replacing(_ pending: Approval, of campaign: Campaign) throws(StoreError) -> Approval {
        let isSame =
            pending.requester.hasSameBytes(as: requester)
            && pending.requesterKind.hasSameBytes(as: requesterKind)
        guard isSame || !pending.isCurrent(for: campaign) else {
            throw StoreError(
                .exists,
                "Another request for this campaign is waiting. It has to be approved, rejected or withdrawn first."
            )
        }
        var former = pending
        former.status = .replaced
        former.decidedAt = requestedAt
        return former
    }

    /// Throws where the request isn't about a campaign as it is.
    package func checkVersion(of campaign: Campaign) throws(StoreError) {
        guard version == campaign.version else {
            throw StoreError(.conflict, "The campaign was changed since the request. Ask for approval again.")
        }
    }

    /// Returns the request with another comment.
    package func commented(_ text: String, at now: UnixTime, by actor: Actor) throws(StoreError) -> Approval {
        try requirePending()
        guard comments.count < Comment.limit else {
            throw StoreError(.limitReached, "A request has at most \(Comment.limit) comments.")
        }
        var next = self
        next.comments.append(Comment(author: actor.name, at: now, text: text))
        return next
    }

    /// Returns the request as it is once an actor has rejected it, or has taken it back.
    ///
    /// - Parameters:
    ///   - closing: Which of them.
    ///   - role: The role of the member who does it, as it is stored; `nil` for another actor.
    ///   - comment: What is said about it.
    ///   - now: The moment.
    ///   - actor: Who does it.
    /// - Returns: The request, closed.
    /// - Throws: `StoreError.conflict` where it isn't theirs to do.
    package func closed(
        as closing: ApprovalClosing,
        role: Role?,
        comment: String?,
        at now: UnixTime,
        by actor: Actor
    ) throws(StoreError) -> Approval {
        switch closing {
        case .reject:
            return try decided(as: .rejected, role: role, comment: comment, at: now, by: actor)
        case .withdraw:
            try requirePending()
            guard isRequested(by: actor) else {
                throw StoreError(.conflict, "Only the one who asked for approval can withdraw the request.")
            }
            return ended(as: .withdrawn, comment: comment, at: now, by: actor)
        }
    }

    /// Returns the request as it is once an actor has approved or rejected it.
    package func decided(
        as status: ApprovalStatus,
        role: Role?,
        comment: String?,
        at now: UnixTime,
        by actor: Actor
    ) throws(StoreError) -> Approval {
        try requirePending()
        guard !isRequested(by: actor) else {
            throw StoreError(.conflict, "Another member has to decide on a request of your own.")
        }
        guard actor.kind == .member, role == .admin else {
            throw StoreError(.conflict, "Only an administrator can approve or reject a request.")
        }
        return ended(as: status, comment: comment, at: now, by: actor)
    }

    private func requirePending() throws(StoreError) {
        guard status == .pending else {
            throw StoreError(.conflict, "This request was already decided, withdrawn or replaced.")
        }
    }

    /// A last comment fits always, so that no number of comments keeps anybody from deciding.
    private func ended(as status: ApprovalStatus, comment: String?, at now: UnixTime, by actor: Actor) -> Approval {
        var next = self
        next.status = status
        next.decider = actor.name
        next.decidedAt = now
        if let comment { next.comments.append(Comment(author: actor.name, at: now, text: comment)) }
        return next
    }
}

extension Approval.ApprovalStatus {
    /// The action in the audit log once a request has come to this, or `nil` where it says nothing of it.
    package var auditAction: String? {
        switch self {
        case .pending: "approval.request"
        case .approved: "approval.approve"
        case .rejected: "approval.reject"
        case .withdrawn: "approval.withdraw"
        case .replaced: nil
        }
    }

    /// The notice for the webhook once a request has come to this.
    fileprivate var notice: WebhookNotice.NoticeKind? {
        switch self {
        case .pending: .approvalRequested
        case .approved: .approvalApproved
        case .rejected: .approvalRejected
        case .withdrawn: .approvalWithdrawn
        case .replaced: nil
        }
    }
}

extension Approval {
    /// Returns the notice for the webhook about the request as it is now: who asked for what, who decided, and what
    /// they said.
    package func notice(of campaign: Campaign, at now: UnixTime) -> WebhookNotice? {
        guard let kind = status.notice, var members = details.object else { return nil }
        members["campaign_name"] = .string(campaign.content.name)
        members["requested_by_kind"] = .string(requesterKind)
        if let decider { members["decided_by"] = .string(decider) }
        let said = comments.last { $0.at == now && $0.author.hasSameBytes(as: decider ?? requester) }
        members["comment"] = said.map { .string($0.text) } ?? .null
        return WebhookNotice(kind, about: .campaign(self.campaign), details: .object(members), at: now)
    }
}

extension Approval {
    /// The name of the campaign's change in its history and the audit log.
    package var action: String {
        switch change {
        case .launch: "campaign.launch"
        case .edit: "campaign.update"
        }
    }
}

extension StoreError {
    /// Says that there is no such request.
    package static let noApproval = StoreError(.notFound, "There is no request for approval of that id.")
}
