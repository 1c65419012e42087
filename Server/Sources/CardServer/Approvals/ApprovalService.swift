package import CardModel
import CardStore

/// Asks for, gives and refuses another member's approval, for the management API and the dashboard.
package struct ApprovalService: Sendable {
    let services: Services

    /// Returns whether a caller needs an approval to launch a campaign, or to edit one that users have.
    ///
    /// - Throws: `RequestError` with 503 while the settings were not read yet.
    package func isNeeded(by caller: Caller) throws -> Bool {
        caller.needsApproval(by: try services.workspace.current().launchApproval)
    }

    /// Returns the newest request of a campaign, or `nil` where there is none.
    package func latest(of campaign: Campaign) async throws -> Approval? {
        try await services.store.approvals(of: campaign.id, limit: 1).first
    }

    /// Asks for the approval of a launch or an edit.
    ///
    /// - Parameters:
    ///   - id: The campaign's id.
    ///   - version: The version that is meant, or `nil` for whichever is current.
    ///   - content: The content that the campaign is to have, or `nil` for a launch.
    ///   - comment: What is said to those who decide, or `nil`.
    ///   - caller: Who asks.
    /// - Returns: The request.
    /// - Throws: `RequestError` or `ModelError` that says why nothing can be asked for.
    package func request(
        _ id: String,
        version: Int64? = nil,
        content: Campaign.Content? = nil,
        comment: String? = nil,
        by caller: Caller
    ) async throws -> Approval {
        guard try services.workspace.current().launchApproval != .none else { throw Self.notNeeded }
        let comment = try Approval.Comment.text(of: comment)
        let campaign = try await services.campaigns.campaign(id)
        if let version { try campaign.check(version) }
        let next = try await changed(campaign, to: content)
        guard next != campaign else { throw Self.nothing }
        let approval = Approval(
            id: "apr_" + RandomText.letters(22),
            campaign: campaign.id,
            version: campaign.version,
            change: content.map(Approval.Change.edit) ?? .launch,
            by: caller.actor,
            at: services.clock(),
            comment: comment
        )
        try await services.store.insertApproval(approval, by: caller.actor)
        await services.mailAdministrators(of: approval, campaign)
        return approval
    }

    /// Returns a campaign as an approval would make it: with a content, or launched.
    private func changed(_ campaign: Campaign, to content: Campaign.Content?) async throws -> Campaign {
        guard let content else { return try await services.campaigns.launched(campaign) }
        guard campaign.hasReachedUsers else { throw Self.notNeeded }
        return try await services.campaigns.edited(campaign, to: content)
    }

    /// Approves a request: the campaign is launched, or gets its content.
    ///
    /// - Parameters:
    ///   - id: The request's id.
    ///   - campaign: The id of its campaign.
    ///   - comment: What is said about it, or `nil`.
    ///   - caller: Who approves it.
    /// - Returns: The campaign as saved.
    /// - Throws: `RequestError` or `ModelError` that says why it isn't done.
    package func approve(
        _ id: String,
        of campaign: String,
        comment: String? = nil,
        by caller: Caller
    ) async throws -> Campaign {
        let comment = try Approval.Comment.text(of: comment)
        let (campaign, approval) = try await pending(id, of: campaign)
        try caller.requireDecider(of: approval)
        guard approval.isCurrent(for: campaign) else { throw Self.outdated }
        // What was allowed when it was asked for may be wrong by now: a segment is gone, or the end has come.
        let next =
            switch approval.change {
            case .launch: try await services.campaigns.launched(campaign)
            case .edit(let content): try await services.campaigns.edited(campaign, to: content)
            }
        let saved = try await services.store.approve(
            approval.id,
            saving: next,
            comment: comment,
            at: services.clock(),
            by: caller.actor
        )
        try await services.catalog.reload()
        await services.mailRequester(of: approval, saved, isApproved: true, comment, by: caller)
        return saved
    }

    /// Rejects a request.
    ///
    /// - Throws: `RequestError` that says why it isn't done.
    package func reject(
        _ id: String,
        of campaign: String,
        comment: String? = nil,
        by caller: Caller
    ) async throws -> Approval {
        let comment = try Approval.Comment.text(of: comment)
        let (campaign, approval) = try await pending(id, of: campaign)
        try caller.requireDecider(of: approval)
        let rejected = try await close(approval, as: .reject, comment, by: caller)
        await services.mailRequester(of: rejected, campaign, isApproved: false, comment, by: caller)
        return rejected
    }

    /// Takes a request back.
    ///
    /// - Throws: `RequestError` that says why it isn't done.
    package func withdraw(
        _ id: String,
        of campaign: String,
        comment: String? = nil,
        by caller: Caller
    ) async throws -> Approval {
        let comment = try Approval.Comment.text(of: comment)
        let (_, approval) = try await pending(id, of: campaign)
        guard approval.isRequested(by: caller.actor) else {
            throw RequestError(
                .forbidden,
                "permission_denied",
                "Only the one who asked for approval can withdraw the request."
            )
        }
        return try await close(approval, as: .withdraw, comment, by: caller)
    }

    /// Says something about a request that waits.
    ///
    /// - Throws: `RequestError` or `ModelError` that says why it isn't kept.
    package func comment(
        _ text: String,
        on id: String,
        of campaign: String,
        by caller: Caller
    ) async throws -> Approval {
        guard let text = try Approval.Comment.text(of: text) else {
            throw RequestError(.badRequest, "field_missing", "Enter a comment.", details: [("path", "comment")])
        }
        let (_, approval) = try await pending(id, of: campaign)
        let now = services.clock()
        return try await services.store.addApprovalComment(text, to: approval.id, at: now, by: caller.actor)
    }

    private func close(
        _ approval: Approval,
        as closing: ApprovalClosing,
        _ comment: String?,
        by caller: Caller
    ) async throws -> Approval {
        let now = services.clock()
        return try await services.store.closeApproval(
            approval.id,
            as: closing,
            comment: comment,
            at: now,
            by: caller.actor
        )
    }

    private func pending(_ id: String, of campaign: String) async throws -> (Campaign, Approval) {
        let campaign = try await services.campaigns.campaign(campaign)
        guard let approval = try await services.store.approval(id), approval.campaign == campaign.id else {
            throw RequestError.notFound("request for approval")
        }
        guard approval.status == .pending else { throw Self.decided }
        return (campaign, approval)
    }

    private static let notNeeded = RequestError(
        .conflict,
        "approval_not_needed",
        "No approval is needed for this. Save or launch the campaign."
    )
    private static let nothing = RequestError(
        .conflict,
        "approval_not_needed",
        "The campaign is like that already. There is nothing to approve."
    )
    private static let outdated = RequestError(
        .conflict,
        "approval_outdated",
        "The campaign was changed since the request. Ask for approval again."
    )
    private static let decided = RequestError(
        .conflict,
        "approval_closed",
        "This request was already decided, withdrawn or replaced."
    )
}

extension RequestError {
    /// Says that another member has to approve something.
    static let approvalRequired = RequestError(
        .forbidden,
        "approval_required",
        "Another member has to approve this: ask for approval of the campaign."
    )

    /// Says that something changes campaigns that users have, which can't be asked for.
    static func approvalRequired(forShared what: String) -> RequestError {
        RequestError(
            .forbidden,
            "approval_required",
            "Campaigns that users have need this \(what), and their changes need approval. Ask an administrator."
        )
    }

    /// Says that something changes what another member is asked to approve.
    static func approvalWaits(forShared what: String) -> RequestError {
        RequestError(
            .forbidden,
            "approval_required",
            "A request for approval that waits needs this \(what). Withdraw the request first, or ask an administrator."
        )
    }
}

extension Caller {
    /// Returns whether they need an approval by a policy.
    func needsApproval(by policy: ApprovalPolicy) -> Bool {
        if let key { return policy.applies(to: key) }
        return policy.applies(to: role)
    }

    /// Throws where they can't decide on a request: keys, members without the role, and whoever asked.
    fileprivate func requireDecider(of approval: Approval) throws(RequestError) {
        guard key == nil, role == .admin else {
            throw RequestError(
                .forbidden,
                "permission_denied",
                "Only an administrator can approve or reject a request."
            )
        }
        guard !approval.isRequested(by: actor) else {
            throw RequestError(
                .forbidden,
                "own_approval",
                "Another member has to decide on a request of your own."
            )
        }
    }
}

extension Campaign {
    /// Throws where the campaign has another version than the one that is meant.
    func check(_ version: Int64) throws(RequestError) {
        guard version == self.version else {
            throw RequestError(
                .conflict,
                "version_conflict",
                "The campaign was changed in between. Read it again, then repeat the change.",
                details: [("version", .integer(self.version))]
            )
        }
    }
}
