/// Keeps users, campaigns, deliveries and counts: the composition of all roles of a store.
///
/// Each role is a protocol of its own, in a file with its values. A store owes this, and the conformance suite in
/// `CardStoreConformance` checks it:
///
/// - What a call has reported as done survives the death of the process and of the machine.
/// - Each call is all or nothing. One that throws has changed nothing.
/// - All data of one end user can be found by the user's id alone, so that a store may be divided by it.
/// - Events count once per user and id, in one transaction with what they change.
/// - A change that apps may see is announced by ``LifecycleStore/changes()`` within a second, whichever process made
///   it.
/// - A limit is 1 to 1000; lists read as much as they return, however much the store holds.
/// - What a call does to a user is computed in `CardModel`: a store loads, applies and saves.
///
/// A store works from any number of tasks at once. Every call throws ``StoreError``, `unavailable` once it is closed.
public protocol CardStore:
    DeviceStore, EventStore, WebhookStore, TriggerStore, TestCardStore, UserStore, IdentityStore,
    CampaignStore, CampaignHistoryStore, MentionStore, ApprovalStore, ReportStore, SegmentStore, ContentBlockStore,
    ContentTypeStore, CatalogStore, MediaStore, ImportStore, APIKeyStore, TeamStore, SessionStore, AttemptStore,
    MailStore, AuditStore, SavedFilterStore, BucketFolderStore, LifecycleStore
{}
