public import CardModel

/// Keeps users, campaigns, deliveries and counts.
///
/// Whoever implements it owes this, and the conformance suite in `Tests/CardStoreTests` checks it:
///
/// - What a call has reported as done survives the death of the process and of the machine.
/// - Each call is all or nothing. One that throws has changed nothing.
/// - All data of one end user can be found by the user's id alone, so that a store may be divided by it.
/// - Events count once per user and id, in one transaction with what they change.
/// - A change that apps may see is announced by ``changes()``, whichever process made it, within a second.
///
/// A store works from any number of tasks at once.
public protocol CardStore: TeamStore, AuditStore, BrowsingStore, CampaignHistoryStore {
    /// The store's name for its own history. It changes when a backup is put in place of the original, so that devices
    /// which have seen more than the backup holds start afresh.
    var epoch: UInt64 { get }

    /// Reads that do not wait, for a store that can do without; `nil` by default.
    var immediateReads: (any ImmediateReads)? { get }

    // MARK: Devices

    /// Reads the little of a user that tells whether anything has changed. One indexed read.
    ///
    /// - Returns: `nil` for a user the store does not know.
    func glance(at user: UserID) async throws -> UserGlance?

    /// Reads everything about a user that decides their feed, and those parts of their history.
    ///
    /// The history is of the same moment as the rest, or of a later one.
    ///
    /// - Returns: `nil` for a user the store does not know.
    func state(of user: UserID, including parts: UserHistory.Parts) async throws -> UserState?

    /// Saves what was decided for a user, and counts the deliveries, unless the user has changed since.
    ///
    /// Makes the user where the store does not know them and the change was made from version 0.
    ///
    /// - Returns: The user's new version, or `nil` where the user's version is not the one that the change was made
    ///   from; then nothing is saved.
    func save(_ change: FeedChange) async throws -> UserVersion?

    /// Notes what a device says of itself and that it was heard of. Makes the user where the store does not know them.
    ///
    /// The user's version changes only where the context does.
    func note(_ device: DeviceContext, of user: UserID, at now: UnixTime) async throws

    /// Counts events.
    ///
    /// One transaction stores the events, marks the cards, adds to the user's history, and adds to the counts of the day
    /// on which each happened. An event about a card that the user was never given is rejected; the others are kept.
    /// Makes the user where the store does not know them. The user's version changes only where a card's flags or the
    /// history do, or where an event has consequences; those of an event that was counted before come about no second
    /// time. An event that would go beyond ``UserLimits`` is rejected.
    func record(_ batch: EventBatch) async throws -> EventOutcome

    /// Reads a user's events, the newest first: `limit` at most, 1 to 1000.
    func events(of user: UserID, limit: Int) async throws -> [StoredEvent]

    /// Forgets the events that both happened and arrived before a moment; what they counted, changed and gave stays.
    ///
    /// Those that the webhook has not sent yet stay as well. Others may read and write meanwhile. Whoever calls it sees
    /// to it that such events are refused from now on, since one that is sent again would count again.
    ///
    /// - Returns: How many were forgotten.
    func pruneEvents(before time: UnixTime) async throws -> Int

    /// Forgets the triggers that were used, came to nothing or ran out before a moment, and such broadcasts.
    ///
    /// The cards that they gave stay. A send of an id that was forgotten counts as a new one. Others may read and write
    /// meanwhile.
    ///
    /// - Returns: How many were forgotten.
    func pruneTriggers(before time: UnixTime) async throws -> Int

    // MARK: Events out

    /// Reads the log of events from after a position on: `limit` events at most, 1 to 1000.
    ///
    /// An event gets a larger position than every event that could be read before, so whoever follows the log and
    /// remembers ``EventPage/position`` misses none. Where a filter matches little, a page may end after a number of
    /// events that the store chooses, and be empty without being the last. Events of a user who was forgotten are not there any more.
    func events(after position: Int64, _ filter: EventFilter, limit: Int) async throws -> EventPage

    /// Reads the webhook and how far it is, or returns `nil` where there is none.
    func webhook() async throws -> WebhookState?

    /// Sets the webhook up, or removes it where it is `nil`.
    ///
    /// - Parameters:
    ///   - webhook: Where events go.
    ///   - position: The position after which it begins, or `nil` to go on where the one before it is, or at the end
    ///     of the log where there was none.
    ///   - now: The time.
    ///   - actor: Who did it.
    /// - Throws: What keeps the store from writing.
    func save(_ webhook: Webhook?, after position: Int64?, at now: UnixTime, by actor: Actor) async throws

    /// Gives the webhook another secret and leaves everything else as it is.
    ///
    /// - Returns: Whether there is a webhook.
    func setWebhookSecret(_ secret: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    /// Takes the webhook for a worker until a moment, so that no other node sends the same events meanwhile.
    ///
    /// - Returns: The webhook, or `nil` where there is none or another worker has it until later than `now`.
    func claimWebhook(for worker: String, until end: UnixTime, at now: UnixTime) async throws -> WebhookState?

    /// Reads the notices that the webhook has not got yet, the oldest first: `limit` at most, 1 to 1000.
    ///
    /// A notice is kept by the change that it is about, in one transaction, where the webhook asks for its kind. At most
    /// 100,000 wait; the oldest are dropped beyond that.
    func webhookNotices(limit: Int) async throws -> [WebhookNotice]

    /// Keeps how far a worker has come, unless another one has the webhook by now or it was set up anew.
    ///
    /// - Parameters:
    ///   - progress: How far it is in the log, and how it goes.
    ///   - position: The position up to which the receiver has the notices, which are removed, or `nil` for no new ones.
    ///   - webhook: The webhook that the worker sent to.
    ///   - worker: The worker.
    /// - Returns: Whether it was kept.
    /// - Throws: What keeps the store from writing.
    func save(
        _ progress: WebhookProgress,
        noticesThrough position: Int64?,
        of webhook: Webhook,
        by worker: String
    ) async throws -> Bool

    // MARK: Triggers

    /// Keeps what a backend sent to users one by one, in one transaction.
    ///
    /// A user who has got a trigger of that id for the campaign before, used or not, gets nothing. The version of each
    /// user who gets something changes.
    func trigger(_ send: TriggerSend) async throws -> TriggerReceipt

    /// Keeps a broadcast and gives the catalog the next generation. Takes the same time for any number of users.
    ///
    /// - Returns: Whether it was kept: `false` where the campaign has had a broadcast of that id before.
    func insert(_ broadcast: Broadcast, by actor: Actor) async throws -> Bool

    /// Puts off what was scheduled by that id, where it is not due yet and its card not given.
    ///
    /// - Returns: Whether there was such a send.
    func reschedule(
        _ id: TriggerID,
        of campaign: CampaignID,
        due: PlannedTime,
        until: UnixTime,
        at now: UnixTime
    ) async throws -> Bool

    /// Calls off what was scheduled by that id, where it is not due yet and its card not given.
    ///
    /// - Returns: Whether there was such a send.
    func unschedule(_ id: TriggerID, of campaign: CampaignID, at now: UnixTime) async throws -> Bool

    /// Reads the triggers of a user and a campaign that wait no more, the newest first: `limit` at most, 1 to 1000.
    func pastTriggers(of user: UserID, for campaign: CampaignID, limit: Int) async throws -> [PastTrigger]

    /// Reads the last trigger of a user that waits no more, by campaign.
    func lastTriggers(of user: UserID) async throws -> [CampaignID: PastTrigger]

    // MARK: Tests

    /// Adds a test card to a user's feed; those that ``TestCard/replaced(by:among:at:)`` names leave.
    ///
    /// The user's version changes.
    ///
    /// - Returns: Whether there is such a user.
    func send(_ test: TestCard, to user: UserID, at now: UnixTime) async throws -> Bool

    /// Reads the users who get test cards where a test names none, in the order in which they were saved.
    func testUsers() async throws -> [UserID]

    /// Saves the users who get test cards where a test names none; one who is deleted later is no longer among them.
    func saveTestUsers(_ users: [UserID], at now: UnixTime, by actor: Actor) async throws

    // MARK: Templates

    /// Notes and counts what templates kept from a user. What was noted before counts no second time.
    func withhold(_ cards: [Withholding], from user: UserID, at now: UnixTime) async throws

    /// Reads the content blocks, by name.
    func contentBlocks() async throws -> [ContentBlock]

    /// Keeps a content block, in place of one of that name, and gives the catalog the next generation.
    func save(_ block: ContentBlock, by actor: Actor) async throws

    /// Removes a content block and gives the catalog the next generation.
    ///
    /// - Returns: Whether there was one of that name.
    func deleteContentBlock(_ name: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    // MARK: Users

    /// Changes users, making those that the store does not know. At most 1000 at once.
    ///
    /// - Returns: For each user the limit of ``UserLimits`` that the update would have gone beyond, where it was left out
    ///   for that, or `nil` where it was made.
    @discardableResult
    func update(_ users: [UserUpdate], at now: UnixTime) async throws -> [UserLimits.Excess?]

    /// Forgets a user: profile, deliveries and events. What was counted stays counted.
    ///
    /// A keyed hash of the id stays: devices can't make the user again, until a backend does. Then ``record(_:)``,
    /// ``save(_:)-(FeedChange)`` and ``note(_:of:at:)`` throw `StoreError.erased`.
    ///
    /// The audit log gets an entry about the user's ``pseudonym(of:)``, and the webhook a notice with the user's id and
    /// aliases.
    ///
    /// - Returns: Whether there was such a user.
    func deleteUser(_ user: UserID, at now: UnixTime, by actor: Actor) async throws -> Bool

    /// Returns a text that stands for a user where the id must not be kept: a keyed hash, which only this store can tell
    /// from the id.
    func pseudonym(of user: UserID) -> String

    /// The number of users, in a time that does not grow with it.
    func userCount() async throws -> Int64

    // MARK: Backends

    /// Writes what a backend tells of its users, in order and in one transaction.
    ///
    /// Attributes are changed from what they are at that moment, so that two callers may each add to a number. Events
    /// count as those of ``record(_:)`` do, with what they bring about by the rules. At most 1000 changes at once.
    func track(_ changes: [TrackedChange], rules: EventRules?, at now: UnixTime) async throws -> TrackOutcome

    /// Reads all that is known of users: for each reference those that it may mean, the one last changed first.
    ///
    /// An e-mail address or telephone number gives all that have it, whatever is preferred. At most 50 references.
    func records(of users: [UserReference]) async throws -> [[UserRecord]]

    /// Finds users, each `nil` where there is none or more than one is meant.
    func find(_ users: [UserReference]) async throws -> [UserID?]

    /// Gives aliases, in order and in one transaction.
    func give(_ aliases: [NewAlias], at now: UnixTime) async throws -> [NewAlias.Outcome]

    /// Joins users without an id of their own with who they are, in order and in one transaction.
    ///
    /// The one with the id keeps its attributes and gets those that it has not. Cards, events and aliases move to it,
    /// and the other one is gone, of which the webhook gets a notice. What was counted stays counted.
    func identify(_ users: [Identification], at now: UnixTime) async throws -> [Identification.Outcome]

    /// Forgets users as ``deleteUser(_:at:by:)`` does, in one transaction.
    ///
    /// - Returns: Those that were there.
    func delete(_ users: [UserReference], at now: UnixTime, by actor: Actor) async throws -> [UserID]

    // MARK: Campaigns

    /// Reads every campaign that was ever launched, with the generation that they show and the settings.
    ///
    /// - Parameter known: What was read before, or `nil`. A store may take the campaigns from it that are as they were,
    ///   so that a change of one among many costs no more than that one.
    /// - Returns: The whole catalog.
    /// - Throws: What keeps the store from reading.
    func catalog(since known: CatalogSource?) async throws -> CatalogSource

    /// Reads campaigns, those last changed first.
    ///
    /// Only those of `status`, or all but the archived where it is `nil`; `limit` at most, 1 to 1000, after passing over
    /// `offset`.
    func campaigns(status: Campaign.Status?, limit: Int, offset: Int) async throws -> [Campaign]

    /// Reads campaigns in the order in which they were made, the oldest first unless the page says otherwise.
    func campaigns(_ page: CampaignPage) async throws -> [Campaign]

    /// Reads one campaign, or returns `nil`.
    func campaign(_ id: CampaignID) async throws -> Campaign?

    /// Keeps a new campaign.
    ///
    /// - Throws: `StoreError.exists` where there is one of that id.
    func insert(_ campaign: Campaign, by actor: Actor) async throws

    /// Keeps a changed campaign, gives it the next generation where devices have something to see of the change, and
    /// the catalog the next generation where it was ever launched.
    ///
    /// - Parameters:
    ///   - campaign: The campaign as it is to be.
    ///   - version: The version that the change was made from.
    ///   - action: What was done, for the audit log.
    ///   - actor: Who did it.
    /// - Returns: The campaign as kept.
    /// - Throws: `StoreError.notFound`, or `StoreError.conflict` where the version is another by now.
    func update(_ campaign: Campaign, from version: Int64, action: String, by actor: Actor) async throws -> Campaign

    /// Reads the counts of a campaign, or returns `nil` where there is none of that id.
    func report(of campaign: CampaignID) async throws -> CampaignReport?

    // MARK: Segments

    /// Reads segments, those last changed first: `limit` at most, 1 to 1000, after passing over `offset`.
    func segments(includingArchived: Bool, limit: Int, offset: Int) async throws -> [Segment]

    /// Reads one segment, or returns `nil`.
    func segment(_ id: SegmentID) async throws -> Segment?

    /// Reads the audiences of all segments, the archived too.
    func segmentAudiences() async throws -> [SegmentID: Audience]

    /// Counts the users that an audience means, at one moment, without holding up devices.
    ///
    /// Where there are many users a store may ask a random sample of them instead; the answer says so. With `exactly`,
    /// every user is asked, however long that takes.
    func reach(of audience: AudienceMatcher, at now: UnixTime, exactly isExact: Bool) async throws -> AudienceReach

    /// Keeps a new segment.
    ///
    /// - Throws: `StoreError.exists` where there is one of that id.
    func insert(_ segment: Segment, by actor: Actor) async throws

    /// Keeps a changed segment, and gives the catalog the next generation where its audience is another and that of a
    /// campaign that was launched, or of a broadcast, has it as a part.
    ///
    /// - Parameters:
    ///   - segment: The segment as it is to be.
    ///   - version: The version that the change was made from.
    ///   - action: What was done, for the audit log.
    ///   - actor: Who did it.
    /// - Returns: The segment as kept.
    /// - Throws: `StoreError.notFound`, or `StoreError.conflict` where the version is another by now.
    func update(_ segment: Segment, from version: Int64, action: String, by actor: Actor) async throws -> Segment

    // MARK: Access

    /// Reads every key, the oldest first.
    func keys() async throws -> [APIKey]

    /// Keeps a new key.
    func insert(_ key: APIKey, by actor: Actor) async throws

    /// Edits a key that was not revoked, and notes in the audit log what was different before.
    ///
    /// - Returns: The key as it is now, or `nil` where there is no such key.
    func editKey(_ id: String, _ edit: KeyEdit, at now: UnixTime, by actor: Actor) async throws -> APIKey?

    /// Revokes a key for good.
    ///
    /// - Returns: Whether there was such a key that still worked.
    func revokeKey(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    /// Gives a key that works another secret; the present one works until a moment, and the one before it no more.
    ///
    /// - Returns: Whether there was such a key that still worked.
    func rotateKey(_ rotation: KeyRotation, by actor: Actor) async throws -> Bool

    /// Notes when keys were last used, by their ids; an earlier time than is known changes nothing.
    ///
    /// That is no change of the catalog, and is not announced.
    func noteKeyUses(_ uses: [String: UnixTime]) async throws

    /// Keeps the settings.
    func save(_ settings: Settings, at now: UnixTime, by actor: Actor) async throws

    /// Keeps the keys of user tokens that were fetched from an address, in place of the older ones.
    ///
    /// - Returns: Whether the settings name that address and had other keys.
    func save(_ keys: JSONWebKeySet, of url: String, at now: UnixTime) async throws -> Bool

    // MARK: Content types

    /// Keeps what the app's typed contents expect; the newest description of a class type replaces the older one.
    func save(_ types: [ContentType], at now: UnixTime, by actor: Actor) async throws

    /// Reads what the app's typed contents expect, by class type.
    func contentTypes() async throws -> [ContentType]

    /// Keeps what an app proposes, in place of what the same version of it proposed before.
    ///
    /// Nothing is kept of a proposal that says what ``contentTypes()`` say already, or that was dismissed. At most
    /// ``ContentTypeProposal/limit`` are kept.
    func propose(_ proposal: ContentTypeProposal) async throws

    /// Reads the proposals that say something new, the newest first.
    func contentTypeProposals() async throws -> [ContentTypeProposal]

    /// Makes the types of a proposal those that the app's typed contents expect.
    ///
    /// - Returns: Whether there is a proposal of that id.
    func acceptContentTypes(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    /// Hides a proposal for good; the app can still propose something else.
    ///
    /// - Returns: Whether there is a proposal of that id.
    func dismissContentTypes(_ id: String, at now: UnixTime, by actor: Actor) async throws -> Bool

    // MARK: Life

    /// Tells of changes from now on, whichever process made them. A listener that is slow may miss users but is then
    /// told ``StoreChange/anything``.
    func changes() -> AsyncStream<StoreChange>

    /// Checks that the store can be read and written; throws what is in the way.
    func checkHealth() async throws

    /// Looks at everything that serving devices needs, and says of each whether it is in order.
    func healthChecks() async -> [HealthCheck]

    /// Writes a copy of the whole store that is consistent in itself, with an epoch of its own.
    ///
    /// - Throws: `StoreError.exists` where there is such a file.
    func backUp(to path: String) async throws

    /// Finishes what is under way and closes the store.
    func close() async throws
}

extension CardStore {
    /// None: every read may have to wait.
    public var immediateReads: (any ImmediateReads)? { nil }

    /// Reads every campaign that was ever launched, with the generation that they show and the settings.
    public func catalog() async throws -> CatalogSource { try await catalog(since: nil) }

    /// Reads everything about a user that decides their feed, without their history.
    public func state(of user: UserID) async throws -> UserState? { try await state(of: user, including: []) }

    /// Keeps how far a worker has come in the log.
    public func save(_ progress: WebhookProgress, of webhook: Webhook, by worker: String) async throws -> Bool {
        try await save(progress, noticesThrough: nil, of: webhook, by: worker)
    }

    /// Writes what a backend tells of its users where no campaign waits for events.
    public func track(_ changes: [TrackedChange], at now: UnixTime) async throws -> TrackOutcome {
        try await track(changes, rules: nil, at: now)
    }
}

/// The hot reads of a ``CardStore``, on the caller's own thread: for stores in the same process, which wait for nobody.
///
/// They may be called on an event loop.
public protocol ImmediateReads: Sendable {
    /// As ``CardStore/glance(at:)``.
    func glance(at user: UserID) throws -> UserGlance?

    /// As ``CardStore/state(of:including:)``.
    func state(of user: UserID, including parts: UserHistory.Parts) throws -> UserState?
}
