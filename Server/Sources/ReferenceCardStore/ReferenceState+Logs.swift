import CardModel
import CardStore
import WireJSON

extension ReferenceState {
    // MARK: Audit

    mutating func appendAudit(
        _ action: String,
        of subject: String,
        details: JSONValue = .null,
        at time: UnixTime,
        by actor: Actor
    ) {
        append(AuditNote(action, of: subject, details: details, at: time, by: actor))
    }

    mutating func append(_ note: AuditNote) { audit.append(auditChain.append(note)) }

    // MARK: The catalog

    @discardableResult
    mutating func advanceCatalog() -> CatalogGeneration {
        // safe: counts changes
        generation += 1
        changes.catalog = true
        return generation
    }

    // MARK: Notices

    /// Adds a notice where the webhook asks for its kind; the oldest are dropped beyond 100,000.
    mutating func addNotice(_ notice: UserEnd.Notice, about user: UserID) {
        addNotice(notice.kind, about: .user(user), details: notice.details, at: notice.at)
    }

    /// Adds a notice where the webhook asks for its kind; the oldest are dropped beyond 100,000.
    mutating func addNotice(
        _ kind: WebhookNotice.NoticeKind,
        about subject: WebhookNotice.NoticeSubject,
        details: JSONValue,
        at now: UnixTime
    ) {
        guard let types = webhook?.webhook.types, Webhook.sends(kind, amongTypes: types) else { return }
        // safe: counts notices
        lastNotice += 1
        var random = SystemRandomNumberGenerator()
        let id = EventID(at: now, using: &random)
        notices.append(
            WebhookNotice(position: lastNotice, id: id, kind: kind, subject: subject, details: details, at: now)
        )
        while notices.count > WebhookNotice.limit {
            notices.removeFirst()
            // safe: counts notices
            webhook?.droppedNotices += 1
        }
    }

    /// The webhook as the store shows it.
    var webhookState: WebhookState? {
        webhook.map { webhook in
            var state = WebhookState(webhook: webhook.webhook, progress: webhook.progress)
            state.pendingNotices = Int64(notices.count)
            state.droppedNotices = webhook.droppedNotices
            return state
        }
    }
}

extension Array {
    /// Returns a page of at most `limit` elements, which is taken to be 1 to 1000.
    func page(_ limit: Int, after offset: Int = 0) -> [Element] {
        Array(dropFirst(Swift.max(0, offset)).prefix(Swift.min(Swift.max(limit, 1), 1_000)))
    }
}
