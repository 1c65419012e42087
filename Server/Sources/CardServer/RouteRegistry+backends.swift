import Hummingbird

extension RouteRegistry {
    /// Adds the routes of backends, with the paths that the field's public documentation gives.
    func addBackends() {
        let identity = IdentityController()
        let campaigns = CampaignExportController()
        on(.trackUsers, use: TrackController().track)
        on(.exportUsers, use: ExportController().export)
        on(.createAliases, use: identity.alias)
        on(.identifyUsers, use: identity.identify)
        on(.deleteUsers, use: identity.delete)
        on(.listCampaignsForBackends, use: campaigns.list)
        on(.readCampaignForBackends, use: campaigns.details)
        let sends = SendController()
        on(.sendCampaign, use: sends.send)
        on(.scheduleCampaign, use: sends.schedule)
        on(.rescheduleCampaign, use: sends.reschedule)
        on(.unscheduleCampaign, use: sends.unschedule)
        let segments = SegmentExportController()
        on(.listSegmentsForBackends, use: segments.list)
        on(.readSegmentForBackends, use: segments.details)
        let export = EventExportController(services: services)
        on(.exportEvents, use: export.export)
        on(.countCampaignForBackends, use: campaigns.series)
    }

    /// Registers the handler of a route for backends, whose keys have a limit for its group of paths.
    private func on(_ route: APIRoute, use handler: @escaping BackendAuthorization.BackendHandler) {
        on(route, use: BackendAuthorization(services: services).guarding(route.rate.backendGroup ?? .other, handler))
    }
}
