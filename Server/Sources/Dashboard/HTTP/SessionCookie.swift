import CardModel
import CardServer
import CardStore
import HTTPTypes
import Hummingbird

/// The cookies that let a browser be known.
///
/// Over HTTPS their names begin with `__Host-`, so that no other host and no connection without encryption can set
/// them; a cookie of the other name is not looked at then.
enum BrowserCookie: String {
    case session = "placard_session"
    case form = "placard_visit"
    case device = "placard_device"
    /// The sign-in that was begun with the OpenID provider.
    case provider = "placard_provider"

    func name(isSecure: Bool) -> String { isSecure ? "__Host-\(rawValue)" : rawValue }

    /// Returns the value that a request brings, or `nil`.
    func value(_ request: Request, _ context: AppContext) -> String? {
        request.cookies[name(isSecure: context.client.isSecure)]?.value
    }

    /// A cookie that scripts do not see and that other sites' forms do not bring.
    func cookie(_ value: String, _ context: AppContext, maxAge: Int?) -> Cookie {
        let isSecure = context.client.isSecure
        return Cookie(
            name: name(isSecure: isSecure),
            value: value,
            maxAge: maxAge,
            path: isSecure ? "/" : "/dashboard",
            secure: isSecure,
            httpOnly: true,
            // The provider sends browsers back from its own site, also to a page with a form: with another key, the
            // forms of other tabs would be of no use.
            sameSite: self == .device ? .strict : .lax
        )
    }
}

/// The session of a browser; only the hash of its cookie is kept.
enum SessionCookie {
    /// The time for which a session lasts after it was last used, in seconds; 30 days in all.
    static let lifetime = 604_800.0
    /// The time for which a browser keeps the cookie, in seconds: as long as a session lasts that is used, and the week
    /// after its end, in which what was typed is carried on.
    ///
    /// The server decides when a session ends; a cookie that is gone before leaves a form without anybody to ask.
    static let cookieLifetime = Int(Session.longest + lifetime)

    /// The session of a request that has not expired, with its member.
    static func find(
        _ request: Request,
        _ context: AppContext,
        _ site: Site
    ) async throws -> (session: Session, member: TeamMember)? {
        guard let found = try await findEvenExpired(request, context, site), found.session.isOpen(at: site.now) else {
            return nil
        }
        // Written at most once an hour: a write for each page would be one too many.
        if site.now - found.session.lastUsedAt >= 3_600 {
            try await site.store.useSession(
                found.session.hash,
                at: site.now,
                from: context.client.addressText,
                until: site.now + lifetime
            )
        }
        return found
    }

    static func findEvenExpired(
        _ request: Request,
        _ context: AppContext,
        _ site: Site
    ) async throws -> (session: Session, member: TeamMember)? {
        guard let secret = BrowserCookie.session.value(request, context).flatMap(SecretBytes.bytes) else { return nil }
        guard let (session, member) = try await site.store.session(SecretBytes.hash(secret)) else { return nil }
        return (site.limiting(session, of: member), member)
    }

    /// Begins a session in place of the browser's last one, and gives the browser its cookie with an answer.
    static func begin(
        _ member: TeamMember,
        _ request: Request,
        _ context: AppContext,
        _ site: Site,
        confirmedAt: UnixTime? = nil,
        answer: (Session) throws -> Response
    ) async throws -> Response {
        let secret = SecretBytes.random(32)
        var session = Session(
            hash: SecretBytes.hash(secret),
            email: member.email,
            formKey: SecretBytes.random(32),
            createdAt: site.now,
            expiresAt: site.now + lifetime,
            address: context.client.addressText,
            browser: String(decoding: (request.headers[.userAgent] ?? "").utf8.prefix(200), as: UTF8.self)
        )
        session.account = member.base
        if let confirmedAt { session.confirmedAt = confirmedAt }
        if let last = try await findEvenExpired(request, context, site) {
            try await site.store.endSession(last.session.hash)
        }
        try await site.store.insertSession(session)
        var response = try answer(session)
        response.setCookie(BrowserCookie.session.cookie(SecretBytes.text(secret), context, maxAge: cookieLifetime))
        response.setCookie(KnownDevice.cookie(of: member, request, context, at: site.now))
        return response
    }
}

extension Site {
    /// Returns a session that ends in time: what the provider says of a member counts for a while.
    ///
    /// Whatever asks whether a session of the store is open asks it of this one.
    func limiting(_ session: Session, of member: TeamMember) -> Session {
        guard member.identity != nil, let limit = server.provider?.settings.sessionSeconds else { return session }
        var limited = session
        limited.expiresAt = min(session.expiresAt, session.createdAt + limit)
        return limited
    }
}
