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
        let export = EventExportController(services: services)
        router.get("/v1/events/export", use: gate.guarding(.exportEvents, .other, export.export))
        router.get("/campaigns/data_series", use: gate.guarding(.countCampaigns, .dataSeries, campaigns.series))
    }
}
