import CardModel
import CardStore
import WireJSON

/// The notices that the webhook has not got yet.
///
/// A notice is written in the transaction that it is about and removed in the one that saves the receiver's answer. The
/// id of a user who was deleted stays until then, and where there is no webhook that wants it, not at all.
enum WebhookNoticeRow {
    static func fetch(limit: Int, in connection: PostgresConnection) throws -> [WebhookNotice] {
        try connection.rows("SELECT * FROM webhook_notices ORDER BY position LIMIT $1", [limit])
            .map(WebhookNotice.init)
    }

    /// Removes what the receiver has.
    static func remove(through position: Int64, from connection: PostgresConnection) throws {
        try connection.execute("DELETE FROM webhook_notices WHERE position <= $1", [position])
    }

    /// Removes what the webhook doesn't ask for, all where it is `nil`.
    static func remove(unwantedBy webhook: Webhook?, from connection: PostgresConnection) throws {
        for kind in WebhookNotice.NoticeKind.allCases {
            if let webhook, Webhook.sends(kind, amongTypes: webhook.types) { continue }
            try connection.execute("DELETE FROM webhook_notices WHERE kind = $1", [kind.rawValue])
        }
    }
}

extension WriteSession {
    /// Leaves a notice for the webhook at the end of the group, where it asks for the kind.
    ///
    /// - Parameters:
    ///   - notice: The notice.
    ///   - user: The user.
    func notify(_ notice: UserEnd.Notice, about user: UserID) {
        changes.notices.append(WebhookNotice(notice.kind, about: .user(user), details: notice.details, at: notice.at))
    }

    /// Writes the notices of the group that the webhook asks for.
    ///
    /// Places come from one row, which stays locked until the commit, so that a receiver misses none.
    func flushNotices() throws {
        guard !changes.notices.isEmpty,
            let types = try connection.row("SELECT types FROM webhooks WHERE id = 1 FOR SHARE")?.text("types")
        else { return }
        let notices = changes.notices.filter { Webhook.sends($0.kind, amongTypes: Webhook.types(types)) }
        guard !notices.isEmpty else { return }
        try connection.execute(
            """
            WITH head AS (UPDATE webhook_notice_head SET position = position + $1 WHERE id = 1 RETURNING position)
            INSERT INTO webhook_notices (position, id, kind, subject, details, at)
            SELECT (SELECT position FROM head) - $1 + n.place, n.id, n.kind, n.subject, n.details, n.at
            FROM unnest($2::BYTEA[], $3::TEXT[], $4::TEXT[], $5::TEXT[], $6::DOUBLE PRECISION[])
                WITH ORDINALITY AS n (id, kind, subject, details, at, place)
            """,
            [
                notices.count, notices.map(\.id.bytes), notices.map(\.kind.rawValue), notices.map(\.subject.text),
                notices.map(\.details.text), notices.map(\.at),
            ]
        )
        try dropOldestNotices()
    }

    private func dropOldestNotices() throws {
        // Numbers may be missing but never repeat, so few numbers are few notices, and the rest is seldom counted.
        let row = try connection.row("SELECT max(position) - min(position) AS span FROM webhook_notices")
        guard let span = try row?.optionalInteger("span"), span >= WebhookNotice.limit else { return }
        let dropped = try connection.execute(
            """
            DELETE FROM webhook_notices WHERE position <=
                (SELECT position FROM webhook_notices ORDER BY position DESC LIMIT 1 OFFSET $1)
            """,
            [WebhookNotice.limit]
        )
        guard dropped > 0 else { return }
        try connection.execute(
            "UPDATE webhooks SET dropped_notices = dropped_notices + $1 WHERE id = 1",
            [dropped]
        )
    }
}
