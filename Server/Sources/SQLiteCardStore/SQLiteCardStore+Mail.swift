public import CardModel
public import CardStore
import GRDB

extension SQLiteCardStore {
    /// Adds a message that is due at once.
    public func insertMail(_ mail: Mail) async throws -> Bool {
        try await writer.write { session in
            let database = session.database
            guard try MemberRow.find(mail.recipient, in: database, session.secrets) != nil else {
                throw StoreError.noMember
            }
            if mail.content.hasPasswordLink { try MailRow.removePasswordLinks(of: mail.recipient, from: database) }
            guard try MailRow.count(in: database) < Mail.limit else { return false }
            try MailRow.insert(mail, into: database, session.secrets)
            return true
        }
    }

    /// Takes the message for a worker that is due the longest.
    public func claimMail(for worker: String, seconds: Double, at now: UnixTime) async throws -> MailClaim {
        try await writer.write { session in
            let expired = try MailRow.removeExpired(at: now, from: session.database)
            let row = try MailRow.claim(
                for: worker,
                seconds: seconds,
                at: now,
                present: session.now(),
                in: session.database
            )
            return MailClaim(
                mail: try row.map { try Mail($0, session.secrets) },
                failures: try row?.count("failures") ?? 0,
                expired: expired
            )
        }
    }

    /// Removes a message that was sent, or never will be.
    public func endMail(_ id: String, by worker: String) async throws -> Bool {
        try await writer.write { try MailRow.remove(id, of: worker, from: $0.database) }
    }

    /// Notes that a message could not be sent, and when it is due again.
    public func postponeMail(
        _ id: String,
        until time: UnixTime,
        for failure: MailFailure,
        by worker: String
    ) async throws -> Bool {
        try await writer.write { session in
            try MailRow.postpone(id, until: time, for: failure, by: worker, in: session.database)
        }
    }

    /// Reads how many messages wait, and how it goes.
    public func mailQueue() async throws -> MailQueue { try await read { try MailRow.queue(in: $0) } }

    /// Saves the language that a member has chosen.
    public func setLanguage(_ tag: String?, of email: String) async throws {
        try await writer.write { session in
            try session.database.execute(
                sql: "UPDATE members SET language = ? WHERE email = ?",
                arguments: [tag, email]
            )
            guard session.database.changesCount > 0 else { throw StoreError.noMember }
        }
    }
}
