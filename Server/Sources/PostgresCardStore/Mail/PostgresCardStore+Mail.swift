public import CardModel
public import CardStore

extension PostgresCardStore {
    /// Adds a message that is due at once.
    public func insertMail(_ mail: Mail) async throws -> Bool {
        try await writer.writeAlone { session in
            let connection = session.connection
            // Two messages to one member come one after the other, so that the newer replaces the older.
            let member = try connection.row(
                "SELECT 1 AS found FROM members WHERE email = $1 FOR NO KEY UPDATE",
                [mail.recipient]
            )
            guard member != nil else { throw StoreError.noMember }
            if mail.content.hasPasswordLink { try MailRow.removePasswordLinks(of: mail.recipient, from: connection) }
            guard try MailRow.count(in: connection) < Mail.limit else { return false }
            try MailRow.insert(mail, into: connection, session.secrets)
            return true
        }
    }

    /// Takes the message for a worker that is due the longest.
    public func claimMail(for worker: String, seconds: Double, at now: UnixTime) async throws -> MailClaim {
        try await writer.writeAlone { session in
            let expired = try MailRow.removeExpired(at: now, from: session.connection)
            let row = try MailRow.claim(for: worker, seconds: seconds, at: now, in: session.connection)
            return MailClaim(
                mail: try row.map { try Mail($0, session.secrets) },
                failures: try row?.count("failures") ?? 0,
                expired: expired
            )
        }
    }

    /// Removes a message that was sent, or never will be.
    public func endMail(_ id: String, by worker: String) async throws -> Bool {
        try await writer.writeAlone { session in
            try session.connection.execute("DELETE FROM mails WHERE id = $1 AND worker = $2", [id, worker]) > 0
        }
    }

    /// Notes that a message could not be sent, and when it is due again.
    public func postponeMail(
        _ id: String,
        until time: UnixTime,
        for failure: MailFailure,
        by worker: String
    ) async throws -> Bool {
        try await writer.writeAlone { session in
            try session.connection.execute(
                """
                UPDATE mails
                SET worker = NULL, next_attempt_at = $1, failures = failures + 1, failure = $2, failed_at = $3
                WHERE id = $4 AND worker = $5
                """,
                [time, failure.reason, failure.at, id, worker]
            ) > 0
        }
    }

    /// Reads how many messages wait, and how it goes.
    public func mailQueue() async throws -> MailQueue { try await snapshot { try MailRow.queue(in: $0) } }

    /// Saves the language that a member has chosen.
    public func setLanguage(_ tag: String?, of email: String) async throws {
        try await writer.writeAlone { session in
            let changed = try session.connection.execute(
                "UPDATE members SET language = $1 WHERE email = $2",
                [tag, email]
            )
            guard changed > 0 else { throw StoreError.noMember }
        }
    }
}
