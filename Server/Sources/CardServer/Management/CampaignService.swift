package import CardModel
import CardStore
package import WireJSON

/// Creates, edits, checks and launches campaigns, for the management API and the dashboard.
package struct CampaignService: Sendable {
    /// A campaign as saved, with what would be wrong at a launch.
    package typealias Saved = (campaign: Campaign, warnings: [CampaignCheck])

    let services: Services

    /// Returns a campaign.
    ///
    /// - Throws: `RequestError` with 404 where there is none of that id.
    package func campaign(_ id: String) async throws -> Campaign {
        guard let id = CampaignID(checking: id), let campaign = try await services.store.campaign(id) else {
            throw RequestError.notFound("campaign")
        }
        return campaign
    }

    /// Creates a campaign.
    ///
    /// - Parameters:
    ///   - json: Its content, and its `id` if it is to have a certain one.
    ///   - caller: Who creates it.
    /// - Returns: The campaign, a draft.
    /// - Throws: `ModelError` or `RequestError` that names the wrong field.
    package func create(_ json: JSONValue, by caller: Caller) async throws -> Saved {
        let content = try Campaign.Content(json: json, allowing: ["id"])
        let id = json["id"] ?? .null
        guard id.isNull || id.string != nil else { throw RequestError.fieldInvalid("id", expected: Expected.slug) }
        return try await create(content, id: id.string, by: caller)
    }

    /// Creates a campaign.
    ///
    /// - Parameters:
    ///   - content: Its content.
    ///   - wanted: Its id, or `nil` for a new one.
    ///   - caller: Who creates it.
    /// - Returns: The campaign, a draft.
    /// - Throws: `ModelError` or `RequestError` that names the wrong field.
    package func create(_ content: Campaign.Content, id wanted: String?, by caller: Caller) async throws -> Saved {
        try await check(content)
        guard let id = wanted.map(CampaignID.init(checking:)) ?? Self.newID else {
            throw RequestError.fieldInvalid("id", expected: Expected.slug)
        }
        try ReservedID.check(id)
        let campaign = Campaign(id: id, content: content, createdAt: services.clock())
        try await services.store.insertCampaign(campaign, by: caller.actor)
        return (campaign, try await services.checks(of: content))
    }

    /// Changes a campaign's content.
    ///
    /// - Parameters:
    ///   - id: The campaign's id.
    ///   - json: The content with the `version` that it was made from. What the server keeps may stand in it, so that
    ///     what was read can be sent back.
    ///   - caller: Who changes it.
    /// - Returns: The campaign as saved.
    /// - Throws: `ModelError` or `RequestError` that names the wrong field, or says that the version is another by now.
    package func update(_ id: String, _ json: JSONValue, by caller: Caller) async throws -> Saved {
        let campaign = try await campaign(id)
        guard let version = json["version"] else { throw RequestError.fieldMissing("version") }
        guard let version = version.integer else {
            throw RequestError.fieldInvalid("version", expected: Expected.wholeNumber)
        }
        let content = try Campaign.Content(json: json, allowing: Campaign.keptFieldNames)
        return try await update(campaign, from: version, to: content, by: caller)
    }

    /// Changes a campaign's content.
    ///
    /// - Parameters:
    ///   - id: The campaign's id.
    ///   - version: The version that the content was made from.
    ///   - content: The content.
    ///   - caller: Who changes it.
    /// - Returns: The campaign as saved.
    /// - Throws: `ModelError` or `RequestError` that names the wrong field, or says that the version is another by now.
    package func update(
        _ id: String,
        from version: Int64,
        to content: Campaign.Content,
        by caller: Caller
    ) async throws -> Saved {
        try await update(try await campaign(id), from: version, to: content, by: caller)
    }

    private func update(
        _ campaign: Campaign,
        from version: Int64,
        to content: Campaign.Content,
        by caller: Caller
    ) async throws -> Saved {
        try campaign.check(version)
        let next = try await edited(campaign, to: content)
        if campaign.hasReachedUsers { try checkApproval(of: next, insteadOf: campaign, by: caller) }
        let saved = try await save(next, insteadOf: campaign, action: "campaign.update", by: caller)
        return (saved, try await services.checks(of: saved.content))
    }

    /// Returns a campaign as it is once its content was edited, which is checked.
    ///
    /// Put into ``ApprovalService``, this and the next one make the compiler crash in a release build (Swift 6.3.1).
    @inline(never)
    func edited(_ campaign: Campaign, to content: Campaign.Content) async throws -> Campaign {
        try await check(content)
        return try campaign.updating(content, at: services.clock())
    }

    /// Returns a campaign as it is once it was launched, which is checked, but for errors that `isForced` passes over.
    @inline(never)
    func launched(_ campaign: Campaign, force isForced: Bool = false) async throws -> Campaign {
        try await services.checkTemplates(of: campaign.content)
        try services.checkSizes(of: campaign.content)
        if !isForced {
            let errors = try await services.checks(of: campaign.content).filter { $0.severity == .error }
            guard errors.isEmpty else { throw RequestError.notLaunchable(errors) }
        }
        return try campaign.applying(.launch, at: services.clock())
    }

    private func checkApproval(of next: Campaign, insteadOf campaign: Campaign, by caller: Caller) throws {
        guard next != campaign, try services.approvals.isNeeded(by: caller) else { return }
        throw RequestError.approvalRequired
    }

    /// Creates a draft with the content of another campaign.
    ///
    /// - Throws: `RequestError` with 404 where there is no such campaign.
    package func duplicate(_ id: String, by caller: Caller) async throws -> Campaign {
        var content = try await campaign(id).content
        content.name = CopyName.of(content.name)
        try content.checkReadable()
        let copy = Campaign(id: Self.newID, content: content, createdAt: services.clock())
        try await services.store.insertCampaign(copy, by: caller.actor)
        return copy
    }

    /// Launches, pauses, stops, archives or restores a campaign.
    ///
    /// - Parameters:
    ///   - transition: What is done.
    ///   - id: The campaign's id.
    ///   - version: The version that is meant, or `nil` for whichever is current.
    ///   - isForced: Whether a launch goes ahead although checks found errors.
    ///   - caller: Who does it.
    /// - Returns: The campaign as saved.
    /// - Throws: `RequestError` or `ModelError` that says why it isn't done.
    package func apply(
        _ transition: Campaign.Transition,
        to id: String,
        version: Int64? = nil,
        force isForced: Bool = false,
        by caller: Caller
    ) async throws -> Campaign {
        // Read once: an edit while it is checked is a conflict, and no text is launched that nobody checked.
        let campaign = try await campaign(id)
        if let version { try campaign.check(version) }
        let next: Campaign
        if transition == .launch {
            next = try await launched(campaign, force: isForced)
            try checkApproval(of: next, insteadOf: campaign, by: caller)
        } else {
            next = try campaign.applying(transition, at: services.clock())
        }
        return try await save(next, insteadOf: campaign, action: "campaign.\(transition.name)", by: caller)
    }

    /// The time after a change in which it can be undone, in seconds; pages offer it for ten.
    static let undoPeriod = 60.0

    /// Takes the last change of a campaign back, by the one who made it, a moment ago.
    ///
    /// What comes back is exactly what was there before, so that it needs no approval.
    ///
    /// - Parameters:
    ///   - id: The campaign's id.
    ///   - version: The version that the change has made.
    ///   - caller: Who made it.
    /// - Returns: The campaign as saved.
    /// - Throws: `RequestError` or `ModelError` that says why it isn't done.
    package func undo(_ id: String, version: Int64, by caller: Caller) async throws -> Campaign {
        let campaign = try await campaign(id)
        try campaign.check(version)
        let now = services.clock()
        guard let change = try await services.store.campaignVersion(version, of: campaign.id)?.version,
            change.actor.hasSameBytes(as: caller.actor.name), change.action != "campaign.undo",
            now - change.at <= Self.undoPeriod,
            // safe: versions begin at 1
            let past = try await services.store.campaignVersion(version - 1, of: campaign.id)?.campaign
        else {
            throw RequestError(.conflict, "transition_invalid", "This change can't be undone.")
        }
        let next = try campaign.undoing(to: past, at: now)
        return try await save(next, insteadOf: campaign, action: "campaign.undo", by: caller)
    }

    /// Returns everything that would be wrong at a launch, also what was right when the campaign was saved: templates,
    /// whose content blocks may be others by now, and sizes, whose limit may be lower.
    package func checks(of campaign: Campaign) async throws -> [CampaignCheck] {
        let problems = try await services.templateProblems(in: campaign.content)
        var checks = problems.map { CampaignCheck(.error, "template_invalid", at: $0.path, $0.message) }
        do throws(ModelError) {
            try services.checkSizes(of: campaign.content)
        } catch {
            checks.append(CampaignCheck(.error, error.code.rawValue, at: error.path, error.message))
        }
        return checks + (try await services.checks(of: campaign.content))
    }

    private static var newID: CampaignID { CampaignID(rawValue: "cmp_" + RandomText.letters(22)) }

    private func save(
        _ next: Campaign,
        insteadOf campaign: Campaign,
        action: String,
        by caller: Caller
    ) async throws -> Campaign {
        guard next != campaign else { return campaign }
        if next.content != campaign.content { try next.content.checkReadable() }
        // What is paused or stopped waits for nothing.
        if next.launchedAt != nil, campaign.launchedAt == nil || next.content != campaign.content {
            let others = services.catalog.current.source.campaigns
            try await services.rendering.offload {
                Result { try TemplateRoom.check(next, insteadOf: campaign, beside: others) }
            }.get()
        }
        let saved = try await services.store.updateCampaign(
            next,
            from: campaign.version,
            action: action,
            by: caller.actor
        )
        // A sync that comes after this answer has to see the change, on this node at least.
        try await services.catalog.reload()
        return saved
    }

    private func check(_ content: Campaign.Content) async throws {
        try content.checkReadable()
        try await services.checkTemplates(of: content)
        try services.checkSizes(of: content)
        try content.audience.checkSegments(in: try await services.store.segmentAudiences())
    }
}

extension Campaign.Content {
    /// Refuses what could be stored and not be read again: it would take every list down that has the campaign.
    fileprivate func checkReadable() throws(ModelError) { _ = try Self(json: .object(json)) }
}
