import CardModel
import CardStore

/// Messages about requests for approval.
///
/// They are left once the change is stored, and not in its transaction: the request itself is what counts, and whoever
/// opens the dashboard sees it.
extension Services {
    /// Tells administrators that a request waits for them, unless whoever asks has asked very often.
    func mailAdministrators(of approval: Approval, _ campaign: Campaign) async {
        await mailing {
            guard approvalMail.takes(approval) else {
                metrics.countMails(.dropped)
                logger.warning(
                    "Someone asks for approval very often: administrators aren't told by e-mail",
                    metadata: ["by": "\(approval.requester)"]
                )
                return
            }
            for member in try await store.members() where member.role == .admin && member.hasChosenPassword {
                guard !approval.isRequested(by: .member(member.email)) else { continue }
                let letter = letter(approval, campaign, approval.requester, approval.comments.last?.text)
                _ = try await mail.send(.approvalRequested(letter), to: member)
            }
        }
    }

    /// Tells the member who asked how the request was decided.
    func mailRequester(
        of approval: Approval,
        _ campaign: Campaign,
        isApproved: Bool,
        _ comment: String?,
        by caller: Caller
    ) async {
        await mailing {
            guard let member = try await store.member(approval.requester),
                approval.isRequested(by: .member(member.email))
            else { return }
            let letter = letter(approval, campaign, caller.actor.name, comment)
            _ = try await mail.send(isApproved ? .approvalApproved(letter) : .approvalRejected(letter), to: member)
        }
    }

    private func mailing(_ body: () async throws -> Void) async {
        guard sendsMail else { return }
        do {
            try await body()
        } catch {
            logger.error("A message about an approval could not be left", metadata: ["error": "\(error)"])
        }
    }

    private func letter(
        _ approval: Approval,
        _ campaign: Campaign,
        _ author: String,
        _ comment: String?
    ) -> ApprovalLetter {
        let id = URLText.escape(campaign.id.rawValue)
        return ApprovalLetter(
            campaign: campaign.content.name,
            link: mail.address(of: "/dashboard/campaigns/\(id)/approval") ?? "",
            isEdit: approval.change.name == "edit",
            author: author,
            comment: comment
        )
    }
}

extension TeamMember {
    /// Whether they have signed in or can, and don't wait for a link to be used.
    fileprivate var hasChosenPassword: Bool { passwordExpiresAt == nil }
}
