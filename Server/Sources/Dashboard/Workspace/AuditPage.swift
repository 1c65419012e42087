import CardStore
import Hummingbird

/// Who did what.
enum AuditPage {
    private static let pageSize = 100

    struct EntryView {
        let time: TimeView
        let actor: String
        let text: String
        let action: String
        let subject: String
        let link: String?
        let isRefusal: Bool
    }

    struct View {
        let entries: [EntryView]
        let older: String?
        let isFirst: Bool
    }

    @Sendable static func show(_ visit: Visit) async throws -> Response {
        let before = visit.query["before"].flatMap { Int64($0) }
        let entries = try await visit.store.audit(before: before, limit: pageSize)
        let isFull = entries.count == pageSize
        let view = View(
            entries: entries.map { EntryView($0, visit) },
            older: isFull ? entries.last.map { "/dashboard/audit?before=\($0.position)" } : nil,
            isFirst: before == nil
        )
        return try visit.page("audit", title: "Audit log", in: .audit, view)
    }
}

extension AuditPage.EntryView {
    init(_ entry: AuditEntry, _ visit: Visit) {
        let isCampaign = entry.action.hasPrefix("campaign.")
        self.init(
            time: TimeView(entry.at, for: visit),
            actor: entry.actor,
            text: Self.texts[entry.action] ?? entry.action,
            action: entry.action,
            subject: entry.subject,
            link: isCampaign ? "/dashboard/campaigns/\(FormData.escape(entry.subject))" : nil,
            isRefusal: entry.action.hasPrefix("request.") || entry.action == "session.refused"
        )
    }

    private static let texts = [
        "campaign.create": "made the campaign", "campaign.update": "changed the campaign",
        "campaign.launch": "launched the campaign", "campaign.pause": "paused the campaign",
        "campaign.stop": "stopped the campaign", "campaign.archive": "archived the campaign",
        "key.create": "made the key", "key.revoke": "revoked the key", "settings.update": "changed the settings",
        "member.create": "added the member", "member.remove": "removed the member",
        "member.role-admin": "made an administrator of", "member.role-editor": "made an editor of",
        "member.role-viewer": "made a viewer of", "member.password": "changed the password of",
        "member.factor-on": "switched two-factor sign-in on for", "member.code": "used a second factor as",
        "member.factor-off": "switched two-factor sign-in off for", "session.begin": "signed in as",
        "session.refused": "failed to sign in as", "request.forbidden": "was refused, for their role,",
        "request.forged": "was refused, without a valid form,", "request.replayed": "was refused, sent twice,",
        "request.late": "was refused, too late,",
    ]
}
