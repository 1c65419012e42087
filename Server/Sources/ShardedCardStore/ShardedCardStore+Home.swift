public import CardModel
public import CardStore

// What isn't a user's is at the home.

extension ShardedCardStore {
    /// Reads every key, the oldest first.
    public func apiKeys() async throws -> [APIKey] {
        try await home.apiKeys()
    }

    /// Adds a key.
    public func insertKey(_ key: APIKey, by actor: Actor) async throws {
        try await home.insertKey(key, by: actor)
    }

    /// Edits a key that was not revoked, and notes in the audit log what was different before.
    public func editKey(_ id: String, _ edit: KeyEdit, at now: UnixTime, by actor: Actor) async throws -> APIKey? {
        try await home.editKey(id, edit, at: now, by: actor)
    }

    /// Revokes a key for good.
    public func revokeKey(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await home.revokeKey(id, at: now, by: actor)
    }

    /// Gives a key that works another secret; the current one works until a moment, and the one before it no more.
    public func rotateKey(_ rotation: KeyRotation, by actor: Actor) async throws -> Bool {
        try await home.rotateKey(rotation, by: actor)
    }

    /// Saves when keys were last used, by their ids; an earlier time than is known changes nothing.
    public func recordKeyUses(_ uses: [String: UnixTime]) async throws {
        try await home.recordKeyUses(uses)
    }

    /// Reads one request, or returns `nil`.
    public func approval(_ id: String) async throws -> Approval? {
        try await home.approval(id)
    }

    /// Reads the requests of a campaign, the newest first: `limit` at most, 1 to 1000, after passing over `offset`.
    public func approvals(of campaign: CampaignID, limit: Int, offset: Int) async throws -> [Approval] {
        try await home.approvals(of: campaign, limit: limit, offset: offset)
    }

    /// Reads the requests that wait, the oldest first: `limit` at most, 1 to 1000, after passing over `offset`.
    public func pendingApprovals(limit: Int, offset: Int) async throws -> [Approval] {
        try await home.pendingApprovals(limit: limit, offset: offset)
    }

    /// Returns which of some campaigns have a request that waits and isn't outdated.
    public func campaignsAwaitingApproval(among campaigns: [CampaignID]) async throws -> Set<CampaignID> {
        try await home.campaignsAwaitingApproval(among: campaigns)
    }

    /// Adds a request that waits; an earlier one that waits is replaced where it is outdated or of the same actor.
    public func insertApproval(_ approval: Approval, by actor: Actor) async throws {
        try await home.insertApproval(approval, by: actor)
    }

    /// Adds a comment to a request that waits.
    public func addApprovalComment(
        _ text: String,
        to id: String,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> Approval {
        try await home.addApprovalComment(text, to: id, at: now, by: actor)
    }

    /// Rejects a request that waits, or takes it back, with a comment if there is one.
    public func closeApproval(
        _ id: String,
        as closing: ApprovalClosing,
        comment: String?,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> Approval {
        try await home.closeApproval(id, as: closing, comment: comment, at: now, by: actor)
    }

    /// Takes a permit for an attempt: looks and counts in one step.
    public func takeAttempt(_ attempt: GuessAttempt, at now: UnixTime) async throws -> Double {
        try await home.takeAttempt(attempt, at: now)
    }

    /// Gives a permit back.
    public func returnAttempt(_ attempt: GuessAttempt, clearing: Bool) async throws {
        try await home.returnAttempt(attempt, clearing: clearing)
    }

    /// Appends entries about things that changed nothing, such as reads and refusals, in one transaction.
    public func appendAuditNotes(_ notes: [AuditNote]) async throws {
        try await home.appendAuditNotes(notes)
    }

    /// Reads the entries before a position, the newest first: `limit` at most, 1 to 1000; `nil` begins at the end.
    public func latestAuditEntries(before position: Int64?, limit: Int) async throws -> [AuditEntry] {
        try await home.latestAuditEntries(before: position, limit: limit)
    }

    /// Reads the entries after a position, the oldest first: `limit` at most, 1 to 1000.
    public func auditEntries(after position: Int64, limit: Int) async throws -> [AuditEntry] {
        try await home.auditEntries(after: position, limit: limit)
    }

    /// Reads how long the log is and how it ends.
    public func auditChain() async throws -> AuditChain {
        try await home.auditChain()
    }

    /// Removes the entries from before a moment, and appends one that says so.
    public func pruneAudit(before time: UnixTime, at now: UnixTime, by actor: Actor) async throws -> Int {
        try await home.pruneAudit(before: time, at: now, by: actor)
    }

    /// Reads the versions of a campaign, the newest first: `limit` at most, 1 to 1000, of those before `number`.
    public func campaignVersions(
        of campaign: CampaignID,
        before number: Int64?,
        limit: Int
    ) async throws -> [CampaignVersion] {
        try await home.campaignVersions(of: campaign, before: number, limit: limit)
    }

    /// Reads the newest versions of several campaigns at once, the newest first.
    public func latestCampaignVersions(
        of campaigns: [CampaignID],
        limit: Int
    ) async throws -> [CampaignID: [CampaignVersion]] {
        try await home.latestCampaignVersions(of: campaigns, limit: limit)
    }

    /// Reads a campaign as one of its versions was, or returns `nil` where there was none of that number.
    public func campaignVersion(_ number: Int64, of campaign: CampaignID) async throws -> PastCampaign? {
        try await home.campaignVersion(number, of: campaign)
    }

    /// Removes the versions of campaigns from before a moment, but for the last one of then and those after it.
    public func pruneCampaignVersions(before time: UnixTime) async throws -> Int {
        try await home.pruneCampaignVersions(before: time)
    }

    /// Reads one campaign, or returns `nil`.
    public func campaign(_ id: CampaignID) async throws -> Campaign? {
        try await home.campaign(id)
    }

    /// Reads campaigns by their IDs, without those that there aren't.
    public func findCampaigns(_ ids: [CampaignID]) async throws -> [CampaignID: Campaign] {
        try await home.findCampaigns(ids)
    }

    /// Reads campaigns, those last changed first.
    public func listCampaigns(status: Campaign.Status?, limit: Int, offset: Int) async throws -> [Campaign] {
        try await home.listCampaigns(status: status, limit: limit, offset: offset)
    }

    /// Reads campaigns in the order in which they were created, the oldest first unless the page says otherwise.
    public func pageCampaigns(_ page: CampaignPage) async throws -> [Campaign] {
        try await home.pageCampaigns(page)
    }

    /// Searches campaigns, those last changed first: `limit` at most, 1 to 1000.
    public func searchCampaigns(
        matching filter: CampaignFilter,
        after place: CampaignPlace?,
        limit: Int
    ) async throws -> [Campaign] {
        try await home.searchCampaigns(matching: filter, after: place, limit: limit)
    }

    /// Counts the campaigns of each status.
    public func campaignCountsByStatus() async throws -> [Campaign.Status: Int] {
        try await home.campaignCountsByStatus()
    }

    /// Reads the tags that campaigns have, by name: `limit` at most, 1 to 1000.
    public func campaignTags(limit: Int) async throws -> [String] {
        try await home.campaignTags(limit: limit)
    }

    /// Reads the content blocks, by name.
    public func contentBlocks() async throws -> [ContentBlock] {
        try await home.contentBlocks()
    }

    /// Saves a content block, in place of one of that name, and gives the catalog the next generation.
    public func saveContentBlock(
        _ block: ContentBlock,
        checkedAt generation: CatalogGeneration?,
        by actor: Actor
    ) async throws {
        try await home.saveContentBlock(block, checkedAt: generation, by: actor)
    }

    /// Removes a content block and gives the catalog the next generation.
    public func deleteContentBlock(
        _ name: String,
        checkedAt generation: CatalogGeneration?,
        at now: UnixTime,
        by actor: Actor
    ) async throws -> Bool {
        try await home.deleteContentBlock(name, checkedAt: generation, at: now, by: actor)
    }

    /// Reads what the app's typed contents expect, by class type.
    public func contentTypes() async throws -> [ContentType] {
        try await home.contentTypes()
    }

    /// Saves what the app's typed contents expect; the newest description of a class type replaces the older one.
    public func saveContentTypes(_ types: [ContentType], at now: UnixTime, by actor: Actor) async throws {
        try await home.saveContentTypes(types, at: now, by: actor)
    }

    /// Keeps what an app proposes, in place of what the same version of it proposed before.
    public func proposeContentTypes(_ proposal: ContentTypeProposal) async throws {
        try await home.proposeContentTypes(proposal)
    }

    /// Reads the proposals that say something new, the newest first.
    public func contentTypeProposals() async throws -> [ContentTypeProposal] {
        try await home.contentTypeProposals()
    }

    /// Creates the types of a proposal those that the app's typed contents expect.
    public func acceptContentTypes(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await home.acceptContentTypes(id, at: now, by: actor)
    }

    /// Hides a proposal for good; the app can still propose something else.
    public func dismissContentTypes(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await home.dismissContentTypes(id, at: now, by: actor)
    }

    /// Forgets what a class type expects, by which launches are then no longer checked.
    public func deleteContentType(_ classType: String, at now: UnixTime, by actor: Actor) async throws -> Bool {
        try await home.deleteContentType(classType, at: now, by: actor)
    }

    /// Adds a message that is due at once.
    public func insertMail(_ mail: Mail) async throws -> Bool {
        try await home.insertMail(mail)
    }

    /// Leases the message that is due the longest to a worker.
    public func claimMail(for worker: String, seconds: Double, at now: UnixTime) async throws -> MailClaim {
        try await home.claimMail(for: worker, seconds: seconds, at: now)
    }

    /// Removes a message that was sent, or never will be, unless another worker has it by now.
    public func endMail(_ id: String, by worker: String) async throws -> Bool {
        try await home.endMail(id, by: worker)
    }

    /// Notes that a message could not be sent, and when it is due again, unless another worker has it by now.
    public func postponeMail(
        _ id: String,
        until time: UnixTime,
        for failure: MailFailure,
        by worker: String
    ) async throws -> Bool {
        try await home.postponeMail(id, until: time, for: failure, by: worker)
    }

    /// Reads how many messages wait, and how it goes.
    public func mailQueue() async throws -> MailQueue {
        try await home.mailQueue()
    }

    /// Reads which campaigns name pictures or content blocks, archived campaigns too because they can be restored.
    public func uses(of names: [ContentName], includesFormer: Bool, limit: Int) async throws -> [ContentNameUses] {
        try await home.uses(of: names, includesFormer: includesFormer, limit: limit)
    }
}
