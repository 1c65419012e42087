import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird

/// Signing in, and the first account.
struct SignInPages: Sendable {
    private static let visitCookie = "placard_visit"
    /// Takes as long to check as a real one, so that an unknown address is not told from a wrong password.
    private static let noHash =
        "scrypt$131072$8$1$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    let site: Site

    // MARK: The first account

    struct SetupView {
        var code = ""
        var email = ""
        var name = ""
        var error: String?
    }

    @Sendable func setup(_ request: Request, _ context: AppContext) async throws -> Response {
        guard try await site.store.members().isEmpty else { return .seeOther("/dashboard/sign-in") }
        let code = FormData(urlEncoded: request.uri.query ?? "")["code"] ?? ""
        return try plain("setup", "Welcome", request, SetupView(code: code))
    }

    @Sendable func makeFirst(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Gate.form(request)
        if let refusal = try await refusal(of: form, request) { return refusal }
        guard try await site.store.members().isEmpty else { return .seeOther("/dashboard/sign-in") }
        var view = SetupView(code: form["code"] ?? "", email: form["email"] ?? "", name: form["name"] ?? "")
        guard SecretBytes.areEqual(Array(view.code.trimmingSpaces.utf8), Array(site.setupCode.utf8)) else {
            view.error = "The setup code is another: the server prints it when it starts."
            return try plain("setup", "Welcome", request, view, status: .badRequest)
        }
        do {
            let member = try await NewMember(form, role: .admin).member(at: site.now)
            guard try await site.store.insertFirst(member) else { return .seeOther("/dashboard/sign-in") }
            return try await SessionCookie.begin(member, request, site) { _ in .seeOther("/dashboard") }
        } catch let problem as NewMember.Problem {
            view.error = problem.message
            return try plain("setup", "Welcome", request, view, status: .badRequest)
        }
    }

    // MARK: Signing in

    struct SignInView {
        var email = ""
        var next = "/dashboard"
        var resume: String?
        var error: String?
        var isExpired = false
    }

    @Sendable func signIn(_ request: Request, _ context: AppContext) async throws -> Response {
        if try await site.store.members().isEmpty { return .seeOther("/dashboard/setup") }
        let query = FormData(urlEncoded: request.uri.query ?? "")
        return try plain("sign-in", "Sign in", request, SignInView(next: Self.safe(query["next"])))
    }

    /// Lets somebody whose session ended sign in without losing what they typed.
    func resume(_ request: Request, _ form: FormData) throws -> Response {
        var kept = form
        kept.fields.removeAll { $0.name == "csrf" }
        let view = SignInView(next: Self.safe(request.uri.path), resume: kept.encoded, isExpired: true)
        return try plain("sign-in", "Sign in", request, view, status: .unauthorized)
    }

    @Sendable func begin(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Gate.form(request)
        if let refusal = try await refusal(of: form, request) { return refusal }
        let email = (form.text("email") ?? "").lowercased()
        var view = SignInView(
            email: email,
            next: Self.safe(form["next"]),
            resume: form.text("resume"),
            isExpired: form.text("resume") != nil
        )
        let gatekeeper = SignInGuard(store: site.store, email: email, address: context.client.addressText)
        if let wait = try await gatekeeper.wait(at: site.now) {
            view.error = "Too many attempts. Try again in \(Wording.duration(wait))."
            return try plain("sign-in", "Sign in", request, view, status: .tooManyRequests)
        }
        let member = try await site.store.member(email)
        let hash = member?.passwordHash ?? Self.noHash
        guard await PasswordWork.verify(form["password"] ?? "", against: hash), let member else {
            try await gatekeeper.noteFailure(at: site.now)
            view.error = "The e-mail address or the password is wrong."
            return try plain("sign-in", "Sign in", request, view, status: .unauthorized)
        }
        guard member.codeSecret == nil else {
            let ticket = SignInTicket(email: email, at: site.now).text(of: member)
            return try askForCode(request, CodeView(ticket: ticket, next: view.next, resume: view.resume))
        }
        try await gatekeeper.forget()
        return try await enter(member, request, context, next: view.next, resume: view.resume)
    }

    // MARK: The second factor

    struct CodeView {
        var ticket: String
        var next: String
        var resume: String?
        var error: String?
    }

    private func askForCode(
        _ request: Request,
        _ view: CodeView,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        try plain("sign-in-code", "Sign in", request, view, status: status)
    }

    @Sendable func checkCode(_ request: Request, _ context: AppContext) async throws -> Response {
        let form = try await Gate.form(request)
        if let refusal = try await refusal(of: form, request) { return refusal }
        guard let email = SignInTicket.email(form["ticket"] ?? ""), var member = try await site.store.member(email),
            member.codeSecret != nil, SignInTicket.isValid(form["ticket"] ?? "", of: member, at: site.now)
        else { return .seeOther("/dashboard/sign-in") }
        var view = CodeView(ticket: form["ticket"] ?? "", next: Self.safe(form["next"]), resume: form.text("resume"))
        let gatekeeper = SignInGuard(store: site.store, email: email, address: context.client.addressText)
        if let wait = try await gatekeeper.wait(at: site.now) {
            view.error = "Too many attempts. Try again in \(Wording.duration(wait))."
            return try askForCode(request, view, status: .tooManyRequests)
        }
        guard let use = await SecondFactor.use(of: form["code"] ?? "", by: member, at: site.now),
            try await site.store.spendFormToken(use.mark(of: member), until: site.now + 86_400, at: site.now)
        else {
            try await gatekeeper.noteFailure(at: site.now)
            view.error = "The code is wrong or was used already."
            return try askForCode(request, view, status: .unauthorized)
        }
        try await gatekeeper.forget()
        use.apply(to: &member)
        let actor = Actor.member(email)
        try await site.store.update(member, action: use.action, keeping: nil, at: site.now, by: actor)
        return try await enter(member, request, context, next: view.next, resume: view.resume)
    }

    private func enter(
        _ member: TeamMember,
        _ request: Request,
        _ context: AppContext,
        next: String,
        resume: String?
    ) async throws -> Response {
        try await SessionCookie.begin(member, request, site) { session in
            guard let resume else { return .seeOther(next) }
            let address = ResumePage.address(to: next, form: resume, key: session.formKey)
            if address.utf8.count < 2_000 { return .seeOther(address) }
            // What is too long for an address is shown at once.
            let visit = Visit(
                site: site,
                request: request,
                context: context,
                member: member,
                session: session,
                form: .empty
            )
            return try ResumePage.page(visit, to: next, FormData(urlEncoded: resume))
        }
    }

    // MARK: Forms before there is a session

    /// Only paths of ours: the address comes from a link that anybody can make.
    static func safe(_ address: String?) -> String {
        guard let address,
            address == "/dashboard" || address.hasPrefix("/dashboard/") || address.hasPrefix("/dashboard?"),
            !address.contains("\\"), address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return "/dashboard" }
        return address
    }

    /// Why a form is not taken; each is sent once, as those of a session are.
    private func refusal(of form: FormData, _ request: Request) async throws -> Response? {
        guard let key = Self.visitKey(request), let token = form["csrf"].flatMap({ FormToken($0, key: key) }) else {
            return try await FormRefusal(site: site, action: "request.forged").response(to: request, of: nil)
        }
        let state = token.state(at: site.now)
        guard state == .valid else {
            let action = state == .over ? "request.late" : "request.forged"
            return try await FormRefusal(site: site, action: action).response(to: request, of: nil)
        }
        guard try await site.store.spendFormToken(token.nonce, until: token.expiry.time, at: site.now) else {
            return try await FormRefusal(site: site, action: "request.replayed").response(to: request, of: nil)
        }
        return nil
    }

    /// What forms are signed with before there is a session.
    private static func visitKey(_ request: Request) -> [UInt8]? {
        request.cookies[visitCookie].flatMap { SecretBytes.bytes($0.value) }.flatMap { $0.count == 32 ? $0 : nil }
    }

    private func plain(
        _ template: String,
        _ title: String,
        _ request: Request,
        _ view: Any,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let key = Self.visitKey(request) ?? SecretBytes.random(32)
        let csrf = FormToken(at: site.now).text(key: key)
        let page = PlainPageView(title: title, site: site, request: request, csrf: csrf, view: view)
        var response = Response.html(try site.templates.render(template, page), status: status)
        response.setCookie(SessionCookie.cookie(Self.visitCookie, SecretBytes.text(key), request, maxAge: nil))
        return response
    }
}
