import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird
import WireJSON

extension PageDescriptor {
    static let signIn = PageDescriptor(templates: ["sign-in": PackageResources.sign_in_mustache]) { routes in
        routes.open(.get, "/dashboard/sign-in") { SignInPages(site: $0).show }
        routes.open(.post, "/dashboard/sign-in") { SignInPages(site: $0).begin }
    }
}

/// Signing in with a password.
struct SignInPages: Sendable {
    struct SignInView {
        var email = ""
        var next = "/dashboard"
        var resume: String?
        var error: String?
        /// Whether the address or the password is wrong.
        var isWrong = false
        var isExpired = false
        /// Whether the member has just chosen a password.
        var hasChosenPassword = false
        /// Whether a forgotten password can be replaced by a link that comes by e-mail.
        var sendsMail = false
        /// Whether there is a password to sign in with.
        var hasPassword = true
        /// The OpenID provider to sign in with, or `nil`.
        var provider: String?
        /// The address where to begin with it.
        var providerAddress = ""
    }

    let site: Site

    private func open(_ context: AppContext) -> OpenPage { OpenPage(site: site, context: context) }

    @Sendable func show(_ request: Request, _ context: AppContext) async throws -> Response {
        if try await site.store.members().isEmpty { return .seeOther("/dashboard/setup") }
        let query = FormData(queryOf: request)
        var view = SignInView(next: Self.safe(query[.next]))
        view.hasChosenPassword = query[.done] == "password-chosen"
        return try page(request, context, view)
    }

    /// Signs a member in whose session ended, without losing what they typed.
    func resume(_ request: Request, _ context: AppContext, _ form: FormData) throws -> Response {
        let view = SignInView(next: Self.safe(request.uri.path), resume: ResumePage.kept(form).encoded, isExpired: true)
        return try page(request, context, view, status: .unauthorized)
    }

    /// Lets a member begin once more whose code came too late, without losing what they typed.
    func restart(_ request: Request, _ context: AppContext, _ form: FormData) throws -> Response {
        var view = SignInView(next: Self.safe(form[.next]), resume: form.text(.resume))
        view.error = localized("You have five minutes to enter the code. Sign in again.")
        view.isExpired = view.resume != nil
        return try page(request, context, view, status: .unauthorized)
    }

    func page(
        _ request: Request,
        _ context: AppContext,
        _ view: SignInView,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        var view = view
        view.hasPassword = site.allowsPasswords
        view.sendsMail = site.server.mail.isOn
        view.provider = site.server.provider?.settings.name
        view.providerAddress = "/dashboard/sign-in/provider?next=\(FormData.escape(view.next))"
        return try open(context).show("sign-in", localized("Sign in"), request, view, status: status)
    }

    @Sendable func begin(_ request: Request, _ context: AppContext) async throws -> Response {
        let form: FormData
        switch try await open(context).take(request) {
        case .refused(let response): return response
        case .form(let taken): form = taken
        }
        if form[.then] == "provider" { return try await carryOn(form, request, context) }
        guard site.allowsPasswords else { return .seeOther("/dashboard/sign-in") }
        let email = EmailAddress(form.value(.email))
        var view = SignInView(email: email?.text ?? form.value(.email), next: Self.safe(form[.next]))
        view.resume = form.text(.resume)
        view.isExpired = view.resume != nil
        do {
            let entry = Entry(site: site, request: request, context: context, next: view.next, resume: view.resume)
            view.error = localized("The email address or the password is wrong.")
            view.isWrong = true
            if email == nil { GuessCheck(site: site, context: context).logFailure(.wrong) }
            if let email, let member = try await member(email.text, form.value(.password), entry) {
                if !member.hasExpiredPassword(at: site.now) { return try await entered(member, entry) }
                try await GuessCheck(site: site, context: context).noteFailure(of: member)
                view.error = localized("This temporary password has expired. Ask an admin for a new one.")
                view.isWrong = false
            }
            return try page(request, context, view, status: .unauthorized)
        } catch let later as TryLater {
            view.error = later.message
            view.isWrong = false
            return try later.response { try page(request, context, view, status: $0) }
        }
    }

    /// Carries on what was typed for a member who has signed in at the provider in another tab: no form fits through
    /// the way there and back.
    private func carryOn(_ form: FormData, _ request: Request, _ context: AppContext) async throws -> Response {
        let place = Self.safe(form[.next])
        guard let typed = form.text(.resume) else { return .seeOther(place) }
        guard let (session, member) = try await SessionCookie.find(request, context, site) else {
            var view = SignInView(next: place, resume: typed, isExpired: true)
            view.error = localized("You aren’t signed in yet. Sign in in the other tab, then continue here.")
            return try page(request, context, view, status: .unauthorized)
        }
        return try await TextCatalog.inLanguage(of: member, site.catalogs) {
            let pageContext = PageContext(site, request, context, (session, member))
            return try ResumePage.page(pageContext, to: place, FormData(urlEncoded: typed))
        }
    }

    /// The member whose address and password these are, or `nil`.
    private func member(_ email: String, _ password: String, _ entry: Entry) async throws -> TeamMember? {
        let known = try await site.store.member(email)
        let device = known.flatMap(entry.device)
        let caller: PasswordLanes.Caller =
            device == nil ? .stranger(address: entry.network.text, account: email) : .known(account: email)
        let check = GuessCheck(site: site, context: entry.context)
        let attempt = GuessAttempt.password(of: email, from: entry.network, on: device)
        let member = try await check(attempt, clears: known?.codeSecret == nil) {
            let hash = known?.passwordHash ?? site.passwords.cost.noHash
            return try await site.passwords.verify(password, against: hash, for: caller) ? known : nil
        }
        if member == nil { try await check.noteFailure(of: known) }
        return member
    }

    private func entered(_ member: TeamMember, _ entry: Entry) async throws -> Response {
        guard member.codeSecret == nil else {
            let ticket = SignInTicket(email: member.email, at: site.now).text(of: member)
            return try CodePages(site: site).ask(
                entry.request,
                entry.context,
                CodePages.CodeView(ticket: ticket, next: entry.next, resume: entry.resume)
            )
        }
        return try await entry.enter(member)
    }

    /// Only paths of ours: the address comes from a link that anybody can make.
    static func safe(_ address: String?) -> String {
        guard let address,
            address == "/dashboard" || address.hasPrefix("/dashboard/") || address.hasPrefix("/dashboard?"),
            address.utf8.count <= 2_000, !address.contains(bytesOf: "\\"), !address.contains(bytesOf: "//"),
            address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return "/dashboard" }
        return address
    }
}
