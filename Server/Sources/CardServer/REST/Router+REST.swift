import Hummingbird

extension Router where Context == AppContext {
    /// The routes of backends, with the paths that the field's public documentation gives.
    static func addBackendRoutes(to router: Router<AppContext>, _ services: Services) {
        let gate = BackendGate(services: services)
        let identity = IdentityController()
        let campaigns = CampaignExportController()
        router.post("/users/track", use: gate.guarding(.track, TrackController().track))
        router.post("/users/export/ids", use: gate.guarding(.export, ExportController().export))
        router.post("/users/alias/new", use: gate.guarding(.identity, identity.alias))
        router.post("/users/identify", use: gate.guarding(.identity, identity.identify))
        router.post("/users/delete", use: gate.guarding(.identity, identity.delete))
        router.get("/campaigns/list", use: gate.guarding(.other, campaigns.list))
        router.get("/campaigns/details", use: gate.guarding(.other, campaigns.details))
        let sends = SendController()
        router.post("/campaigns/trigger/send", use: gate.guarding(.send, sends.send))
        router.post(
            "/campaigns/trigger/schedule/create",
            use: gate.guarding(.other, sends.schedule)
        )
        router.post(
            "/campaigns/trigger/schedule/update",
            use: gate.guarding(.other, sends.reschedule)
        )
        router.post(
            "/campaigns/trigger/schedule/delete",
            use: gate.guarding(.other, sends.unschedule)
        )
        let segments = SegmentExportController()
        router.get("/segments/list", use: gate.guarding(.other, segments.list))
        router.get("/segments/details", use: gate.guarding(.other, segments.details))
        let export = EventExportController(services: services)
        router.get("/v1/events/export", use: gate.guarding(.other, export.export))
        router.get("/campaigns/data_series", use: gate.guarding(.dataSeries, campaigns.series))
    }
}
