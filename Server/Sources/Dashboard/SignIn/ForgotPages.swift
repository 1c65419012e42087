import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird

extension PageDescriptor {
    static let forgot = PageDescriptor(templates: ["forgot": PackageResources.forgot_mustache]) { routes in
        routes.open(.get, "/dashboard/forgot") { ForgotPages(site: $0).show }
        routes.open(.post, "/dashboard/forgot") { ForgotPages(site: $0).ask }
    }
}

/// Asks for a link to choose another password, by e-mail; without a mail server, the page says who can help.
///
/// The answer is the same whether there is an account or not, and is given before the account is looked for.
struct ForgotPages: Sendable {
    struct ForgotView {
        var email = ""
        /// The problem of the whole form.
        var error: String?
        /// The problems of fields, by name.
        var wrong: [String: FieldMark] = [:]
        /// Whether a message will come, if there is an account.
        var isDone = false
        /// Whether there is a mail server.
        var sendsMail = false
    }

    private static var title: String { localized("Reset your password") }

    let site: Site

    private func open(_ context: AppContext) -> OpenPage { OpenPage(site: site, context: context) }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        guard site.allowsPasswords else { return .seeOther("/dashboard/sign-in") }
        return try page(request, context, ForgotView())
    }

    private func page(
        _ request: Request,
        _ context: AppContext,
        _ view: ForgotView,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        var view = view
        view.sendsMail = site.server.mail.isOn
        return try open(context).show("forgot", Self.title, request, view, status: status)
    }

    @Sendable func ask(_ request: Request, _ context: AppContext) async throws -> Response {
        let form: FormData
        switch try await open(context).take(request) {
        case .refused(let response): return response
        case .form(let taken): form = taken
        }
        guard site.server.mail.isOn, site.allowsPasswords else { return .seeOther("/dashboard/forgot") }
        guard let email = EmailAddress(form.value(.email)) else {
            let marks = FieldMark.marks(.email, localized("Enter an email address, such as anna@example.com."))
            return try page(request, context, ForgotView(email: form.value(.email), wrong: marks), status: .badRequest)
        }
        let attempt = GuessAttempt.passwordReset(of: email.text, from: ClientNetwork(context.client))
        let wait = try await site.store.takeAttempt(attempt, at: site.now)
        if let later = wait > 0 ? TryLater.throttled(wait) : begin(email) {
            return try later.response {
                try page(request, context, ForgotView(email: email.text, error: later.message), status: $0)
            }
        }
        return try page(request, context, ForgotView(email: email.text, isDone: true))
    }
}

extension ForgotPages {
    /// Begins to send a link, or says that too many are being sent.
    private func begin(_ email: EmailAddress) -> TryLater? {
        let (language, mail) = (TextCatalog.current.tag, PasswordResetMail(site: site))
        return site.server.afterAnswers.begin { await mail.send(to: email.text, in: language) } ? nil : .busy
    }
}

/// The link that a member has asked for.
struct PasswordResetMail: Sendable {
    let site: Site

    /// Sends it, if there is such a member.
    func send(to email: String, in language: String) async {
        do {
            guard let member = try await site.store.member(email) else { return }
            // Who was invited and hasn't come in time has to ask an admin again.
            guard !member.hasExpiredPassword(at: site.now) else { return }
            let expiry = member.passwordExpiresAt ?? site.now + PasswordLink.requestedLifetime
            let link = PasswordLink()
            guard let address = site.server.mail.address(of: link.path) else { return }
            try await link.issue(for: member.email, until: expiry, isRequested: true, in: site.store)
            let letter = PasswordLetter(link: address, expiresAt: expiry)
            _ = try await site.server.mail.send(.passwordReset(letter), to: member, in: language, until: expiry)
            guard site.refusals.take(at: site.now) else { return }
            try await site.store.appendAuditNote("member.reset-link", of: email, at: site.now, by: .unauthenticated)
        } catch {
            site.server.logger.error("A link for a new password could not be sent", metadata: ["error": "\(error)"])
        }
    }
}
