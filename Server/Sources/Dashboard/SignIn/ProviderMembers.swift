import CardModel
import CardServer
import CardStore

/// Finds, connects and creates the members that an OpenID provider speaks for.
struct ProviderMembers: Sendable {
    /// Says why whoever signed in at the provider isn't let in.
    struct Refusal: Error {
        let message: String
        /// The member that they would have been, if there is one.
        var member: TeamMember?
    }

    let site: Site
    let settings: OpenIDSettings

    /// Whether roles follow groups.
    private var mapsGroups: Bool { !settings.groupRoles.isEmpty }

    /// Returns the member, with the role that their groups have now.
    ///
    /// - Throws: ``Refusal``.
    func member(for claims: OpenIDClaims) async throws -> TeamMember {
        let identity = MemberIdentity(issuer: settings.issuer, subject: claims.subject)
        if let member = try await site.store.member(identity: identity) {
            return try await applyingGroups(of: claims, to: member)
        }
        guard let email = claims.email else {
            throw Refusal(
                message: localized("Your account at \(settings.name) has no verified email address.")
            )
        }
        guard let member = try await site.store.member(email) else {
            return try await create(email, identity, claims)
        }
        guard member.identity == nil else {
            throw Refusal(
                message: localized(
                    "This email address belongs to another account at \(settings.name). Contact your administrator."
                ),
                member: member
            )
        }
        return try await applyingGroups(of: claims, to: try await connect(member, to: identity, claims))
    }

    /// Connects a member who was invited or has signed in with a password so far.
    private func connect(
        _ member: TeamMember,
        to identity: MemberIdentity,
        _ claims: OpenIDClaims
    ) async throws -> TeamMember {
        guard !mapsGroups || claims.role != nil else { throw withoutRole(member) }
        var connected = member
        connected.identity = identity
        if member.passwordExpiresAt != nil {
            // They never need the temporary one, which others may know.
            connected.passwordHash = try await unknownPassword(of: member.email)
            connected.passwordExpiresAt = nil
        }
        return try await save(connected, "member.identity")
    }

    private func create(
        _ email: String,
        _ identity: MemberIdentity,
        _ claims: OpenIDClaims
    ) async throws -> TeamMember {
        guard settings.createsMembers, let role = claims.role else {
            throw Refusal(message: localized("There is no account for you here. Ask an admin for an invite."))
        }
        var member = TeamMember(
            email: email,
            name: claims.name,
            role: role,
            passwordHash: try await unknownPassword(of: email),
            createdAt: site.now
        )
        member.identity = identity
        try await site.store.insertMember(member, by: .server)
        member.noteStored()
        return member
    }

    /// Gives a member the role of their groups; who is in none any more is signed out everywhere.
    private func applyingGroups(of claims: OpenIDClaims, to member: TeamMember) async throws -> TeamMember {
        guard mapsGroups else { return member }
        guard let role = claims.role else {
            try await site.store.endSessions(of: member.email, but: nil, at: site.now, by: .server)
            throw withoutRole(member)
        }
        guard role != member.role else { return member }
        var changed = member
        changed.role = role
        do {
            return try await save(changed, "member.role-\(role.rawValue)")
        } catch let error as StoreError where error.code == .conflict && member.role == .admin {
            // The last administrator stays one.
            site.server.logger.warning("The last administrator keeps the role, whatever the provider's groups say")
            return member
        }
    }

    private func withoutRole(_ member: TeamMember) -> Refusal {
        Refusal(
            message: localized("None of your groups at \(settings.name) has access. Contact your administrator."),
            member: member
        )
    }

    private func save(_ member: TeamMember, _ action: String) async throws -> TeamMember {
        try await site.store.updateMember(member, action: action, keeping: nil, at: site.now, by: .server)
        var saved = member
        saved.noteStored()
        return saved
    }

    /// The hash of a password that no one knows.
    private func unknownPassword(of email: String) async throws -> String {
        try await site.passwords.hash(SecretBytes.text(SecretBytes.random(32)), for: .known(account: email))
    }
}
