import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird

extension PageDescriptor {
    static let provider = PageDescriptor(templates: ["confirmed": PackageResources.confirmed_mustache]) { routes in
        routes.open(.get, "/dashboard/sign-in/provider") { ProviderPages(site: $0).start }
        routes.open(.get, OpenIDProvider.path) { ProviderPages(site: $0).finish }
    }
}

/// Signing in with an OpenID provider: to its page and back.
///
/// A `HEAD` of either page begins and ends nothing, and leads to the sign-in page: what looks at links in messages or
/// logs mustn't use up a code, or take the cookie of an attempt.
struct ProviderPages: Sendable {
    /// The page after a member has confirmed that it's them.
    struct ConfirmedView {}

    let site: Site

    // MARK: To the provider

    @Sendable func start(_ request: Request, _ context: AppContext) async throws -> Response {
        guard !context.isHead, let provider = site.server.provider, try await !site.store.members().isEmpty else {
            return .seeOther("/dashboard/sign-in")
        }
        let query = FormData(queryOf: request)
        let confirms = query[.confirm] != nil
        if confirms {
            // Other sites don't make members confirm anything.
            guard request.isFromOwnPage, try await SessionCookie.find(request, context, site) != nil else {
                return .seeOther("/dashboard/sign-in")
            }
        }
        if let refusal = try throttle(request, context, provider) { return refusal }
        let cookie = ProviderCookie(next: SignInPages.safe(query[.next]), confirms: confirms, at: site.now)
        do throws(OpenIDError) {
            var response = Response.seeOther(try await provider.address(for: cookie.attempt))
            response.setCookie(
                BrowserCookie.provider.cookie(cookie.text, context, maxAge: Int(ProviderCookie.lifetime))
            )
            return response
        } catch {
            return try refuse(request, context, error, provider.settings.name)
        }
    }

    // MARK: And back

    @Sendable func finish(_ request: Request, _ context: AppContext) async throws -> Response {
        guard !context.isHead, let provider = site.server.provider, try await !site.store.members().isEmpty else {
            return .seeOther("/dashboard/sign-in")
        }
        var response = try await answer(request, context, provider)
        response.setCookie(BrowserCookie.provider.cookie("", context, maxAge: 0))
        return response
    }

    private func answer(
        _ request: Request,
        _ context: AppContext,
        _ provider: OpenIDProvider
    ) async throws -> Response {
        let query = FormData(queryOf: request)
        guard let cookie = ProviderCookie(BrowserCookie.provider.value(request, context), at: site.now),
            ConstantTime.areEqual(query.value(.state), cookie.attempt.state)
        else { return try showExpired(request, context) }
        let name = provider.settings.name
        guard let code = query[.code] else {
            // What the provider says of it is for the log alone: it's part of an address that anybody can make.
            log("the provider sent no code")
            return try show(request, context, localized("\(name) didn’t sign you in. Try again."), .unauthorized)
        }
        if let refusal = try throttle(request, context, provider) { return refusal }
        do {
            let claims = try await provider.claims(code: code, issuer: query[.issuer], attempt: cookie.attempt)
            // Only now: a cookie is easily made up, and nothing of strangers goes into the store.
            guard try await site.store.spendFormToken(cookie.mark, until: cookie.expiry.time, at: site.now) else {
                return try showExpired(request, context)
            }
            if cookie.attempt.reauthenticatesAt != nil {
                return try await confirm(request, context, claims, provider)
            }
            return try await enter(request, context, claims, provider, next: cookie.next)
        } catch let failure as OpenIDError {
            if failure.kind == .rejected { try await noteFailure(of: nil, context) }
            return try refuse(request, context, failure, name)
        } catch let refusal as ProviderMembers.Refusal {
            try await noteFailure(of: refusal.member, context)
            return try show(request, context, refusal.message, .forbidden)
        } catch is PasswordQueue.Busy {
            return try TryLater.busy.response { try show(request, context, TryLater.busy.message, $0) }
        } catch let error as StoreError where [.conflict, .exists].contains(error.code) {
            return try show(
                request,
                context,
                localized("Your account was changed at the same time. Try again."),
                .conflict
            )
        }
    }

    private func enter(
        _ request: Request,
        _ context: AppContext,
        _ claims: OpenIDClaims,
        _ provider: OpenIDProvider,
        next: String
    ) async throws -> Response {
        let member = try await ProviderMembers(site: site, settings: provider.settings).member(for: claims)
        guard !isFactorOwed(member, provider) else { return try askCode(of: member, request, context, next: next) }
        // Whoever was signed in at the provider already hasn't shown anything now.
        let confirmedAt = claims.authenticatedAt ?? 0
        return try await SessionCookie.begin(member, request, context, site, confirmedAt: confirmedAt) { _ in
            .seeOther(next)
        }
    }

    /// Whether a member has a second factor here, for which that of the provider doesn't count.
    private func isFactorOwed(_ member: TeamMember, _ provider: OpenIDProvider) -> Bool {
        member.codeSecret != nil && !provider.settings.trustsSecondFactor
    }

    /// Asks for the code, with which a session begins.
    private func askCode(
        of member: TeamMember,
        _ request: Request,
        _ context: AppContext,
        next: String
    ) throws -> Response {
        let ticket = SignInTicket(email: member.email, at: site.now).text(of: member)
        return try CodePages(site: site).ask(request, context, CodePages.CodeView(ticket: ticket, next: next))
    }

    /// Notes that the member of a session has signed in again.
    private func confirm(
        _ request: Request,
        _ context: AppContext,
        _ claims: OpenIDClaims,
        _ provider: OpenIDProvider
    ) async throws -> Response {
        let identity = MemberIdentity(issuer: provider.settings.issuer, subject: claims.subject)
        guard let (session, member) = try await SessionCookie.find(request, context, site),
            member.identity == identity
        else {
            return try show(
                request,
                context,
                localized("You signed in as another member. Sign in as the one who is signed in here."),
                .forbidden
            )
        }
        // The member's own second factor is asked for here, too: with the code they sign in once more.
        guard !isFactorOwed(member, provider) else {
            return try askCode(of: member, request, context, next: "")
        }
        let secret = SecretBytes.random(32)
        let hash = SecretBytes.hash(secret)
        guard try await site.store.confirmSession(session.hash, as: hash, at: site.now) else {
            return .seeOther("/dashboard/sign-in")
        }
        var response = try OpenPage(site: site, context: context)
            .show("confirmed", localized("Confirmed"), request, ConfirmedView())
        let age = SessionCookie.cookieLifetime
        response.setCookie(BrowserCookie.session.cookie(SecretBytes.text(secret), context, maxAge: age))
        return response
    }

    // MARK: Refusals

    /// The seconds after which a provider that can't be reached is worth asking again.
    private static let providerDelay = 30

    /// The answer to a client that has the provider asked too often, or `nil`.
    private func throttle(
        _ request: Request,
        _ context: AppContext,
        _ provider: OpenIDProvider
    ) throws -> Response? {
        guard let wait = provider.wait(of: context.client) else { return nil }
        GuessCheck(site: site, context: context).logFailure(.limited)
        let later = TryLater.throttled(wait)
        return try later.response { try show(request, context, later.message, $0) }
    }

    private func showExpired(_ request: Request, _ context: AppContext) throws -> Response {
        try show(
            request,
            context,
            localized("This sign-in has expired or was begun in another browser. Try again."),
            .badRequest
        )
    }

    private func refuse(
        _ request: Request,
        _ context: AppContext,
        _ failure: OpenIDError,
        _ name: String
    ) throws -> Response {
        log(failure.detail)
        switch failure.kind {
        case .unavailable:
            let message = localized("\(name) can’t be reached right now. Try again later.")
            return try show(request, context, message, .serviceUnavailable).retryable(after: Self.providerDelay)
        case .rejected:
            let message = localized("\(name) didn’t confirm who you are. Try again, or contact your administrator.")
            return try show(request, context, message, .unauthorized)
        }
    }

    private func log(_ detail: String) {
        site.server.logger.warning("Signing in with the OpenID provider failed", metadata: ["error": "\(detail)"])
    }

    private func noteFailure(of member: TeamMember?, _ context: AppContext) async throws {
        let check = GuessCheck(site: site, context: context)
        check.logFailure(.wrong)
        try await check.noteFailure(of: member)
    }

    private func show(
        _ request: Request,
        _ context: AppContext,
        _ message: String,
        _ status: HTTPResponse.Status
    ) throws -> Response {
        try SignInPages(site: site).page(request, context, SignInPages.SignInView(error: message), status: status)
    }
}
