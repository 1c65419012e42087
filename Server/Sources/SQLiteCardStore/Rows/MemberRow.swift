import CardModel
import CardStore
import Foundation
import GRDB

/// A member of the team as a row keeps it.
enum MemberRow {
    static func all(_ database: Database, _ secrets: StoreSecrets) throws -> [TeamMember] {
        try Row.fetchAll(database, sql: "SELECT * FROM members ORDER BY position").map { try TeamMember($0, secrets) }
    }

    static func find(_ email: String, in database: Database, _ secrets: StoreSecrets) throws -> TeamMember? {
        try Row.fetchOne(database, sql: "SELECT * FROM members WHERE email = ?", arguments: [email])
            .map { try TeamMember($0, secrets) }
    }

    static func find(
        _ identity: MemberIdentity,
        in database: Database,
        _ secrets: StoreSecrets
    ) throws -> TeamMember? {
        let sql = "SELECT * FROM members WHERE identity_issuer = ? AND identity_subject = ?"
        return try Row.fetchOne(database, sql: sql, arguments: [identity.issuer, identity.subject])
            .map { try TeamMember($0, secrets) }
    }

    static func insert(_ member: TeamMember, into database: Database, _ secrets: StoreSecrets) throws {
        try database.execute(
            sql: """
                INSERT INTO members
                    (email, name, role, password_hash, password_expires_at, sealed_code_secret, last_code_step,
                     recovery_codes, recovery_hashes, created_at, language, identity_issuer, identity_subject)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                member.email, member.name, member.role.rawValue, member.passwordHash, member.passwordExpiresAt,
                try sealedSecret(of: member, in: database, secrets), member.lastCodeStep,
                Data(member.storedRecoveryDigests), Data(member.storedRecoveryHashes), member.createdAt,
                member.language, member.identity?.issuer, member.identity?.subject,
            ]
        )
    }

    static func update(_ member: TeamMember, in database: Database, _ secrets: StoreSecrets) throws {
        try database.execute(
            sql: """
                UPDATE members
                SET name = ?, role = ?, password_hash = ?, password_expires_at = ?, code_secret = NULL,
                    sealed_code_secret = ?, last_code_step = ?, recovery_codes = ?, recovery_hashes = ?,
                    last_signed_in_at = ?, identity_issuer = ?, identity_subject = ?
                WHERE email = ?
                """,
            arguments: [
                member.name, member.role.rawValue, member.passwordHash, member.passwordExpiresAt,
                try sealedSecret(of: member, in: database, secrets), member.lastCodeStep,
                Data(member.storedRecoveryDigests), Data(member.storedRecoveryHashes),
                member.lastSignedInAt, member.identity?.issuer, member.identity?.subject, member.email,
            ]
        )
    }

    /// Returns the e-mail address of the member of a link that was neither used nor has expired.
    static func email(passwordLink hash: [UInt8], at now: UnixTime, in database: Database) throws -> String? {
        try String.fetchOne(
            database,
            sql: """
                SELECT email FROM members WHERE (link_hash = ?1 AND link_expires_at > ?2)
                    OR (requested_link_hash = ?1 AND requested_link_expires_at > ?2)
                """,
            arguments: [Data(hash), now]
        )
    }

    static func voidLink(of email: String, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE members SET link_hash = NULL, link_expires_at = NULL, requested_link_hash = NULL,
                    requested_link_expires_at = NULL
                WHERE email = ?
                """,
            arguments: [email]
        )
    }

    /// Notes a change of an account that its member is to be told of.
    static func noteChange(_ action: String, of email: String, at now: UnixTime, in database: Database) throws {
        try database.execute(
            sql: "UPDATE members SET changed_at = ?, change_action = ? WHERE email = ?",
            arguments: [now, action, email]
        )
    }

    /// Returns what was changed of an account since its member last signed in, if anything was.
    static func changeSinceSignIn(of email: String, in database: Database) throws -> String? {
        try String.fetchOne(
            database,
            sql: "SELECT change_action FROM members WHERE email = ? AND changed_at > last_signed_in_at",
            arguments: [email]
        )
    }

    private static func sealedSecret(
        of member: TeamMember,
        in database: Database,
        _ secrets: StoreSecrets
    ) throws -> Data? {
        let place = SealedColumn.codeSecret.place(member.email)
        return try member.codeSecret.map { Data(try secrets.seal($0, for: place, in: database)) }
    }
}

extension TeamMember {
    /// Restores a member from a row of any version.
    init(_ row: Row, _ secrets: StoreSecrets) throws {
        try self.init(stored: row, secrets)
        if codeSecret == nil, let readable = try row.optionalBytes("code_secret") { codeSecret = readable }
        // Random bytes that stand for a second factor whose key is lost say nothing of what is stored.
        let sealed = try row.optionalBytes("sealed_code_secret")
        if try sealed.map({ try secrets.canOpen($0) }) ?? true { noteStored() }
    }
}
