import CardModel
import CardStore
import Foundation
import GRDB

/// A member of the team as a row keeps it.
enum MemberRow {
    static func all(_ database: Database) throws -> [TeamMember] {
        try Row.fetchAll(database, sql: "SELECT * FROM members ORDER BY position").map(TeamMember.init)
    }

    static func find(_ email: String, in database: Database) throws -> TeamMember? {
        try Row.fetchOne(database, sql: "SELECT * FROM members WHERE email = ?", arguments: [email])
            .map(TeamMember.init)
    }

    static func insert(_ member: TeamMember, into database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO members
                    (email, name, role, password_hash, code_secret, last_code_step, recovery_codes, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                member.email, member.name, member.role.rawValue, member.passwordHash,
                member.codeSecret.map { Data($0) },
                member.lastCodeStep, Data(member.recoveryCodes.joined()), member.createdAt,
            ]
        )
    }

    static func update(_ member: TeamMember, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE members
                SET name = ?, role = ?, password_hash = ?, code_secret = ?, last_code_step = ?, recovery_codes = ?,
                    last_signed_in_at = ?
                WHERE email = ?
                """,
            arguments: [
                member.name, member.role.rawValue, member.passwordHash, member.codeSecret.map { Data($0) },
                member.lastCodeStep, Data(member.recoveryCodes.joined()), member.lastSignedInAt, member.email,
            ]
        )
    }
}

extension TeamMember {
    /// Restores a member from a row.
    ///
    /// A role that a newer version named may only look.
    init(_ row: Row) {
        let role: String = row["role"]
        let secret: Data? = row["code_secret"]
        self.init(
            email: row["email"],
            name: row["name"],
            role: Role(rawValue: role) ?? .viewer,
            passwordHash: row["password_hash"],
            createdAt: row["created_at"]
        )
        codeSecret = secret.map { [UInt8]($0) }
        lastCodeStep = row["last_code_step"]
        let codes: Data = row["recovery_codes"]
        recoveryCodes = stride(from: 0, to: codes.count, by: 32).map { [UInt8](codes.dropFirst($0).prefix(32)) }
        lastSignedInAt = row["last_signed_in_at"]
    }
}

extension Session {
    /// Restores a session from a row.
    init(_ row: Row) {
        let (hash, formKey): (Data, Data) = (row["hash"], row["form_key"])
        self.init(
            hash: [UInt8](hash),
            email: row["email"],
            formKey: [UInt8](formKey),
            createdAt: row["created_at"],
            expiresAt: row["expires_at"]
        )
    }
}
