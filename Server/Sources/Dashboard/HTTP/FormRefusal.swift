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
        let subject = Self.subject(of: request)
        if let member {
            try await site.server.reads.noteRefusal(action, of: subject, by: .member(member.email))
        } else {
            site.server.logger.notice(
                "A form of nobody who is signed in was refused",
                metadata: ["action": "\(action)", "request": "\(subject)"]
            )
        }
        return try ErrorView.refused(action).page(site, request)
    }

    /// Returns what logs call a request: its path without the ids of users, who may be deleted while logs stay.
    static func subject(of request: Request) -> String {
        "\(request.method.rawValue) \(LoggedPath.text(request.uri.path))"
    }
}
