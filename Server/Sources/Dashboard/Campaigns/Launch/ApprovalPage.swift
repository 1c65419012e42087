import CardModel
import CardServer
import CardStore
import Hummingbird
import WireJSON

extension PageDescriptor {
    static let approval = PageDescriptor(
        templates: [
            "approval": PackageResources.approval_mustache,
            "approval-notice": PackageResources.approval_notice_mustache,
            "unsent-comment": PackageResources.unsent_comment_mustache,
        ]
    ) { routes in
        routes.get("/dashboard/campaigns/:id/approval", .viewer, ApprovalPage.show)
        routes.post("/dashboard/campaigns/:id/approval", .editor, ApprovalPage.request)
        routes.post("/dashboard/campaigns/:id/approval/comment", .editor, ApprovalPage.comment)
        routes.post("/dashboard/campaigns/:id/approval/withdraw", .editor, ApprovalPage.withdraw)
        routes.post("/dashboard/campaigns/:id/approval/approve", .admin, ApprovalPage.approve)
        routes.post("/dashboard/campaigns/:id/approval/reject", .admin, ApprovalPage.reject)
    }
}

/// A request for another member's approval: what it is about, what was said, and what the member can do.
enum ApprovalPage {
    struct CommentView {
        let who: String
        let when: TimeView
        let text: String
    }

    struct RequestView {
        let id: String
        let heading: String
        let asked: String
        let when: TimeView
        let status: String
        let badge: String
        let isEdit: Bool
        let isOpen: Bool
        let isOutdated: Bool
        let decided: String?
        let canDecide: Bool
        let isOwn: Bool
        let canComment: Bool
        let comments: [CommentView]
        let hasComments: Bool
    }

    /// The campaign that is asked for, as it would be.
    struct Proposal {
        let summary: CampaignSummary
        let differences: [CampaignDifference]
        let hasDifferences: Bool
        let checks: [LaunchChecks.LaunchCheck]
        let isBlocked: Bool
        let reach: String
    }

    struct ApprovalView {
        let name: String
        let address: String
        let request: RequestView?
        let proposal: Proposal?
        /// The address at which the content that was asked for can be edited further.
        let reopen: String?
        let earlier: [RequestView]
        let hasEarlier: Bool
        let limit: String
        /// The comment that was typed.
        let comment: String
        /// The problems of fields, by name.
        let wrong: [String: FieldMark]
        let unsent: UnsentComment?
    }

    private static let shownRequests = 20

    @Sendable static func show(_ context: PageContext) async throws -> Response { try await page(context) }

    private static func page(
        _ context: PageContext,
        wrong: [String: FieldMark] = [:],
        unsent: UnsentComment? = nil
    ) async throws -> Response {
        let campaign = try await CampaignPages.campaign(context)
        let listed = try await context.store.approvals(of: campaign.id, limit: shownRequests)
        // The one that waits, also where another was made at the same moment.
        let approvals = listed.filter { $0.status == .pending } + listed.filter { $0.status != .pending }
        let names = try await NameBook([], context)
        let views = approvals.map { RequestView($0, of: campaign, names, context) }
        let newest = approvals.first
        let address = CampaignPages.address(of: campaign.id)
        let canReopen = context.may(.editor) && campaign.status != .archived
        let view = ApprovalView(
            name: campaign.content.name,
            address: address,
            request: views.first,
            proposal: try await proposal(newest, campaign, context),
            reopen: canReopen && newest?.isEdit == true && newest?.status != .approved
                ? newest.map { "\(address)/edit?request=\(FormData.escape($0.id))" } : nil,
            earlier: Array(views.dropFirst()),
            hasEarlier: views.count > 1,
            limit: String(Approval.Comment.maximumSize),
            comment: context.form.value(.comment),
            wrong: wrong,
            unsent: unsent?.shown(hasField: views.first?.canComment ?? false)
        )
        let title = localized("Approval of \(view.name)")
        let status = unsent?.status ?? (wrong.isEmpty ? .ok : .badRequest)
        return try context.page("approval", title: title, in: .campaigns, status: status, view)
    }

    private static func proposal(
        _ newest: Approval?,
        _ campaign: Campaign,
        _ context: PageContext
    ) async throws -> Proposal? {
        guard let approval = newest, approval.isCurrent(for: campaign) else { return nil }
        var proposed = campaign
        if case .edit(let content) = approval.change { proposed.content = content }
        let next = proposed
        let found = try await context.ask { server, _ in try await server.campaigns.checks(of: next) }
        let reach = try await context.ask { server, _ in try await server.segments.reach(of: next.content.audience) }
        let checks = LaunchChecks.list(
            next,
            checks: found,
            reach: reach.users,
            at: context.now,
            timeZone: context.timeZone
        )
        let differences = CampaignDifference.list(
            context.shown(campaign.json),
            context.shown(next.json),
            timeZone: context.timeZone,
            labels: try await AudienceLabels.read([campaign.content.audience, next.content.audience], context.store)
        )
        return Proposal(
            summary: try await CampaignSummary(
                next,
                context,
                request: approval.isEdit ? approval.id : nil,
                isAhead: !approval.isEdit
            ),
            differences: differences,
            hasDifferences: !differences.isEmpty,
            checks: checks,
            isBlocked: !approval.isEdit && checks.contains(where: \.isWrong),
            reach: PageFormatter.part(reach.users, of: reach.total, .user)
        )
    }

    // MARK: Forms

    /// Asks for the launch of the version that the member has reviewed.
    @Sendable static func request(_ context: PageContext) async throws -> Response {
        let id = try context.parameter("id")
        let version = context.form.position(.version) ?? 0
        let comment = context.form[.comment]
        do {
            _ = try await context.change {
                try await $0.approvals.request(id, version: version, comment: comment, by: $1)
            }
        } catch let refusal as ServiceError where refusal.path == FormField.comment.rawValue {
            return try await LaunchPage.page(context, wrong: mark(refusal))
        } catch let refusal as ServiceError {
            guard let unsent = UnsentComment(refusal, context) else { throw refusal }
            return try await LaunchPage.page(context, unsent: unsent)
        }
        return try answer(context, "approval-requested")
    }

    @Sendable static func approve(_ context: PageContext) async throws -> Response {
        let (id, request, comment) = try fields(context)
        return try await keepingComment(context) {
            _ = try await context.change { try await $0.approvals.approve(request, of: id, comment: comment, by: $1) }
            return .seeOther("\(try CampaignPages.address(context))?done=approval-approved")
        }
    }

    @Sendable static func reject(_ context: PageContext) async throws -> Response {
        let (id, request, comment) = try fields(context)
        return try await keepingComment(context) {
            _ = try await context.change { try await $0.approvals.reject(request, of: id, comment: comment, by: $1) }
            return try answer(context, "approval-rejected")
        }
    }

    @Sendable static func withdraw(_ context: PageContext) async throws -> Response {
        let (id, request, comment) = try fields(context)
        return try await keepingComment(context) {
            _ = try await context.change { try await $0.approvals.withdraw(request, of: id, comment: comment, by: $1) }
            return try answer(context, "approval-withdrawn")
        }
    }

    @Sendable static func comment(_ context: PageContext) async throws -> Response {
        let (id, request, comment) = try fields(context)
        return try await keepingComment(context) {
            _ = try await context.change { try await $0.approvals.comment(comment, on: request, of: id, by: $1) }
            return try answer(context, "approval-commented")
        }
    }

    /// Does something with what was typed, which stays on the page where it is refused, or the request was decided,
    /// replaced or outdated in between.
    private static func keepingComment(
        _ context: PageContext,
        _ action: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await action()
        } catch let refusal as ServiceError where refusal.path == FormField.comment.rawValue {
            return try await page(context, wrong: mark(refusal))
        } catch let refusal as ServiceError {
            guard let unsent = UnsentComment(refusal, context) else { throw refusal }
            return try await page(context, unsent: unsent)
        }
    }

    private static func mark(_ refusal: ServiceError) -> [String: FieldMark] {
        FieldMark.marks(.comment, localized(sentence: refusal.message))
    }

    /// The campaign, the request that the member has seen, and what was typed.
    private static func fields(_ context: PageContext) throws -> (campaign: String, request: String, comment: String) {
        (try context.parameter("id"), context.form.value(.approval), context.form.value(.comment))
    }

    private static func answer(_ context: PageContext, _ done: String) throws -> Response {
        .seeOther("\(try CampaignPages.address(context))/approval?done=\(done)")
    }
}

extension ApprovalPage.RequestView {
    fileprivate init(_ approval: Approval, of campaign: Campaign, _ names: NameBook, _ context: PageContext) {
        let isCurrent = approval.isCurrent(for: campaign)
        let isOutdated = approval.status == .pending && !isCurrent
        let isOwn = approval.isRequested(by: context.actor)
        self.init(
            id: approval.id,
            heading: ApprovalWords.heading(approval),
            asked: ApprovalWords.asked(approval, names),
            when: TimeView(approval.requestedAt, for: context),
            status: ApprovalWords.status(approval, isOutdated: isOutdated),
            badge: Self.badge(approval.status, isCurrent: isCurrent),
            isEdit: approval.isEdit,
            isOpen: isCurrent,
            isOutdated: isOutdated,
            decided: approval.status == .replaced ? nil : approval.decider.map(names.actor),
            canDecide: isCurrent && context.may(.admin) && !isOwn,
            isOwn: isOwn && approval.status == .pending,
            canComment: approval.status == .pending && context.may(.editor),
            comments: approval.comments.map {
                .init(who: names.actor($0.author), when: TimeView($0.at, for: context), text: $0.text)
            },
            hasComments: !approval.comments.isEmpty
        )
    }

    private static func badge(_ status: Approval.ApprovalStatus, isCurrent: Bool) -> String {
        switch status {
        case .pending: isCurrent ? "warn" : ""
        case .approved: "good"
        case .rejected: "bad"
        case .withdrawn, .replaced: ""
        }
    }
}

extension Approval {
    fileprivate var isEdit: Bool {
        if case .edit = change { true } else { false }
    }
}
