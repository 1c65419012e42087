import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird
import NIOCore
import WireJSON

/// Lets requests through to pages: the one place that looks at session, role and form token.
struct PageAuthorization: Sendable {
    let site: Site

    /// Shows a page.
    func page(
        _ request: Request,
        _ context: AppContext,
        _ needs: PageRoutes.Needs,
        _ handler: PageRoutes.Handler
    ) async throws -> Response {
        guard let (session, member) = try await SessionCookie.find(request, context, site) else {
            return .seeOther("/dashboard/sign-in?next=\(FormData.escape(request.uri.description))")
        }
        let pageContext = PageContext(site, request, context, (session, member))
        if needs.setup, site.requiresSetup(of: member) { return .seeOther("/dashboard/account") }
        return try await TextCatalog.inLanguage(of: member, site.catalogs) {
            try await answer(pageContext, needs.role, handler)
        }
    }

    /// Does what a form asks for.
    func send(
        _ request: Request,
        _ context: AppContext,
        _ needs: PageRoutes.Needs,
        _ handler: PageRoutes.Handler
    ) async throws -> Response {
        // Of strangers and other sites no form is read, however large it is.
        guard request.isFromOwnPage, let known = try await SessionCookie.findEvenExpired(request, context, site) else {
            return try await refuse(request, nil, "request.forged")
        }
        return try await TextCatalog.inLanguage(of: known.member, site.catalogs) {
            try await send(request, context, needs, known, handler)
        }
    }

    private func send(
        _ request: Request,
        _ context: AppContext,
        _ needs: PageRoutes.Needs,
        _ known: (session: Session, member: TeamMember),
        _ handler: PageRoutes.Handler
    ) async throws -> Response {
        let (session, member) = known
        let upload = needs.use == .upload ? FormData(uploadBy: request) : nil
        let form = if let upload { upload } else { try await request.form() }
        guard let token = form[.csrf].flatMap({ FormToken($0, key: session.formKey) }) else {
            return try await refuse(request, member, "request.forged")
        }
        guard session.isOpen(at: site.now) else { return try SignInPages(site: site).resume(request, context, form) }
        let pageContext = PageContext(site, request, context, (session, member), form: form)
        switch token.state(at: site.now) {
        case .valid: break
        case .over: return try await refuse(pageContext, needs, "request.late")
        case .forged: return try await refuse(request, member, "request.forged")
        }
        guard pageContext.may(needs.role) else { return try await answer(pageContext, needs.role, handler) }
        if needs.setup, site.requiresSetup(of: member) {
            return try page(ErrorView.setupRequired(of: member), pageContext)
        }
        let isConfirmed = !needs.isSensitive || Confirmation.isFresh(session, at: site.now)
        if !isConfirmed, form[Confirmation.field] == nil { return try Confirmation.page(pageContext) }
        if needs.use == .once {
            let isFirst = try await site.store.spendFormToken(token.nonce, until: token.expiry.time, at: site.now)
            guard isFirst else { return try await refuse(pageContext, needs, "request.replayed") }
        }
        if !isConfirmed {
            return try await Confirmation.send(pageContext) { try await answer($0, needs.role, handler) }
        }
        return try await answer(pageContext, needs.role, handler)
    }

    private func answer(
        _ pageContext: PageContext,
        _ role: Role,
        _ handler: PageRoutes.Handler
    ) async throws -> Response {
        do {
            guard pageContext.may(role) else { throw DashboardError.forbidden }
            return try await handler(pageContext)
        } catch DashboardError.forbidden {
            let subject = FormRefusal.subject(of: pageContext.request)
            try await site.server.reads.noteRefusal("request.forbidden", of: subject, by: pageContext.actor)
            return try page(ErrorView.forbidden(pageContext.member.role), pageContext)
        } catch DashboardError.personalData {
            return try ErrorView.personalData.page(for: pageContext)
        } catch DashboardError.notFound {
            return try ErrorView.notFound.page(for: pageContext)
        } catch let error as any PageError {
            return try error.view.page(for: pageContext)
        } catch let refusal as ServiceError {
            return try page(ErrorView(refusal), pageContext)
        } catch let later as TryLater {
            return try later.response { try ErrorView(later, status: $0).page(for: pageContext) }
        } catch is PasswordQueue.Busy {
            return try TryLater.busy.response { try ErrorView(TryLater.busy, status: $0).page(for: pageContext) }
        } catch let error as StoreError {
            return try page(ErrorView(error), pageContext)
        }
    }

    /// Shows why a request was refused; what was typed into an editor comes back where it can be sent again later.
    private func page(_ refusal: ErrorView, _ pageContext: PageContext) throws -> Response {
        let passing: [HTTPResponse.Status] = [.forbidden, .tooManyRequests, .serviceUnavailable]
        guard passing.contains(refusal.status), pageContext.form[.base] != nil else {
            return try refusal.page(for: pageContext)
        }
        let (place, form) = (pageContext.request.uri.path, ResumePage.kept(pageContext.form))
        return try ResumePage.page(pageContext, to: place, form, refusal: refusal, reason: refusal.text)
    }

    /// Refuses a form of the session's own that comes too late or twice; what was typed into an editor comes back.
    private func refuse(
        _ pageContext: PageContext,
        _ needs: PageRoutes.Needs,
        _ action: String
    ) async throws -> Response {
        let (request, member) = (pageContext.request, pageContext.member)
        let isReady = pageContext.may(needs.role) && !(needs.setup && site.requiresSetup(of: member))
        guard isReady, pageContext.form[.base] != nil else { return try await refuse(request, member, action) }
        try await site.server.reads.noteRefusal(action, of: FormRefusal.subject(of: request), by: pageContext.actor)
        let form = ResumePage.kept(pageContext.form)
        return try ResumePage.page(pageContext, to: request.uri.path, form, refusal: ErrorView.refused(action))
    }

    private func refuse(_ request: Request, _ member: TeamMember?, _ action: String) async throws -> Response {
        try await FormRefusal(site: site, action: action).response(to: request, of: member)
    }
}
