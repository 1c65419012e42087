import CardModel
import CardServer
import CardStore
import Hummingbird

extension PageDescriptor {
    static let passwordLink = PageDescriptor(
        templates: ["password-link": PackageResources.password_link_mustache]
    ) { routes in
        routes.open(.get, "/dashboard/password") { PasswordLinkPages(site: $0).show }
        routes.open(.post, "/dashboard/password") { PasswordLinkPages(site: $0).choose }
    }
}

/// The page on which whoever has a link chooses a password: a member who was invited, or whose password was reset.
struct PasswordLinkPages: Sendable {
    struct PasswordLinkView {
        var token = ""
        var email = ""
        /// Whether the link is unknown, was used, or has expired.
        var isVoid = false
        /// Whether another link can be had by e-mail.
        var sendsMail = false
        /// The problem of the whole form.
        var error: String?
        /// The problems of fields, by name.
        var wrong: [String: FieldMark] = [:]
    }

    private static var title: String { localized("Choose your password") }

    let site: Site

    private func open(_ context: AppContext) -> OpenPage { OpenPage(site: site, context: context) }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard site.allowsPasswords, let token = FormData(queryOf: request)[.token] else {
            return .seeOther("/dashboard/sign-in")
        }
        guard let member = try await member(of: token) else { return try void(request, context) }
        let view = PasswordLinkView(token: token, email: member.email)
        return try open(context).show("password-link", Self.title, request, view)
    }

    @Sendable func choose(_ request: Request, _ context: AppContext) async throws -> Response {
        let form: FormData
        switch try await open(context).take(request) {
        case .refused(let response): return response
        case .form(let taken): form = taken
        }
        guard site.allowsPasswords else { return .seeOther("/dashboard/sign-in") }
        let token = form.value(.token)
        guard let member = try await member(of: token), let hash = PasswordLink.hash(of: token) else {
            return try void(request, context)
        }
        var view = PasswordLinkView(token: token, email: member.email)
        do {
            let password = form.value(.password)
            try NewMember.check(password, of: [member.email, member.name])
            let hashed = try await site.passwords.hash(password, for: .known(account: member.email))
            guard try await site.store.usePasswordLink(hash, passwordHash: hashed, at: site.now) else {
                return try void(request, context)
            }
            // Of a new member, that is no news.
            if member.passwordExpiresAt == nil { await site.mailChange("member.password", of: member) }
            return .seeOther("/dashboard/sign-in?done=password-chosen")
        } catch let problem as NewMember.NewMemberError {
            view.wrong = problem.marks
            return try open(context).show("password-link", Self.title, request, view, status: .badRequest)
        } catch is PasswordQueue.Busy {
            view.error = TryLater.busy.message
            return try TryLater.busy.response {
                try open(context).show("password-link", Self.title, request, view, status: $0)
            }
        }
    }

    private func member(of token: String) async throws -> TeamMember? {
        guard let hash = PasswordLink.hash(of: token) else { return nil }
        return try await site.store.linkedMember(passwordLink: hash, at: site.now)
    }

    private func void(_ request: Request, _ context: AppContext) throws -> Response {
        try open(context).show(
            "password-link",
            localized("Link expired"),
            request,
            PasswordLinkView(isVoid: true, sendsMail: site.server.mail.isOn),
            status: .notFound
        )
    }
}
