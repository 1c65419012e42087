import CardModel
import CardServer
import CardStore
import Hummingbird
import WireJSON

extension Section {
    static let audit = Section(
        "audit",
        in: .workspace,
        icon: """
            <path d='M3 1.8h10v12.4H3zM5.5 5h5M5.5 8h5M5.5 11h3'/>
            """
    ) { localized("Audit log") }
}

extension PageDescriptor {
    static let audit = PageDescriptor(.audit, templates: ["audit": PackageResources.audit_mustache]) { routes in
        routes.get("/dashboard/audit", .viewer, AuditPage.show)
        routes.get("/dashboard/audit/export", .admin, AuditPage.export)
    }
}

/// The page of the audit log.
enum AuditPage {
    private static let pageSize = 100

    struct EntryView {
        let time: TimeView
        let actor: String
        let text: String
        let action: String
        let subject: String
        let hasSubject: Bool
        let link: String?
        let isRefusal: Bool
        /// The other details, such as the settings that changed.
        let details: [String]
    }

    struct AuditView {
        let entries: [EntryView]
        let older: String?
        let isFirst: Bool
    }

    /// Sends the whole log as JSON Lines.
    @Sendable static func export(_ context: PageContext) async throws -> Response {
        let export = AuditExport(store: context.store) { try await context.isStillEntitled() }
        return try await export.response(
            after: 0,
            at: context.now,
            by: context.actor,
            isHead: context.appContext.isHead
        )
    }

    @Sendable static func show(_ context: PageContext) async throws -> Response {
        let before = context.query.position(.before)
        let found = try await context.store.latestAuditEntries(before: before, limit: pageSize + 1)
        let entries = Array(found.prefix(pageSize))
        let names = try await NameBook(entries, context)
        let view = AuditView(
            entries: entries.map { EntryView($0, names, context) },
            older: found.count > pageSize ? entries.last.map { "/dashboard/audit?before=\($0.position)" } : nil,
            isFirst: before == nil
        )
        return try context.page("audit", title: localized("Audit log"), in: .audit, view)
    }
}

extension AuditPage.EntryView {
    init(_ entry: AuditEntry, _ names: NameBook, _ context: PageContext) {
        let places = ["campaign": "campaigns", "approval": "campaigns", "segment": "segments"]
            .merging(entry.action == "content_block.save" ? ["content_block": "content-blocks"] : [:]) { $1 }
        let place = places[String(entry.action.prefix(before: "."))]
        let isOwn = entry.actor == entry.subject
        self.init(
            time: TimeView(entry.at, for: context),
            actor: names.actor(entry.actor),
            text: isOwn ? Self.ownTexts[entry.action].map(localized) ?? Self.text(of: entry) : Self.text(of: entry),
            action: entry.action,
            subject: Self.subject(of: entry, names, context),
            hasSubject: !(isOwn && Self.ownTexts[entry.action] != nil) && !Self.withoutSubject.contains(entry.action),
            link: place.map { "/dashboard/\($0)/\(FormData.escape(part: entry.subject))" },
            isRefusal: entry.action.hasPrefix("request.") || entry.action == "session.refused",
            details: Self.isPersonal(entry) && context.hidesPersonalData
                ? [] : AuditDetails(names: names, timeZone: context.timeZone).lines(of: entry)
        )
    }

    private static func isPersonal(_ entry: AuditEntry) -> Bool {
        entry.action.hasPrefix("user") || entry.subject.contains(bytesOf: "/users/")
    }

    /// Returns the name of what something was done to, without a user's ID where the member isn't meant to see it.
    private static func subject(of entry: AuditEntry, _ names: NameBook, _ context: PageContext) -> String {
        guard isPersonal(entry), context.hidesPersonalData else { return names.subject(entry) }
        return context.site.personalData.mask(entry.subject)
    }

    /// The actions that have a text; all others are shown by their names.
    static var knownActions: Set<String> { Set(texts.keys).union(ownTexts.keys) }

    private static func text(of entry: AuditEntry) -> String { texts[entry.action].map(localized) ?? entry.action }

    /// The actions whose text says it all.
    private static let withoutSubject: Set<String> = [
        "settings.update", "user.list", "event.list", "user.export", "event.export", "audit.export", "audit.prune",
    ]

    /// The texts of what members do to themselves.
    private static let ownTexts: [String: Phrase] = [
        "session.begin": "signed in", "session.end": "signed out another browser",
        "session.end-others": "signed out everywhere else",
        "session.refused": "failed to sign in", "member.create": "created the first account",
        "member.password": "changed their password", "member.code": "used their second factor",
        "member.recovery": "used a recovery code", "member.recovery-renewed": "created new recovery codes",
        "member.factor-on": "turned on two-factor authentication",
        "member.factor-off": "turned off two-factor authentication",
    ]

    private static let texts: [String: Phrase] = [
        "campaign.broadcast": "broadcast the campaign", "campaign.test-send": "sent a test of the campaign",
        "test_users.update": "changed the test users, now", "content_block.save": "saved the content block",
        "filter.share": "shared the saved filter", "filter.update": "edited the saved filter",
        "filter.unshare": "stopped sharing the saved filter", "filter.delete": "deleted the saved filter",
        "media.upload": "uploaded the picture", "media.edit": "edited the picture",
        "media.delete": "deleted the picture", "media.restore": "restored the picture",
        "content_block.delete": "deleted the content block", "webhook.save": "set the webhook to",
        "webhook.delete": "removed the webhook", "member.recovery": "used a recovery code as",
        "member.recovery-renewed": "created new recovery codes for",
        "segment.create": "created the segment", "segment.update": "updated the segment",
        "segment.archive": "archived the segment", "segment.restore": "restored the segment",
        "campaign.create": "created the campaign", "campaign.update": "updated the campaign",
        "campaign.launch": "launched the campaign", "campaign.pause": "paused the campaign",
        "campaign.stop": "stopped the campaign", "campaign.archive": "archived the campaign",
        "campaign.restore": "restored the campaign", "campaign.undo": "undid a change of the campaign",
        "approval.request": "asked for approval of the campaign",
        "approval.comment": "commented on the request for the campaign",
        "approval.approve": "approved the request for the campaign",
        "approval.reject": "rejected the request for the campaign",
        "approval.withdraw": "withdrew the request for the campaign",
        "content_types.publish": "published the content types",
        "content_types.accept": "accepted the content types",
        "content_types.dismiss": "dismissed the proposed content types",
        "content_types.delete": "deleted the content type",
        "key.rotate": "rotated the key", "user.delete": "deleted the user", "user.read": "read the data of the user",
        "user.list": "read the list of users", "user.export": "exported users",
        "user.import": "started the import of users",
        "user.import-cancel": "canceled the import of users", "user.import-end": "ended the import of users",
        "event.export": "exported events", "event.list": "read the event log",
        "audit.export": "exported the audit log", "audit.prune": "removed old entries of the audit log",
        "key.create": "created the key", "key.update": "edited the key",
        "key.revoke": "revoked the key", "settings.update": "updated the settings",
        "member.recovery-rehashed": "hashed the recovery codes again of",
        "webhook.rotate": "replaced the secret of the", "secrets.rotate": "encrypted all secrets with the key",
        "secrets.reset": "discarded all secrets for the key",
        "member.create": "invited the member", "member.remove": "removed the member",
        "member.role-admin": "gave the administrator role to", "member.role-editor": "gave the editor role to",
        "member.identity": "connected to the sign-in provider",
        "member.role-viewer": "gave the viewer role to", "member.password": "changed the password of",
        "member.password-reset": "reset the password of",
        "member.reset-link": "asked for a link to reset the password of",
        "member.factor-on": "turned on two-factor authentication for", "member.code": "used a second factor as",
        "member.factor-off": "reset two-factor authentication for", "session.begin": "signed in as",
        "session.end": "signed out a browser of", "session.end-others": "signed out all browsers of",
        "session.refused": "failed to sign in as", "request.forbidden": "was rejected, for their role,",
        "request.forged": "was rejected, without a valid form,", "request.replayed": "was rejected as a duplicate:",
        "request.late": "was rejected as expired:",
    ]
}
