import Hummingbird
import WireJSON

extension Router where Context == AppContext {
    /// Returns a router with a handler for every route of ``APIRoute``, which tests hold it to.
    static func build(_ services: Services) -> Router<AppContext> {
        let routes = RouteRegistry(services: services, parameters: QueryParameters.documented)
        routes.addDevices(services)
        routes.addManagement(services)
        routes.addSegments(services)
        routes.addMedia(services)
        routes.addAccess(services)
        routes.addBackends()
        routes.addOperations(services)
        return routes.router
    }
}

extension RouteRegistry {
    fileprivate func addDevices(_ services: Services) {
        let sync = SyncController(services: services)
        let contentTypes = ContentTypesController(services: services)
        on(.sync, use: sync.sync)
        on(.sendEvents, use: sync.events)
        on(.live, use: LiveController(services: services).live)
        on(.publishContentTypes, use: contentTypes.publish)
        on(.createTestCode, use: TestCodeController(services: services).create)
        on(.listContentTypes, use: contentTypes.list)
        on(.acceptContentType, use: contentTypes.accept)
        on(.dismissContentType, use: contentTypes.dismiss)
        on(.deleteContentType, use: contentTypes.delete)
    }

    fileprivate func addManagement(_ services: Services) {
        let campaigns = CampaignsController(services: services, campaigns: services.campaigns)
        on(.listCampaigns, use: campaigns.list)
        on(.createCampaign, use: campaigns.create)
        on(.readCampaign, use: campaigns.read)
        on(.updateCampaign, use: campaigns.update)
        on(.launchCampaign, use: campaigns.launch)
        on(.pauseCampaign, use: campaigns.pause)
        on(.stopCampaign, use: campaigns.stop)
        on(.archiveCampaign, use: campaigns.archive)
        on(.restoreCampaign, use: campaigns.restore)
        on(.duplicateCampaign, use: campaigns.duplicate)
        let approvals = ApprovalsController(services: services)
        on(.listApprovals, use: approvals.list)
        on(.requestApproval, use: approvals.request)
        on(.withdrawApproval, use: approvals.withdraw)
        on(.listPendingApprovals, use: approvals.pending)
        on(.triggerCampaign, use: TriggerController(services: services).trigger)
        let tests = TestSendController(services: services, tests: services.tests)
        on(.testSend, use: tests.send)
        on(.listTestUsers, use: tests.users)
        on(.saveTestUsers, use: tests.saveUsers)
        on(.report, use: ReportController(services: services).report)
        let checks = ChecksController(campaigns: services.campaigns)
        on(.checkCampaign, use: checks.checks)
        on(.checkDraft, use: checks.check)

        let versions = CampaignVersionsController(services: services)
        on(.listVersions, use: versions.list)
        on(.readVersion, use: versions.read)

        let users = UsersController(services: services, users: services.users)
        on(.readUser, use: users.read)
        on(.updateUser, use: users.update)
        on(.deleteUser, use: users.delete)
        on(.listUserEvents, use: users.events)
        let explain = ExplainController(services: services, service: services.explanations)
        on(.explainUser, use: explain.explain)
        on(.showFeed, use: explain.feed)
        on(.preview, use: PreviewController(service: services.previews).preview)

        on(.listTemplateNames, use: TemplateNamesController(service: services.templateNames).names)
        let blocks = ContentBlocksController(services: services)
        on(.listContentBlocks, use: blocks.list)
        on(.readContentBlock, use: blocks.read)
        on(.saveContentBlock, use: blocks.save)
        on(.deleteContentBlock, use: blocks.delete)
    }

    fileprivate func addSegments(_ services: Services) {
        let segments = SegmentsController(services: services, segments: services.segments)
        on(.listSegments, use: segments.list)
        on(.createSegment, use: segments.create)
        on(.readSegment, use: segments.read)
        on(.updateSegment, use: segments.update)
        on(.archiveSegment, use: segments.archive)
        on(.restoreSegment, use: segments.restore)
        on(.duplicateSegment, use: segments.duplicate)

        let audience = AudienceController(services: services, segments: services.segments)
        on(.estimateReach, use: audience.reach)
        on(.explainAudience, use: audience.explain)
    }

    fileprivate func addMedia(_ services: Services) {
        let media = MediaController(services: services)
        on(.listMedia, use: media.list)
        on(.uploadMedia, use: media.upload)
        on(.readMedia, use: media.read)
        on(.updateMedia, use: media.update)
        on(.deleteMedia, use: media.delete)
        let files = MediaFileController(services: services)
        on(.picture, use: files.largest)
        on(.pictureSize, use: files.size)
    }

    fileprivate func addAccess(_ services: Services) {
        let access = AccessController(settings: services.workspace)
        let keys = KeysController(keys: services.keys)
        on(.listKeys, use: keys.list)
        on(.createKey, use: keys.create)
        on(.updateKey, use: keys.edit)
        on(.rotateKey, use: keys.rotate)
        on(.revokeKey, use: keys.revoke)
        on(.readSettings, use: access.read)
        on(.saveSettings, use: access.save)
        on(.changeSettings, use: access.change)
        let audit = AuditController(services: services)
        on(.listAudit, use: audit.list)
        on(.exportAudit, use: audit.export)

        let webhook = WebhookController(services: services)
        on(.readWebhook, use: webhook.read)
        on(.saveWebhook, use: webhook.save)
        on(.changeWebhook, use: webhook.change)
        on(.rotateWebhook, use: webhook.rotate)
        on(.deleteWebhook, use: webhook.delete)
    }

    fileprivate func addOperations(_ services: Services) {
        let operations = OperationsController(services: services) { OpenAPIDocument.encodedDocument }
        on(.health, use: operations.health)
        on(.readiness, use: operations.ready)
        on(.metrics, use: operations.metrics)
        on(.openAPI, use: operations.openAPI)
    }
}
