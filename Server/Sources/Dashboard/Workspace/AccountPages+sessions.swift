import CardServer
import CardStore
import Hummingbird

/// The browsers in which a member is signed in.
extension AccountPages {
    struct SessionView {
        let key: String
        let browser: String
        let address: String
        let created: TimeView
        let used: TimeView
        let isThis: Bool
    }

    static func sessions(_ context: PageContext) async throws -> [SessionView] {
        try await context.store.sessions(of: context.member.email, at: context.now).map { session in
            SessionView(
                key: key(of: session),
                browser: BrowserName.text(session.browser),
                address: session.address.isEmpty ? "–" : session.address,
                created: TimeView(session.createdAt, for: context),
                used: TimeView(session.lastUsedAt, for: context),
                isThis: session.hash == context.session.hash
            )
        }
    }

    /// Returns the key that names a session in a page: nothing that would let anybody in.
    private static func key(of session: Session) -> String {
        String(SecretBytes.text(SecretBytes.hash(Array("session".utf8) + session.hash)).prefix(22))
    }

    @Sendable static func endSession(_ context: PageContext) async throws -> Response {
        let key = try context.parameter("id")
        let sessions = try await context.store.sessions(of: context.member.email, at: context.now)
        guard let session = sessions.first(where: { ConstantTime.areEqual(self.key(of: $0), key) }) else {
            throw DashboardError.notFound
        }
        if session.hash == context.session.hash { return try await signOut(context) }
        try await context.store.endSession(session.hash)
        try await context.store.appendAuditNote(
            "session.end",
            of: context.member.email,
            at: context.now,
            by: context.actor
        )
        return .seeOther("/dashboard/account?done=session-ended")
    }

    @Sendable static func signOutElsewhere(_ context: PageContext) async throws -> Response {
        let own = context.session.hash
        try await context.store.endSessions(of: context.member.email, but: own, at: context.now, by: context.actor)
        return .seeOther("/dashboard/account?done=sessions-ended")
    }
}

/// The name of a browser, in the words of people.
enum BrowserName {
    private static let browsers = [
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS X", "macOS"),
        ("Linux", "Linux"),
    ]

    static func text(_ agent: String) -> String {
        let browser = browsers.first { agent.contains($0.0) }?.1
        let system = systems.first { agent.contains($0.0) }?.1
        guard let browser else { return agent.isEmpty ? localized("Unknown browser") : String(agent.prefix(60)) }
        return system.map { localized("\(browser) on \($0)") } ?? browser
    }
}
