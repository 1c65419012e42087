import CardModel
import CardServer

/// The notice on a campaign's pages about its newest request for approval, with the address of the request.
struct ApprovalNotice {
    let text: String
    let address: String

    /// Returns the notice of a campaign, or `nil` where no request is about it as it is.
    static func of(_ campaign: Campaign, _ context: PageContext) async throws -> ApprovalNotice? {
        let newest = try await context.ask { server, _ in try await server.approvals.latest(of: campaign) }
        guard let approval = newest, approval.version == campaign.version else { return nil }
        let names = try await NameBook([], context)
        guard let text = text(of: approval, names) else { return nil }
        return ApprovalNotice(text: text, address: "\(CampaignPages.address(of: campaign.id))/approval")
    }

    private static func text(of approval: Approval, _ names: NameBook) -> String? {
        switch approval.status {
        case .pending: ApprovalWords.asked(approval, names)
        case .rejected:
            approval.decider.map { decider in
                localized("\(names.actor(decider)) rejected the request of \(names.actor(approval.requester)).")
            }
        case .approved, .withdrawn, .replaced: nil
        }
    }
}

/// Requests for approval in words.
enum ApprovalWords {
    static func asked(_ approval: Approval, _ names: NameBook) -> String {
        let who = names.actor(approval.requester)
        return switch approval.change {
        case .launch: localized("\(who) asks for approval to launch this campaign.")
        case .edit: localized("\(who) asks for approval of an edit.")
        }
    }

    static func heading(_ approval: Approval) -> String {
        switch approval.change {
        case .launch: localized("Launch version \(approval.version)")
        case .edit: localized("Edit version \(approval.version)")
        }
    }

    static func status(_ approval: Approval, isOutdated: Bool) -> String {
        switch approval.status {
        case .pending: isOutdated ? localized("Outdated") : localized("Waiting for approval")
        case .approved: localized("Approved")
        case .rejected: localized("Rejected")
        case .withdrawn: localized("Withdrawn")
        case .replaced: localized("Replaced")
        }
    }
}
