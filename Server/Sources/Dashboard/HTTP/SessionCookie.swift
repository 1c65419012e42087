import CardModel
import CardStore
import HTTPTypes
import Hummingbird

extension Request {
    /// The value of a cookie, or `nil`.
    func cookie(_ name: String) -> String? { cookies[name]?.value }
}

/// The cookie by which a browser is known; only its hash is kept.
enum SessionCookie {
    static let name = "placard_session"
    /// How long a session lasts after it was last used, in seconds.
    static let lifetime = 604_800.0

    /// The session of a request that has not expired, with its member.
    static func find(_ request: Request, _ site: Site) async throws -> (session: Session, member: TeamMember)? {
        guard let found = try await findEvenExpired(request, site), found.session.expiresAt > site.now else {
            return nil
        }
        // Written at most once an hour: a write for each page would be one too many.
        if found.session.expiresAt < site.now + lifetime - 3_600 {
            try await site.store.extendSession(found.session.hash, until: site.now + lifetime)
        }
        return found
    }

    static func findEvenExpired(
        _ request: Request,
        _ site: Site
    ) async throws -> (session: Session, member: TeamMember)? {
        guard let secret = request.cookies[name].flatMap({ SecretBytes.bytes($0.value) }) else { return nil }
        return try await site.store.session(SecretBytes.hash(secret))
    }

    /// Begins a session, and gives the browser its cookie with an answer.
    static func begin(
        _ member: TeamMember,
        _ request: Request,
        _ site: Site,
        answer: (Session) throws -> Response
    ) async throws -> Response {
        let secret = SecretBytes.random(32)
        let session = Session(
            hash: SecretBytes.hash(secret),
            email: member.email,
            formKey: SecretBytes.random(32),
            createdAt: site.now,
            expiresAt: site.now + lifetime
        )
        try await site.store.insert(session)
        var response = try answer(session)
        response.setCookie(cookie(name, SecretBytes.text(secret), request, maxAge: Int(lifetime)))
        return response
    }

    /// A cookie that scripts do not see and that other sites' forms do not bring.
    static func cookie(_ name: String, _ value: String, _ request: Request, maxAge: Int?) -> Cookie {
        Cookie(
            name: name,
            value: value,
            maxAge: maxAge,
            path: "/dashboard",
            secure: request.headers[.forwardedProtocol] == "https",
            httpOnly: true,
            sameSite: .lax
        )
    }
}
