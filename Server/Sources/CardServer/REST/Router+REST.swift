import Hummingbird

extension Router where Context == AppContext {
    /// The routes of backends, with the paths that the field's public documentation gives.
    static func addBackendRoutes(to router: Router<AppContext>, _ services: Services) {
        let gate = BackendGate(services: services)
        let identity = IdentityController()
        let campaigns = CampaignExportController()
        router.post("/users/track", use: gate.guarding(.trackUsers, .track, TrackController().track))
        router.post("/users/export/ids", use: gate.guarding(.exportUsers, .export, ExportController().export))
        router.post("/users/alias/new", use: gate.guarding(.nameUsers, .identity, identity.alias))
        router.post("/users/identify", use: gate.guarding(.identifyUsers, .identity, identity.identify))
        router.post("/users/delete", use: gate.guarding(.deleteUsers, .identity, identity.delete))
        router.get("/campaigns/list", use: gate.guarding(.listCampaigns, .other, campaigns.list))
        router.get("/campaigns/details", use: gate.guarding(.readCampaigns, .other, campaigns.details))
        let sends = SendController()
        router.post("/campaigns/trigger/send", use: gate.guarding(.sendCampaigns, .send, sends.send))
        router.post(
            "/campaigns/trigger/schedule/create",
            use: gate.guarding(.scheduleCampaigns, .other, sends.schedule)
        )
        router.post(
            "/campaigns/trigger/schedule/update",
            use: gate.guarding(.rescheduleCampaigns, .other, sends.reschedule)
        )
        router.post(
            "/campaigns/trigger/schedule/delete",
            use: gate.guarding(.unscheduleCampaigns, .other, sends.unschedule)
        )
        let segments = SegmentExportController()
        router.get("/segments/list", use: gate.guarding(.listSegments, .other, segments.list))
        router.get("/segments/details", use: gate.guarding(.readSegments, .other, segments.details))
        let export = EventExportController(services: services)
        router.get("/v1/events/export", use: gate.guarding(.exportEvents, .other, export.export))
        router.get("/campaigns/data_series", use: gate.guarding(.countCampaigns, .dataSeries, campaigns.series))
    }
}
