import CardModel
import CardServer
import CardStore
import Hummingbird
import Logging

/// A form that is not taken: `request.forged`, `request.late` or `request.replayed`.
struct FormRefusal {
    let site: Site
    let action: String

    /// Says so, and logs it: in the audit log where a member's session sent it, and else in the server's log, which
    /// strangers cannot fill the database with.
    func response(to request: Request, of member: TeamMember?) async throws -> Response {
        let subject = "\(request.method.rawValue) \(request.uri.path)"
        if let member {
            try await site.store.appendAuditNote(action, of: subject, at: site.now, by: .member(member.email))
        } else {
            site.server.logger.notice(
                "A form of nobody who is signed in was refused",
                metadata: [
                    "action": "\(action)", "request": "\(request.method.rawValue) \(LoggedPath.text(request.uri.path))",
                ]
            )
        }
        return try ErrorView.refused(action).page(site, request)
    }
}
