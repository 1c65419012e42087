import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird

extension PageDescriptor {
    static let signInCode = PageDescriptor(
        templates: ["sign-in-code": PackageResources.sign_in_code_mustache]
    ) { routes in
        routes.open(.post, "/dashboard/sign-in/code") { CodePages(site: $0).check }
    }
}

/// The second factor of a member whose password was right.
struct CodePages: Sendable {
    /// The longest code that is looked at, in bytes.
    private static let longestCode = 40

    struct CodeView {
        var ticket: String
        var next: String
        var resume: String?
        /// The problem of the whole form.
        var error: String?
        /// The problems of fields, by name.
        var wrong: [String: FieldMark] = [:]
    }

    let site: Site

    private func open(_ context: AppContext) -> OpenPage { OpenPage(site: site, context: context) }

    func ask(
        _ request: Request,
        _ context: AppContext,
        _ view: CodeView,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        try open(context).show("sign-in-code", localized("Sign in"), request, view, status: status)
    }

    @Sendable func check(_ request: Request, _ context: AppContext) async throws -> Response {
        let form: FormData
        switch try await open(context).take(request) {
        case .refused(let response): return response
        case .form(let taken): form = taken
        }
        let ticket = form.value(.ticket)
        guard let email = SignInTicket.email(ticket), let member = try await site.store.member(email),
            member.codeSecret != nil, SignInTicket.isValid(ticket, of: member, at: site.now)
        else { return try SignInPages(site: site).restart(request, context, form) }
        var view = CodeView(ticket: ticket, next: SignInPages.safe(form[.next]), resume: form.text(.resume))
        let entry = Entry(site: site, request: request, context: context, next: view.next, resume: view.resume)
        do {
            if let member = try await evaluate(form.value(.code), of: member, entry) {
                return try await entry.enter(member)
            }
            view.wrong = FieldMark.marks(.code, localized("The code is wrong or was used already."))
            return try ask(request, context, view, status: .unauthorized)
        } catch let later as TryLater {
            view.error = later.message
            return try later.response { try ask(request, context, view, status: $0) }
        }
    }

    /// The member after the code was used, or `nil` where it is wrong.
    private func evaluate(_ typed: String, of member: TeamMember, _ entry: Entry) async throws -> TeamMember? {
        let isRecovery = RecoveryCodes.canBe(typed)
        let check = GuessCheck(site: site, context: entry.context)
        let device = entry.device(of: member)
        let attempt = GuessAttempt.code(of: member.email, isRecovery: isRecovery, from: entry.network, on: device)
        let entered: TeamMember? = try await check(attempt, clears: true) {
            guard typed.utf8.count <= Self.longestCode,
                let use = await SecondFactor.use(of: typed, by: member, at: site.now),
                try await site.store.spendFormToken(use.mark(of: member), until: site.now + 86_400, at: site.now)
            else { return nil }
            var used = member
            use.apply(to: &used)
            let actor = Actor.member(member.email)
            try await site.store.updateMember(used, action: use.action, keeping: nil, at: site.now, by: actor)
            used.noteStored()
            return used
        }
        if entered == nil { try await check.noteFailure(of: member) }
        return entered
    }
}
