import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird

extension Section {
    static let team = Section(
        "team",
        in: .workspace,
        icon: """
            <circle cx='5.5' cy='5.5' r='2.6'/>\
            <circle cx='11.5' cy='6.5' r='2'/>\
            <path d='M.8 13.5c.4-3 2.2-4.2 4.7-4.2s4.3 1.2 4.7 4.2M11.5 10.5c2 0 3.3 1 3.7 3'/>
            """
    ) { localized("Team") }
}

extension PageDescriptor {
    static let team = PageDescriptor(.team, templates: ["team": PackageResources.team_mustache]) { routes in
        routes.get("/dashboard/team", .viewer, TeamPages.show)
        routes.post("/dashboard/team", .admin, isSensitive: true, TeamPages.add)
        routes.post("/dashboard/team/:email/role", .admin, isSensitive: true, TeamPages.changeRole)
        routes.post("/dashboard/team/:email/password", .admin, isSensitive: true, TeamPages.resetPassword)
        routes.post("/dashboard/team/:email/factor-off", .admin, isSensitive: true, TeamPages.switchFactorOff)
        routes.post("/dashboard/team/:email/sessions", .admin, isSensitive: true, TeamPages.endSessions)
        routes.post("/dashboard/team/:email/remove", .admin, isSensitive: true, TeamPages.remove)
    }
}

/// The pages of the team: who is allowed to use the dashboard.
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
        /// The time until which the member can choose a password, where that is yet to do.
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

    struct TeamView {
        let members: [MemberView]
        /// The roles of the form that invites a member.
        var roles: [RoleChoice]
        var email = ""
        var name = ""
        /// The problems of fields, by name.
        var wrong: [String: FieldMark] = [:]
        var issued: Issued?
        /// Whether links go by e-mail.
        var sendsMail = false
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        try context.page("team", title: localized("Team"), in: .team, try await view(context))
    }

    private static func view(_ context: PageContext) async throws -> TeamView {
        let members = try await context.store.members().map { member in
            MemberView(
                email: member.email,
                key: FormData.escape(member.email),
                name: member.name,
                role: member.role.displayName,
                roles: roles(chosen: member.role),
                hasFactor: member.codeSecret != nil,
                isYou: member.email == context.member.email,
                signedIn: member.lastSignedInAt.map { TimeView($0, for: context) },
                pendingUntil: member.passwordExpiresAt.map { TimeView($0, for: context) }
            )
        }
        return TeamView(members: members, roles: roles(chosen: .editor), sendsMail: context.site.server.mail.isOn)
    }

    private static func roles(chosen: Role) -> [RoleChoice] {
        Role.allCases.map { RoleChoice(name: $0.rawValue, text: $0.displayName, isChosen: $0 == chosen) }
    }

    @Sendable static func add(_ context: PageContext) async throws -> Response {
        do {
            let new = try NewMember(context.form, role: role(in: context.form), isInvited: true)
            let member = try await new.member(context.site, context.caller)
            try await context.store.insertMember(member, by: context.actor)
            return try await issueLink(for: member, isInvitation: true, context)
        } catch let problem as NewMember.NewMemberError {
            return try await again(context, problem.marks)
        } catch let error as StoreError where error.code == .exists {
            return try await again(context, FieldMark.marks(.email, localized(sentence: error.message)))
        }
    }

    /// The role that the form gives a member who is invited.
    private static func role(in form: FormData) -> Role { form[.role].flatMap(Role.init) ?? .viewer }

    /// The page with what was typed and chosen, and what is wrong with it.
    private static func again(_ context: PageContext, _ marks: [String: FieldMark]) async throws -> Response {
        var view = try await view(context)
        view.email = context.form.value(.email)
        view.name = context.form.value(.name)
        view.roles = roles(chosen: role(in: context.form))
        view.wrong = marks
        return try context.page("team", title: localized("Team"), in: .team, status: .badRequest, view)
    }

    @Sendable static func changeRole(_ context: PageContext) async throws -> Response {
        guard var member = try await context.store.member(try context.parameter("email")),
            let role = context.form[.role].flatMap(Role.init)
        else { throw DashboardError.notFound }
        member.role = role
        try await context.store.updateMember(
            member,
            action: "member.role-\(role.rawValue)",
            keeping: nil,
            at: context.now,
            by: context.actor
        )
        await context.site.mailChange("member.role-\(role.rawValue)", of: member)
        return .seeOther("/dashboard/team?done=role-updated")
    }

    /// Issues a link by which a member chooses a password, and shows it in the answer itself: it is stored nowhere.
    private static func issueLink(
        for member: TeamMember,
        isInvitation: Bool,
        _ context: PageContext
    ) async throws -> Response {
        guard let expiry = member.passwordExpiresAt else { throw DashboardError.notFound }
        let link = PasswordLink()
        try await link.issue(for: member.email, until: expiry, in: context.store)
        let isMailed = try await mail(link, to: member, until: expiry, isInvitation: isInvitation, context)
        var view = try await view(context)
        view.issued = Issued(
            email: member.email,
            link: link.address(for: context),
            expiry: TimeView(expiry, for: context),
            isInvitation: isInvitation,
            isMailed: isMailed
        )
        return try context.page("team", title: localized("Team"), in: .team, status: .created, view)
    }

    /// Sends a link to its member, and returns whether it goes by e-mail.
    private static func mail(
        _ link: PasswordLink,
        to member: TeamMember,
        until expiry: UnixTime,
        isInvitation: Bool,
        _ context: PageContext
    ) async throws -> Bool {
        let mail = context.site.server.mail
        guard let address = mail.address(of: link.path) else { return false }
        let letter = PasswordLetter(link: address, expiresAt: expiry)
        let (name, email) = (context.member.name, context.member.email)
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
    @Sendable static func resetPassword(_ context: PageContext) async throws -> Response {
        let email = try context.parameter("email")
        guard !email.hasSameBytes(as: context.member.email), var member = try await context.store.member(email) else {
            throw DashboardError.notFound
        }
        let unknown = TemporaryPassword().text
        member.passwordHash = try await context.site.passwords.hash(unknown, for: context.caller)
        member.passwordExpiresAt = context.now + PasswordLink.resetLifetime
        try await context.store.updateMember(
            member,
            action: "member.password-reset",
            keeping: nil,
            at: context.now,
            by: context.actor
        )
        return try await issueLink(for: member, isInvitation: false, context)
    }

    /// Resets the second factor of a member who has lost the phone and the recovery codes.
    @Sendable static func switchFactorOff(_ context: PageContext) async throws -> Response {
        guard var member = try await context.store.member(try context.parameter("email")), member.codeSecret != nil
        else {
            throw DashboardError.notFound
        }
        member.codeSecret = nil
        member.recoveryCodes = []
        try await context.store.updateMember(
            member,
            action: "member.factor-off",
            keeping: context.session.hash,
            at: context.now,
            by: context.actor
        )
        await context.site.mailChange("member.factor-off", of: member)
        return .seeOther("/dashboard/team?done=factor-reset")
    }

    /// Signs a member out everywhere, who can sign in again as before.
    @Sendable static func endSessions(_ context: PageContext) async throws -> Response {
        let email = try context.parameter("email")
        guard !email.hasSameBytes(as: context.member.email), let member = try await context.store.member(email) else {
            throw DashboardError.notFound
        }
        try await context.store.endSessions(of: member.email, but: nil, at: context.now, by: context.actor)
        return .seeOther("/dashboard/team?done=member-signed-out")
    }

    @Sendable static func remove(_ context: PageContext) async throws -> Response {
        let email = try context.parameter("email")
        guard try await context.store.removeMember(email, at: context.now, by: context.actor) else {
            throw DashboardError.notFound
        }
        return .seeOther("/dashboard/team?done=removed")
    }
}
