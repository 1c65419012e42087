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

    static func sessions(_ visit: Visit) async throws -> [SessionView] {
        try await visit.store.sessions(of: visit.member.email, at: visit.now).map { session in
            SessionView(
                key: key(of: session),
                browser: BrowserName.text(session.browser),
                address: session.address.isEmpty ? "–" : session.address,
                created: TimeView(session.createdAt, for: visit),
                used: TimeView(session.lastUsedAt, for: visit),
                isThis: session.hash == visit.session.hash
            )
        }
    }

    /// What names a session in a page: nothing that would let anybody in.
    private static func key(of session: Session) -> String {
        String(SecretBytes.text(SecretBytes.hash(Array("session".utf8) + session.hash)).prefix(22))
    }

    @Sendable static func endSession(_ visit: Visit) async throws -> Response {
        let key = try visit.parameter("id")
        let sessions = try await visit.store.sessions(of: visit.member.email, at: visit.now)
        guard let session = sessions.first(where: { SecretBytes.areEqual(self.key(of: $0), key) }) else {
            throw DashboardError.notFound
        }
        if session.hash == visit.session.hash { return try await signOut(visit) }
        try await visit.store.endSession(session.hash)
        try await visit.store.appendAuditNote("session.end", of: visit.member.email, at: visit.now, by: visit.actor)
        return .seeOther("/dashboard/account?done=session-ended")
    }

    @Sendable static func signOutElsewhere(_ visit: Visit) async throws -> Response {
        let own = visit.session.hash
        try await visit.store.endSessions(of: visit.member.email, but: own, at: visit.now, by: visit.actor)
        return .seeOther("/dashboard/account?done=sessions-ended")
    }
}

/// What a browser calls itself, in the words of people.
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
