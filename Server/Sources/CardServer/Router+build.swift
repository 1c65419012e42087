import Hummingbird
import WireJSON

extension Router where Context == AppContext {
    /// Every route, in one place.
    ///
    /// `OpenAPIDocument` describes the same ones, and a test holds the two together.
    static func build(_ services: Services) -> Router<AppContext> {
        let router = Router(context: AppContext.self)
        router.add(middleware: RefusalMiddleware())
        router.add(middleware: RouteAuthorization(services: services))
        addDeviceRoutes(to: router, services)
        addManagementRoutes(to: router, services)
        addBackendRoutes(to: router, services)
        addOperationsRoutes(to: router, services)
        return router
    }

    private static func addDeviceRoutes(to router: Router<AppContext>, _ services: Services) {
        let sync = SyncController(services: services)
        let contentTypes = ContentTypesController(services: services)
        router.post("/v1/sync", use: sync.sync)
        router.post("/v1/events", use: sync.events)
        router.get("/v1/live", use: LiveController(services: services).live)
        router.put("/v1/content-types", use: contentTypes.publish)
        router.get("/v1/content-types", use: contentTypes.list)
        router.post("/v1/content-types/proposals/{id}/accept", use: contentTypes.accept)
        router.post("/v1/content-types/proposals/{id}/dismiss", use: contentTypes.dismiss)
    }

    private static func addManagementRoutes(to router: Router<AppContext>, _ services: Services) {
        let campaigns = CampaignsController(services: services)
        router.get("/v1/campaigns", use: campaigns.list)
        router.post("/v1/campaigns", use: campaigns.create)
        router.get("/v1/campaigns/{id}", use: campaigns.read)
        router.put("/v1/campaigns/{id}", use: campaigns.update)
        router.post("/v1/campaigns/{id}/launch", use: campaigns.launch)
        router.post("/v1/campaigns/{id}/pause", use: campaigns.pause)
        router.post("/v1/campaigns/{id}/stop", use: campaigns.stop)
        router.post("/v1/campaigns/{id}/archive", use: campaigns.archive)
        router.post("/v1/campaigns/{id}/restore", use: campaigns.restore)
        router.post("/v1/campaigns/{id}/duplicate", use: campaigns.duplicate)
        router.post("/v1/campaigns/{id}/trigger", use: TriggerController(services: services).trigger)
        let tests = TestSendController(services: services)
        router.post("/v1/campaigns/{id}/test-send", use: tests.send)
        router.get("/v1/test-users", use: tests.users)
        router.put("/v1/test-users", use: tests.saveUsers)
        router.get("/v1/campaigns/{id}/report", use: ReportController(services: services).report)
        let checks = ChecksController(services: services)
        router.get("/v1/campaigns/{id}/checks", use: checks.checks)
        router.post("/v1/checks", use: checks.check)

        let versions = CampaignVersionsController(services: services)
        router.get("/v1/campaigns/{id}/versions", use: versions.list)
        router.get("/v1/campaigns/{id}/versions/{version}", use: versions.read)

        let segments = SegmentsController(services: services)
        router.get("/v1/segments", use: segments.list)
        router.post("/v1/segments", use: segments.create)
        router.get("/v1/segments/{id}", use: segments.read)
        router.put("/v1/segments/{id}", use: segments.update)
        router.post("/v1/segments/{id}/archive", use: segments.archive)
        router.post("/v1/segments/{id}/restore", use: segments.restore)

        let audience = AudienceController(services: services)
        router.post("/v1/audience/reach", use: audience.reach)
        router.post("/v1/audience/explain", use: audience.explain)

        let users = UsersController(services: services)
        router.get("/v1/users/{id}", use: users.read)
        router.patch("/v1/users/{id}", use: users.update)
        router.delete("/v1/users/{id}", use: users.delete)
        router.get("/v1/users/{id}/events", use: users.events)
        let explain = ExplainController(services: services)
        router.get("/v1/users/{id}/explain", use: explain.explain)
        router.get("/v1/users/{id}/feed", use: explain.feed)
        router.post("/v1/preview", use: PreviewController(services: services).preview)

        router.get("/v1/templates/names", use: TemplateNamesController(services: services).names)
        let blocks = ContentBlocksController(services: services)
        router.get("/v1/content-blocks", use: blocks.list)
        router.get("/v1/content-blocks/{id}", use: blocks.read)
        router.put("/v1/content-blocks/{id}", use: blocks.save)
        router.delete("/v1/content-blocks/{id}", use: blocks.delete)

        let access = AccessController(services: services)
        let keys = KeysController(services: services)
        router.get("/v1/keys", use: keys.list)
        router.post("/v1/keys", use: keys.create)
        router.patch("/v1/keys/{id}", use: keys.edit)
        router.post("/v1/keys/{id}/rotate", use: keys.rotate)
        router.delete("/v1/keys/{id}", use: keys.revoke)
        router.get("/v1/settings", use: access.settings)
        router.put("/v1/settings", use: access.saveSettings)
        let audit = AuditController(services: services)
        router.get("/v1/audit", use: audit.list)
        router.get("/v1/audit/export", use: audit.export)

        let webhook = WebhookController(services: services)
        router.get("/v1/webhook", use: webhook.read)
        router.put("/v1/webhook", use: webhook.save)
        router.post("/v1/webhook/rotate", use: webhook.rotate)
        router.delete("/v1/webhook", use: webhook.delete)
    }

    private static func addOperationsRoutes(to router: Router<AppContext>, _ services: Services) {
        var document = JSONWriter(capacity: 65_536)
        document.write(OpenAPIDocument.json)
        let operations = OperationsController(services: services, document: document)
        router.get("/healthz", use: operations.health)
        router.get("/readyz", use: operations.ready)
        router.get("/metrics", use: operations.metrics)
        router.get("/openapi.json", use: operations.openAPI)
    }
}
