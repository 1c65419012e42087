import CardModel
import CardServer
import CardStore

extension Site {
    /// Tells a member that the account was changed, whoever did it.
    ///
    /// - Parameters:
    ///   - action: The action, as the audit log calls it.
    ///   - member: The member.
    func mailChange(_ action: String, of member: TeamMember) async {
        guard let link = server.mail.address(of: "/dashboard/account") else { return }
        do {
            let content = MailContent.accountChanged(action: action, link: link)
            _ = try await server.mail.send(content, to: member, in: TextCatalog.current.tag)
        } catch {
            // What was changed is changed, and pages say so at the next sign-in.
            server.logger.error("A message about an account could not be left", metadata: ["error": "\(error)"])
        }
    }
}
