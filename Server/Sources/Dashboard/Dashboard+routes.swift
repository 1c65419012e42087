import CardServer
import Hummingbird

extension Dashboard {
    /// Every page and form, in one place, with the role that it needs.
    static func routes(_ site: Site) -> Router<AppContext> {
        let router = Router(context: AppContext.self)
        router.add(middleware: ErrorPages(site: site))
        pages.add(to: router, of: site)
        return router
    }

    /// Every page and form.
    static var pages: PageRoutes {
        var pages = PageRoutes()
        addOpen(to: &pages)
        addAccount(to: &pages)
        pages.openWithoutSetup()
        addWorkspace(to: &pages)
        addCampaigns(to: &pages)
        addPeople(to: &pages)
        addMedia(to: &pages)
        addContentBlocks(to: &pages)
        addFilters(to: &pages)
        pages.get("/dashboard", .viewer, OverviewPage.show)
        pages.get("/dashboard/calendar", .viewer, CalendarPage.show)
        pages.get("/dashboard/search", .viewer, SearchPage.answer)
        pages.get("/dashboard/live", .viewer, LivePage.stream)
        pages.get("/dashboard/resume", .viewer, ResumePage.show)
        return pages
    }

    private static func addOpen(to pages: inout PageRoutes) {
        pages.open(.get, "/") { _ in { _, _ in Response.seeOther("/dashboard") } }
        pages.open(.get, "/dashboard/assets/:file") { AssetPages(files: $0.files).file }
        pages.open(.get, "/dashboard/setup") { SetupPages(site: $0).show }
        pages.open(.post, "/dashboard/setup") { SetupPages(site: $0).create }
        pages.open(.get, "/dashboard/sign-in") { SignInPages(site: $0).show }
        pages.open(.post, "/dashboard/sign-in") { SignInPages(site: $0).begin }
        pages.open(.post, "/dashboard/sign-in/code") { CodePages(site: $0).check }
        pages.open(.get, "/dashboard/sign-in/provider") { ProviderPages(site: $0).start }
        pages.open(.get, OpenIDProvider.path) { ProviderPages(site: $0).finish }
        pages.open(.get, "/dashboard/forgot") { ForgotPages(site: $0).show }
        pages.open(.post, "/dashboard/forgot") { ForgotPages(site: $0).ask }
        pages.open(.get, "/dashboard/password") { PasswordLinkPages(site: $0).show }
        pages.open(.post, "/dashboard/password") { PasswordLinkPages(site: $0).choose }
    }

    private static func addAccount(to pages: inout PageRoutes) {
        pages.get("/dashboard/account", .viewer, AccountPages.show)
        pages.post("/dashboard/account/password", .viewer, AccountPages.changePassword)
        pages.post("/dashboard/account/factor", .viewer, AccountPages.switchFactor)
        pages.post("/dashboard/account/recovery", .viewer, AccountPages.renewRecoveryCodes)
        pages.post("/dashboard/account/sessions", .viewer, AccountPages.signOutElsewhere)
        pages.post("/dashboard/account/sessions/:id/end", .viewer, AccountPages.endSession)
        pages.post("/dashboard/sign-out", .viewer, AccountPages.signOut)
        pages.post("/dashboard/theme", .viewer, use: .often, AccountPages.changeTheme)
        pages.post("/dashboard/language", .viewer, use: .often, AccountPages.changeLanguage)
    }

    private static func addWorkspace(to pages: inout PageRoutes) {
        pages.get("/dashboard/team", .viewer, TeamPages.show)
        pages.post("/dashboard/team", .admin, isSensitive: true, TeamPages.add)
        pages.post("/dashboard/team/:email/role", .admin, isSensitive: true, TeamPages.changeRole)
        pages.post("/dashboard/team/:email/password", .admin, isSensitive: true, TeamPages.resetPassword)
        pages.post("/dashboard/team/:email/factor-off", .admin, isSensitive: true, TeamPages.switchFactorOff)
        pages.post("/dashboard/team/:email/sessions", .admin, isSensitive: true, TeamPages.endSessions)
        pages.post("/dashboard/team/:email/remove", .admin, isSensitive: true, TeamPages.remove)
        pages.get("/dashboard/keys", .viewer, KeyPages.show)
        pages.post("/dashboard/keys", .admin, isSensitive: true, KeyPages.create)
        pages.get("/dashboard/keys/:id", .viewer, KeyEditPage.show)
        pages.post("/dashboard/keys/:id", .admin, isSensitive: true, KeyEditPage.save)
        pages.post("/dashboard/keys/:id/rotate", .admin, isSensitive: true, KeyPages.rotate)
        pages.post("/dashboard/keys/:id/revoke", .admin, isSensitive: true, KeyPages.revoke)
        pages.get("/dashboard/audit", .viewer, AuditPage.show)
        pages.get("/dashboard/audit/export", .admin, AuditPage.export)
        pages.get("/dashboard/settings", .viewer, SettingsPages.show)
        pages.post("/dashboard/settings", .admin, isSensitive: true, SettingsPages.save)
    }

    private static func addCampaigns(to pages: inout PageRoutes) {
        pages.get("/dashboard/campaigns", .viewer, CampaignsPage.show)
        pages.get("/dashboard/campaigns/new", .editor, EditorPages.new)
        pages.post("/dashboard/campaigns/new", .editor, EditorPages.save)
        pages.post("/dashboard/campaigns/reshape", .editor, use: .often, EditorPages.reshape)
        pages.post("/dashboard/campaigns/preview", .editor, use: .often, EditorPreview.show)
        pages.post("/dashboard/campaigns/check", .editor, use: .often, EditorChecks.answer)
        pages.get("/dashboard/campaigns/bulk", .viewer, CampaignsPage.list)
        pages.post("/dashboard/campaigns/bulk", .editor, BulkActions.apply)
        pages.get("/dashboard/campaigns/names", .editor, EditorChecks.names)
        pages.get("/dashboard/campaigns/:id", .viewer, ReportPage.show)
        pages.get("/dashboard/campaigns/:id/versions", .viewer, VersionPages.show)
        pages.get("/dashboard/campaigns/:id/export", .viewer, ReportPage.export)
        pages.get("/dashboard/campaigns/:id/edit", .editor, EditorPages.edit)
        pages.post("/dashboard/campaigns/:id/edit", .editor, EditorPages.save)
        pages.get("/dashboard/campaigns/:id/launch", .editor, LaunchPage.show)
        pages.get("/dashboard/campaigns/:id/card", .viewer, LaunchPage.card)
        pages.post("/dashboard/campaigns/:id/launch", .editor, CampaignPages.launch)
        pages.get("/dashboard/campaigns/:id/approval", .viewer, ApprovalPage.show)
        pages.post("/dashboard/campaigns/:id/approval", .editor, ApprovalPage.request)
        pages.post("/dashboard/campaigns/:id/approval/comment", .editor, ApprovalPage.comment)
        pages.post("/dashboard/campaigns/:id/approval/withdraw", .editor, ApprovalPage.withdraw)
        pages.post("/dashboard/campaigns/:id/approval/approve", .admin, ApprovalPage.approve)
        pages.post("/dashboard/campaigns/:id/approval/reject", .admin, ApprovalPage.reject)
        pages.get("/dashboard/campaigns/:id/test", .editor, TestSendPage.show)
        pages.post("/dashboard/campaigns/:id/test", .editor, TestSendPage.send)
        pages.post("/dashboard/campaigns/:id/pause", .editor, CampaignPages.pause)
        pages.get("/dashboard/campaigns/:id/stop", .editor, CampaignPages.stopPage)
        pages.post("/dashboard/campaigns/:id/stop", .editor, CampaignPages.stop)
        pages.post("/dashboard/campaigns/:id/archive", .editor, CampaignPages.archive)
        pages.post("/dashboard/campaigns/:id/restore", .editor, CampaignPages.restore)
        pages.post("/dashboard/campaigns/:id/duplicate", .editor, CampaignPages.duplicate)
        pages.get("/dashboard/content-types", .viewer, ContentTypePages.show)
        pages.post("/dashboard/content-types/:id/delete", .editor, ContentTypePages.delete)
        pages.post("/dashboard/content-types/proposals/:id/accept", .editor, ContentTypePages.accept)
        pages.post("/dashboard/content-types/proposals/:id/dismiss", .editor, ContentTypePages.dismiss)
        pages.get("/dashboard/segments", .viewer, SegmentPages.list)
        pages.get("/dashboard/segments/new", .editor, SegmentPages.new)
        pages.post("/dashboard/segments/new", .editor, SegmentPages.save)
        pages.post("/dashboard/segments/reshape", .editor, use: .often, SegmentPages.reshape)
        pages.get("/dashboard/segments/:id", .viewer, SegmentPages.show)
        pages.post("/dashboard/segments/:id", .editor, SegmentPages.save)
        pages.post("/dashboard/segments/:id/archive", .editor, SegmentPages.archive)
        pages.post("/dashboard/segments/:id/restore", .editor, SegmentPages.restore)
    }

    private static func addMedia(to pages: inout PageRoutes) {
        pages.get("/dashboard/media", .viewer, MediaPages.show)
        pages.get("/dashboard/media/list", .viewer, MediaPages.list)
        pages.post("/dashboard/media/upload", .editor, use: .upload, MediaPages.upload)
        pages.post("/dashboard/media/:id/alt", .editor, MediaPages.setAlt)
        pages.get("/dashboard/media/:id/delete", .editor, MediaPages.deletePage)
        pages.post("/dashboard/media/:id/delete", .editor, MediaPages.delete)
    }

    private static func addContentBlocks(to pages: inout PageRoutes) {
        pages.get("/dashboard/content-blocks", .viewer, ContentBlockPages.list)
        pages.get("/dashboard/content-blocks/new", .editor, ContentBlockEditor.new)
        pages.post("/dashboard/content-blocks/new", .editor, ContentBlockEditor.create)
        pages.post("/dashboard/content-blocks/check", .editor, use: .often, ContentBlockEditor.check)
        pages.post("/dashboard/content-blocks/preview", .editor, use: .often, ContentBlockEditor.preview)
        pages.get("/dashboard/content-blocks/:id", .viewer, ContentBlockEditor.show)
        pages.post("/dashboard/content-blocks/:id", .editor, ContentBlockEditor.save)
        pages.get("/dashboard/content-blocks/:id/delete", .editor, ContentBlockPages.deletePage)
        pages.post("/dashboard/content-blocks/:id/delete", .editor, ContentBlockPages.delete)
    }

    private static func addFilters(to pages: inout PageRoutes) {
        pages.get("/dashboard/filters", .viewer, SavedFilterPages.show)
        pages.post("/dashboard/filters", .viewer, SavedFilterPages.save)
        pages.post("/dashboard/filters/:id", .viewer, SavedFilterPages.change)
        pages.post("/dashboard/filters/:id/delete", .viewer, SavedFilterPages.delete)
        // Of filters, which viewers have, and of what editors change.
        pages.post("/dashboard/undo", .viewer, ChangeUndo.apply)
    }

    private static func addPeople(to pages: inout PageRoutes) {
        pages.get("/dashboard/users", .viewer, UserPages.list)
        pages.get("/dashboard/users/imports", .editor, ImportPages.list)
        pages.post("/dashboard/users/imports/upload", .editor, use: .upload, ImportUploads.whole)
        pages.post("/dashboard/users/imports/begin", .editor, use: .upload, ImportUploads.begin)
        pages.get("/dashboard/users/imports/:id", .editor, ImportPages.show)
        pages.post("/dashboard/users/imports/:id/piece", .editor, use: .upload, ImportUploads.piece)
        pages.post("/dashboard/users/imports/:id/start", .editor, ImportPages.start)
        pages.post("/dashboard/users/imports/:id/cancel", .editor, ImportPages.cancel)
        pages.get("/dashboard/users/imports/:id/errors", .editor, ImportPages.errors)
        pages.get("/dashboard/users/:id", .viewer, UserPages.show)
        pages.get("/dashboard/users/:id/feed", .viewer, UserPages.feed)
        pages.post("/dashboard/users/:id/delete", .admin, UserPages.delete)
        pages.get("/dashboard/events", .viewer, EventPages.show)
    }
}

// MARK: What the pages are made of

extension Section {
    /// Every part, in the order of the navigation.
    static let all: [Section] = [
        .overview, .campaigns, .calendar, .media, .contentBlocks, .segments, .contentTypes,
        .users, .events,
        .team, .keys, .audit, .settings,
        .account,
    ]
}

extension Templates {
    /// Every template by its name.
    static let embedded: [String: [UInt8]] = [
        "account": PackageResources.account_mustache,
        "approval": PackageResources.approval_mustache,
        "approval-notice": PackageResources.approval_notice_mustache,
        "audience": PackageResources.audience_mustache,
        "audience-node": PackageResources.audience_node_mustache,
        "audit": PackageResources.audit_mustache,
        "calendar": PackageResources.calendar_mustache,
        "campaigns": PackageResources.campaigns_mustache,
        "condition": PackageResources.condition_mustache,
        "confirm": PackageResources.confirm_mustache,
        "confirmed": PackageResources.confirmed_mustache,
        "content-block": PackageResources.content_block_mustache,
        "content-block-delete": PackageResources.content_block_delete_mustache,
        "content-blocks": PackageResources.content_blocks_mustache,
        "content-types": PackageResources.content_types_mustache,
        "duration": PackageResources.duration_mustache,
        "editor": PackageResources.editor_mustache,
        "editor-fields": PackageResources.editor_fields_mustache,
        "error": PackageResources.error_mustache,
        "error-plain": PackageResources.error_plain_mustache,
        "events": PackageResources.events_mustache,
        "events-lines": PackageResources.events_lines_mustache,
        "field": PackageResources.field_mustache,
        "field-problem": PackageResources.field_problem_mustache,
        "filters": PackageResources.filters_mustache,
        "forgot": PackageResources.forgot_mustache,
        "import": PackageResources.import_mustache,
        "import-progress": PackageResources.import_progress_mustache,
        "import-progress-body": PackageResources.import_progress_body_mustache,
        "imports": PackageResources.imports_mustache,
        "key": PackageResources.key_mustache, "keys": PackageResources.keys_mustache,
        "launch": PackageResources.launch_mustache,
        "layout": PackageResources.layout_mustache,
        "media": PackageResources.media_mustache,
        "media-delete": PackageResources.media_delete_mustache,
        "overview": PackageResources.overview_mustache,
        "overview-numbers": PackageResources.overview_numbers_mustache,
        "pair": PackageResources.pair_mustache,
        "password-link": PackageResources.password_link_mustache,
        "plain": PackageResources.plain_mustache,
        "report": PackageResources.report_mustache,
        "report-numbers": PackageResources.report_numbers_mustache,
        "report-withheld": PackageResources.report_withheld_mustache,
        "resume": PackageResources.resume_mustache,
        "saved-filters": PackageResources.saved_filters_mustache,
        "segment": PackageResources.segment_mustache,
        "segment-fields": PackageResources.segment_fields_mustache,
        "segments": PackageResources.segments_mustache,
        "settings": PackageResources.settings_mustache,
        "settings-limit": PackageResources.settings_limit_mustache,
        "setup": PackageResources.setup_mustache,
        "sign-in": PackageResources.sign_in_mustache,
        "sign-in-code": PackageResources.sign_in_code_mustache,
        "stop": PackageResources.stop_mustache,
        "team": PackageResources.team_mustache,
        "test-send": PackageResources.test_send_mustache,
        "user": PackageResources.user_mustache,
        "users": PackageResources.users_mustache,
        "variant": PackageResources.variant_mustache,
        "versions": PackageResources.versions_mustache,
    ]
}
