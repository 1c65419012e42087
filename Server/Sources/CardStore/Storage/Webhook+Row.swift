package import CardModel
package import WireJSON

extension Webhook {
    /// The types as a row holds them.
    package var storedTypes: String { types.sorted().joined(separator: ",") }

    /// Restores types from a row's column.
    package static func types(_ column: String) -> Set<String> {
        Set(column.split(at: ",").map(String.init))
    }
}

extension WebhookState {
    /// Restores a webhook from its row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - readable: The secret that is used where none is encrypted.
    ///   - secrets: What decrypts the secret.
    /// - Throws: `StoreError.locked` without the secret's key, `StoreError.corrupt` where it was changed.
    package init(_ row: some StoredRow, readable: String = "", _ secrets: StoreSecrets) throws {
        let secret = try row.optionalBytes("sealed_secret").map {
            try secrets.open($0, for: SealedColumn.webhookSecret.place("1"))
        }
        var progress = WebhookProgress(position: try row.integer("position"))
        progress.failures = try row.count("failures")
        progress.nextAttemptAt = try row.double("next_attempt_at")
        progress.lastSuccessAt = try row.optionalDouble("last_success_at")
        progress.lastFailureAt = try row.optionalDouble("last_failure_at")
        progress.lastFailure = try row.optionalText("last_failure")
        self.init(
            webhook: Webhook(
                url: try row.text("url"),
                secret: secret.map { String(decoding: $0, as: UTF8.self) } ?? readable,
                types: Webhook.types(try row.text("types")),
                createdAt: try row.double("created_at")
            ),
            progress: progress
        )
        droppedNotices = try row.integer("dropped_notices")
    }
}

extension WebhookNotice {
    /// The number of notices that wait at most.
    ///
    /// The oldest are dropped beyond that, which the webhook's state shows.
    package static let limit: Int64 = 100_000

    /// Creates a notice that has no place yet.
    package init(_ kind: NoticeKind, about subject: NoticeSubject, details: JSONValue, at now: UnixTime) {
        var random = SystemRandomNumberGenerator()
        self.init(
            position: 0,
            id: EventID(at: now, using: &random),
            kind: kind,
            subject: subject,
            details: details,
            at: now
        )
    }

    /// Restores a notice from its row.
    package init(_ row: some StoredRow) throws {
        guard let id = EventID(bytes: try row.bytes("id")), let kind = NoticeKind(rawValue: try row.text("kind")) else {
            throw StoreError.unreadable("a notice for the webhook")
        }
        self.init(
            position: try row.integer("position"),
            id: id,
            kind: kind,
            subject: NoticeSubject(try row.text("subject"), of: kind),
            details: try JSONValue(parsing: row.text("details")),
            at: try row.double("at")
        )
    }
}
