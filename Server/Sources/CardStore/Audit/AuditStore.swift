public import CardModel
public import WireJSON

/// Keeps the audit log: who did what, each entry chained to the one before it.
///
/// A store appends an entry in the transaction of what it tells of, and keeps the ``AuditChain`` with it. Entries are
/// removed from the beginning only, by ``pruneAudit(before:at:by:)``.
public protocol AuditStore: Sendable {
    /// Appends entries about things that changed nothing, such as reads and refusals, in one transaction.
    func appendAuditNotes(_ notes: [AuditNote]) async throws

    /// Reads the entries before a position, the newest first: `limit` at most, 1 to 1000; `nil` begins at the end.
    func latestAuditEntries(before position: Int64?, limit: Int) async throws -> [AuditEntry]

    /// Reads the entries after a position, the oldest first: `limit` at most, 1 to 1000.
    func auditEntries(after position: Int64, limit: Int) async throws -> [AuditEntry]

    /// Reads how long the log is and how it ends.
    func auditChain() async throws -> AuditChain

    /// Removes the entries from before a moment, and appends one that says so.
    ///
    /// - Returns: How many were removed.
    func pruneAudit(before time: UnixTime, at now: UnixTime, by actor: Actor) async throws -> Int
}

extension AuditStore {
    /// Reads the newest entries, the newest first: `limit` at most, 1 to 1000.
    public func latestAuditEntries(limit: Int) async throws -> [AuditEntry] {
        try await latestAuditEntries(before: nil, limit: limit)
    }

    /// Appends an entry about something that changed nothing.
    public func appendAuditNote(_ action: String, of subject: String, at now: UnixTime, by actor: Actor) async throws {
        try await appendAuditNotes([AuditNote(action, of: subject, at: now, by: actor)])
    }

    /// Checks that no entry is missing or was changed.
    ///
    /// Takes time in proportion to the log; others may append at the same time.
    ///
    /// - Parameter mark: How the log ended some time ago, or `nil` where that was not noted.
    /// - Returns: The log as it was when the check began, and what is wrong.
    /// - Throws: What keeps the store from reading.
    public func verifyAudit(
        expecting mark: AuditChain.Mark? = nil
    ) async throws -> (chain: AuditChain, problems: [AuditVerification.AuditFinding]) {
        let chain = try await auditChain()
        var verification = AuditVerification(of: chain, expecting: mark)
        var position: Int64 = -1
        while true {
            let page = try await auditEntries(after: position, limit: 1_000)
            verification.check(page.filter { $0.position <= chain.last.position })
            guard let last = page.last, last.position < chain.last.position else { break }
            position = last.position
        }
        var problems = verification.finish()
        // An entry and the end of the log are written at once, so that the end has what was appended since.
        if let later = try await auditEntries(after: max(0, chain.last.position), limit: 1).first,
            try await auditChain().last.position < later.position
        {
            problems.append(.unrecorded(after: chain.last.position))
        }
        return (chain, problems)
    }
}

/// Something to append to the audit log.
public struct AuditNote: Sendable, Hashable {
    /// Longer subjects are cut, so that what strangers send fills nothing up.
    static let longestSubject = 512
    /// Longer details are left out.
    static let longestDetails = 16_384

    /// The action, such as `user.read`.
    public let action: String
    /// The ID of what was changed or read; at most 512 bytes.
    public let subject: String
    /// The time of the action.
    public let at: UnixTime
    /// The actor of the action.
    public let actor: Actor
    /// The other details, as JSON text; `nil` for none.
    public let details: String?

    /// Creates a note; what is too long is cut.
    public init(
        _ action: String,
        of subject: String,
        details: JSONValue = .null,
        at time: UnixTime,
        by actor: Actor
    ) {
        self.action = action
        self.subject = Self.cut(subject)
        self.at = time
        self.actor = actor
        let text = details.isNull ? nil : details.text
        self.details = text.map { $0.utf8.count <= Self.longestDetails ? $0 : #"{"omitted":true}"# }
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > longestSubject else { return text }
        return String(decoding: text.utf8.prefix(longestSubject - 6), as: UTF8.self) + "…"
    }
}

/// An entry of the audit log.
public struct AuditEntry: Sendable, Hashable {
    /// Its place in the log.
    public var position: Int64
    /// The time of the action.
    public var at: UnixTime
    /// The name of the actor; see `Actor.name`.
    public var actor: String
    /// The kind of the actor; see `Actor.kind`.
    public var actorKind: String
    /// The action, such as `campaign.launch`.
    public var action: String
    /// The ID of what was changed or read.
    public var subject: String
    /// The other details, as JSON text; `nil` for none.
    public var details: String?
    /// The hash over this entry and the one before it.
    public var hash: [UInt8]

    /// Creates an entry that follows another.
    ///
    /// - Parameters:
    ///   - position: Its place in the log.
    ///   - note: What it says.
    ///   - previous: The hash of the entry before it; empty for the first.
    public init(position: Int64, _ note: AuditNote, after previous: [UInt8]) {
        self.position = position
        at = note.at
        actor = note.actor.name
        actorKind = note.actor.kind.rawValue
        action = note.action
        subject = note.subject
        details = note.details
        hash = []
        hash = chained(to: previous)
    }

    /// Restores an entry.
    public init(
        position: Int64,
        at: UnixTime,
        actor: String,
        actorKind: String,
        action: String,
        subject: String,
        details: String? = nil,
        hash: [UInt8]
    ) {
        self.position = position
        self.at = at
        self.actor = actor
        self.actorKind = actorKind
        self.action = action
        self.subject = subject
        self.details = details
        self.hash = hash
    }
}
