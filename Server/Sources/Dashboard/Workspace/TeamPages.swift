import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird

/// Who may use the dashboard.
enum TeamPages {
    struct RoleChoice {
        /// The role in forms.
        let name: String
        let text: String
        let isChosen: Bool
    }

    struct MemberView {
        let email: String
        let key: String
        let name: String
        let role: String
        let roles: [RoleChoice]
        let hasFactor: Bool
        let isYou: Bool
        let signedIn: TimeView?
        /// Until when the member can choose a password, where that is yet to do.
        let pendingUntil: TimeView?
    }

    /// A link that was issued, which no other page can show.
    struct Issued {
        let email: String
        let link: String
        let expiry: TimeView
        let isInvitation: Bool
        /// Whether the member gets it by e-mail.
        let isMailed: Bool
    }

    struct View {
        let members: [MemberView]
        let roles: [RoleChoice]
        var email = ""
        var name = ""
        var error: String?
        var issued: Issued?
        /// Whether links go by e-mail.
        var sendsMail = false
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        try visit.page("team", title: localized("Team"), in: .team, try await view(visit))
    }

    private static func view(_ visit: Visit) async throws -> View {
        let members = try await visit.store.members().map { member in
            MemberView(
                email: member.email,
                key: FormData.escape(member.email),
                name: member.name,
                role: member.role.displayName,
                roles: roles(chosen: member.role),
                hasFactor: member.codeSecret != nil,
                isYou: member.email == visit.member.email,
                signedIn: member.lastSignedInAt.map { TimeView($0, for: visit) },
                pendingUntil: member.passwordExpiresAt.map { TimeView($0, for: visit) }
            )
        }
        return View(members: members, roles: roles(chosen: .editor), sendsMail: visit.site.server.mail.isOn)
    }

    private static func roles(chosen: Role) -> [RoleChoice] {
        Role.allCases.map { RoleChoice(name: $0.rawValue, text: $0.displayName, isChosen: $0 == chosen) }
    }

    @Sendable static func add(_ visit: Visit) async throws -> Response {
        do {
            let role = visit.form[.role].flatMap(Role.init) ?? .viewer
            let new = try NewMember(visit.form, role: role, isInvited: true)
            let member = try await new.member(visit.site, visit.caller)
            try await visit.store.insertMember(member, by: visit.actor)
            return try await issueLink(for: member, isInvitation: true, visit)
        } catch let problem as NewMember.Problem {
            return try await again(visit, problem.message)
        } catch let error as StoreError where error.code == .exists {
            return try await again(visit, localized(sentence: error.message))
        }
    }

    private static func again(_ visit: Visit, _ message: String) async throws -> Response {
        var view = try await view(visit)
        view.email = visit.form.value(.email)
        view.name = visit.form.value(.name)
        view.error = message
        return try visit.page("team", title: localized("Team"), in: .team, status: .badRequest, view)
    }

    @Sendable static func changeRole(_ visit: Visit) async throws -> Response {
        guard var member = try await visit.store.member(try visit.parameter("email")),
            let role = visit.form[.role].flatMap(Role.init)
        else { throw DashboardError.notFound }
        member.role = role
        try await visit.store.updateMember(
            member,
            action: "member.role-\(role.rawValue)",
            keeping: nil,
            at: visit.now,
            by: visit.actor
        )
        await visit.site.mailChange("member.role-\(role.rawValue)", of: member)
        return .seeOther("/dashboard/team?done=saved")
    }

    /// Issues a link by which a member chooses a password, and shows it in the answer itself: it is stored nowhere.
    private static func issueLink(
        for member: TeamMember,
        isInvitation: Bool,
        _ visit: Visit
    ) async throws -> Response {
        guard let expiry = member.passwordExpiresAt else { throw DashboardError.notFound }
        let link = PasswordLink()
        try await link.issue(for: member.email, until: expiry, in: visit.store)
        let isMailed = try await mail(link, to: member, until: expiry, isInvitation: isInvitation, visit)
        var view = try await view(visit)
        view.issued = Issued(
            email: member.email,
            link: link.address(for: visit),
            expiry: TimeView(expiry, for: visit),
            isInvitation: isInvitation,
            isMailed: isMailed
        )
        return try visit.page("team", title: localized("Team"), in: .team, status: .created, view)
    }

    /// Sends a link to its member, and returns whether it goes by e-mail.
    private static func mail(
        _ link: PasswordLink,
        to member: TeamMember,
        until expiry: UnixTime,
        isInvitation: Bool,
        _ visit: Visit
    ) async throws -> Bool {
        let mail = visit.site.server.mail
        guard let address = mail.address(of: link.path) else { return false }
        let letter = PasswordLetter(link: address, expiresAt: expiry)
        let (name, email) = (visit.member.name, visit.member.email)
        let author = name.isEmpty ? email : "\(name) (\(email))"
        return try await mail.send(
            isInvitation ? .invitation(letter, from: author) : .passwordReset(letter),
            to: member,
            in: TextCatalog.current.tag,
            until: expiry
        )
    }

    /// Voids the password of a member who can't sign in, signs the member out everywhere, and issues a link to choose
    /// another one.
    @Sendable static func resetPassword(_ visit: Visit) async throws -> Response {
        let email = try visit.parameter("email")
        guard !email.hasSameBytes(as: visit.member.email), var member = try await visit.store.member(email) else {
            throw DashboardError.notFound
        }
        let unknown = TemporaryPassword().text
        member.passwordHash = try await visit.site.passwords.hash(unknown, for: visit.caller)
        member.passwordExpiresAt = visit.now + PasswordLink.resetLifetime
        try await visit.store.updateMember(
            member,
            action: "member.password-reset",
            keeping: nil,
            at: visit.now,
            by: visit.actor
        )
        return try await issueLink(for: member, isInvitation: false, visit)
    }

    /// Resets the second factor of a member who has lost the phone and the recovery codes.
    @Sendable static func switchFactorOff(_ visit: Visit) async throws -> Response {
        guard var member = try await visit.store.member(try visit.parameter("email")), member.codeSecret != nil else {
            throw DashboardError.notFound
        }
        member.codeSecret = nil
        member.recoveryCodes = []
        try await visit.store.updateMember(
            member,
            action: "member.factor-off",
            keeping: visit.session.hash,
            at: visit.now,
            by: visit.actor
        )
        await visit.site.mailChange("member.factor-off", of: member)
        return .seeOther("/dashboard/team?done=factor-reset")
    }

    @Sendable static func remove(_ visit: Visit) async throws -> Response {
        let email = try visit.parameter("email")
        guard try await visit.store.removeMember(email, at: visit.now, by: visit.actor) else {
            throw DashboardError.notFound
        }
        return .seeOther("/dashboard/team?done=removed")
    }
}
