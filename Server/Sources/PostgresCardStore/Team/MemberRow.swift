import CardModel
import CardStore

/// A member of the team as a row holds it.
enum MemberRow {
    static func all(_ connection: PostgresConnection, _ secrets: StoreSecrets) throws -> [TeamMember] {
        try connection.rows("SELECT * FROM members ORDER BY position").map { try member($0, secrets) }
    }

    static func find(
        _ email: String,
        in connection: PostgresConnection,
        _ secrets: StoreSecrets
    ) throws -> TeamMember? {
        try connection.row("SELECT * FROM members WHERE email = $1", [email])
            .map { try member($0, secrets) }
    }

    static func find(
        _ identity: MemberIdentity,
        in connection: PostgresConnection,
        _ secrets: StoreSecrets
    ) throws -> TeamMember? {
        try connection.row(
            "SELECT * FROM members WHERE identity_issuer = $1 AND identity_subject = $2",
            [identity.issuer, identity.subject]
        ).map { try member($0, secrets) }
    }

    private static func member(_ row: PostgresRow, _ secrets: StoreSecrets) throws -> TeamMember {
        var member = try TeamMember(stored: row, secrets)
        // Random bytes that stand for a second factor whose key is lost say nothing of what is stored.
        if try row.optionalBytes("sealed_code_secret").map({ try secrets.canOpen($0) }) ?? true { member.noteStored() }
        return member
    }

    /// Keeps other nodes from changing any member until the commit: a team always has an administrator.
    static func lockAll(_ connection: PostgresConnection) throws {
        _ = try connection.row("SELECT generation FROM store WHERE id = 1 FOR NO KEY UPDATE")
    }

    /// Inserts a member, or returns `false` where there is one of that e-mail address or account at a provider.
    static func insert(
        _ member: TeamMember,
        into connection: PostgresConnection,
        _ secrets: StoreSecrets
    ) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO members
                (email, name, role, password_hash, password_expires_at, sealed_code_secret, last_code_step,
                 recovery_codes, recovery_hashes, created_at, language, identity_issuer, identity_subject)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            ON CONFLICT DO NOTHING
            """,
            [
                member.email, member.name, member.role.rawValue, member.passwordHash, member.passwordExpiresAt,
                try sealedSecret(of: member, in: connection, secrets), member.lastCodeStep,
                member.storedRecoveryDigests, member.storedRecoveryHashes, member.createdAt, member.language,
                member.identity?.issuer, member.identity?.subject,
            ]
        ) > 0
    }

    static func update(_ member: TeamMember, in connection: PostgresConnection, _ secrets: StoreSecrets) throws {
        try connection.execute(
            """
            UPDATE members
            SET name = $1, role = $2, password_hash = $3, password_expires_at = $4, sealed_code_secret = $5,
                last_code_step = $6, recovery_codes = $7, recovery_hashes = $8, last_signed_in_at = $9,
                identity_issuer = $10, identity_subject = $11
            WHERE email = $12
            """,
            [
                member.name, member.role.rawValue, member.passwordHash, member.passwordExpiresAt,
                try sealedSecret(of: member, in: connection, secrets), member.lastCodeStep,
                member.storedRecoveryDigests, member.storedRecoveryHashes, member.lastSignedInAt,
                member.identity?.issuer,
                member.identity?.subject, member.email,
            ]
        )
    }

    /// The condition for the member of a link by its hash, `$1`, at a moment, `$2`.
    static let isLinked = """
        ((link_hash = $1 AND link_expires_at > $2)
            OR (requested_link_hash = $1 AND requested_link_expires_at > $2))
        """

    /// Voids both links of a member.
    static let noLinks = """
        link_hash = NULL, link_expires_at = NULL, requested_link_hash = NULL, requested_link_expires_at = NULL
        """

    static func voidLink(of email: String, in connection: PostgresConnection) throws {
        try connection.execute("UPDATE members SET \(noLinks) WHERE email = $1", [email])
    }

    /// Notes a change of an account that its member is to be told of.
    static func noteChange(
        _ action: String,
        of email: String,
        at now: UnixTime,
        in connection: PostgresConnection
    ) throws {
        try connection.execute(
            "UPDATE members SET changed_at = $1, change_action = $2 WHERE email = $3",
            [now, action, email]
        )
    }

    private static func sealedSecret(
        of member: TeamMember,
        in connection: PostgresConnection,
        _ secrets: StoreSecrets
    ) throws -> [UInt8]? {
        let place = SealedColumn.codeSecret.place(member.email)
        return try member.codeSecret.map { try secrets.seal($0, for: place, in: connection) }
    }
}
