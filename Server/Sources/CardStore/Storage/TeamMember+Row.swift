import CardModel

extension TeamMember {
    /// SHA-256, as older versions kept recovery codes.
    private static let digestCount = 32

    /// The SHA-256 digests of recovery codes as a row holds them: one after the other.
    package var storedRecoveryDigests: [UInt8] { Array(recoveryCodes.filter { $0.count == Self.digestCount }.joined()) }

    /// The slow hashes of recovery codes as a row holds them: one after the other.
    package var storedRecoveryHashes: [UInt8] {
        Array(recoveryCodes.filter { $0.count == RecoveryCodeHash.byteCount }.joined())
    }

    /// Restores a member from its row, but for a secret that stands in it as it is.
    ///
    /// A role that a newer version named may only look.
    package init(stored row: some StoredRow, _ secrets: StoreSecrets) throws {
        self.init(
            email: try row.text("email"),
            name: try row.text("name"),
            role: Role(rawValue: try row.text("role")) ?? .viewer,
            passwordHash: try row.text("password_hash"),
            createdAt: try row.double("created_at")
        )
        if let sealed = try row.optionalBytes("sealed_code_secret") {
            codeSecret = try secrets.open(sealed, for: SealedColumn.codeSecret.place(email))
        }
        lastCodeStep = try row.integer("last_code_step")
        language = try row.optionalText("language")
        recoveryCodes =
            try Self.pieces(of: row.bytes("recovery_codes"), Self.digestCount)
            + Self.pieces(of: row.bytes("recovery_hashes"), RecoveryCodeHash.byteCount)
        lastSignedInAt = try row.optionalDouble("last_signed_in_at")
        passwordExpiresAt = try row.optionalDouble("password_expires_at")
        if let issuer = try row.optionalText("identity_issuer"),
            let subject = try row.optionalText("identity_subject")
        {
            identity = MemberIdentity(issuer: issuer, subject: subject)
        }
    }

    private static func pieces(of bytes: [UInt8], _ count: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0...].prefix(count)) }
    }
}

extension Session {
    /// The time for which a session is remembered after it has expired, in seconds: a week.
    package static let memory = 604_800.0

    /// Returns until when it is remembered that a form was sent: two days at most, whatever is asked for.
    package static func formEnd(_ expiry: UnixTime, at now: UnixTime) -> UnixTime { min(expiry, now + 172_800) }

    /// Restores a session from its row.
    package init(_ row: some StoredRow) throws {
        self.init(
            hash: try row.bytes("hash"),
            email: try row.text("email"),
            formKey: try row.bytes("form_key"),
            createdAt: try row.double("created_at"),
            expiresAt: try row.double("expires_at"),
            address: try row.text("address"),
            browser: try row.text("browser")
        )
        lastUsedAt = try row.double("last_used_at")
        confirmedAt = try row.double("confirmed_at")
        accountChange = try row.optionalText("account_change")
    }
}
