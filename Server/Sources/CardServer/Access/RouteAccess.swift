import CardModel

/// What a caller of a route needs.
enum RouteAccess: Sendable, Hashable {
    /// Nothing: anybody may call it.
    case open
    /// A key with that permission, or a member of the team.
    case permission(Permission)
    /// A key with one of two permissions; its handler does as much as the key permits.
    case either(Permission, Permission)

    /// The permissions of which one is needed; none for a route that anybody may call.
    var permissions: [Permission] {
        switch self {
        case .open: []
        case .permission(let permission): [permission]
        case .either(let first, let second): [first, second]
        }
    }

    /// Every route of the API by method and path; a route that isn't listed is refused.
    static let table: [String: RouteAccess] = [
        "GET /healthz": .open,
        "GET /readyz": .open,
        "GET /metrics": .open,
        "GET /openapi.json": .open,

        "POST /v1/sync": .permission(.device),
        "POST /v1/events": .permission(.device),
        "GET /v1/live": .permission(.device),
        // An app proposes, and a backend publishes.
        "PUT /v1/content-types": .either(.device, .campaigns),

        "GET /v1/content-types": .permission(.read),
        "POST /v1/content-types/proposals/{id}/accept": .permission(.campaigns),
        "POST /v1/content-types/proposals/{id}/dismiss": .permission(.campaigns),
        "GET /v1/campaigns": .permission(.read),
        "GET /v1/campaigns/{id}": .permission(.read),
        "GET /v1/campaigns/{id}/checks": .permission(.read),
        "GET /v1/campaigns/{id}/versions": .permission(.read),
        "GET /v1/campaigns/{id}/versions/{version}": .permission(.read),
        "POST /v1/checks": .permission(.read),
        "GET /v1/segments": .permission(.read),
        "GET /v1/segments/{id}": .permission(.read),
        "POST /v1/audience/reach": .permission(.read),
        "GET /v1/templates/names": .permission(.read),
        // For a user who is named, its handler asks for users too.
        "POST /v1/preview": .permission(.read),
        "GET /v1/content-blocks": .permission(.read),
        "GET /v1/content-blocks/{id}": .permission(.read),

        "POST /v1/campaigns": .permission(.campaigns),
        "PUT /v1/campaigns/{id}": .permission(.campaigns),
        "POST /v1/campaigns/{id}/launch": .permission(.campaigns),
        "POST /v1/campaigns/{id}/pause": .permission(.campaigns),
        "POST /v1/campaigns/{id}/stop": .permission(.campaigns),
        "POST /v1/campaigns/{id}/archive": .permission(.campaigns),
        "POST /v1/campaigns/{id}/restore": .permission(.campaigns),
        "POST /v1/campaigns/{id}/duplicate": .permission(.campaigns),
        "POST /v1/campaigns/{id}/test-send": .permission(.campaigns),
        "GET /v1/test-users": .permission(.campaigns),
        "PUT /v1/test-users": .permission(.campaigns),
        "POST /v1/segments": .permission(.campaigns),
        "PUT /v1/segments/{id}": .permission(.campaigns),
        "POST /v1/segments/{id}/archive": .permission(.campaigns),
        "POST /v1/segments/{id}/restore": .permission(.campaigns),
        "PUT /v1/content-blocks/{id}": .permission(.campaigns),
        "DELETE /v1/content-blocks/{id}": .permission(.campaigns),

        "GET /v1/campaigns/{id}/report": .permission(.report),
        "POST /v1/campaigns/{id}/trigger": .permission(.trigger),

        "GET /v1/users/{id}": .permission(.users),
        "PATCH /v1/users/{id}": .permission(.users),
        "DELETE /v1/users/{id}": .permission(.users),
        "GET /v1/users/{id}/events": .permission(.users),
        "GET /v1/users/{id}/explain": .permission(.users),
        "GET /v1/users/{id}/feed": .permission(.users),
        "POST /v1/audience/explain": .permission(.users),

        "GET /v1/keys": .permission(.keys),
        "POST /v1/keys": .permission(.keys),
        "PATCH /v1/keys/{id}": .permission(.keys),
        "POST /v1/keys/{id}/rotate": .permission(.keys),
        "DELETE /v1/keys/{id}": .permission(.keys),

        "GET /v1/settings": .permission(.settings),
        "PUT /v1/settings": .permission(.settings),
        "GET /v1/audit": .permission(.settings),
        "GET /v1/audit/export": .permission(.settings),
        "GET /v1/webhook": .permission(.settings),
        "PUT /v1/webhook": .permission(.settings),
        "POST /v1/webhook/rotate": .permission(.settings),
        "DELETE /v1/webhook": .permission(.settings),

        "POST /users/track": .permission(.trackUsers),
        "POST /users/export/ids": .permission(.exportUsers),
        "POST /users/alias/new": .permission(.nameUsers),
        "POST /users/identify": .permission(.identifyUsers),
        "POST /users/delete": .permission(.deleteUsers),
        "GET /campaigns/list": .permission(.listCampaigns),
        "GET /campaigns/details": .permission(.readCampaigns),
        "GET /campaigns/data_series": .permission(.countCampaigns),
        "POST /campaigns/trigger/send": .permission(.sendCampaigns),
        "POST /campaigns/trigger/schedule/create": .permission(.scheduleCampaigns),
        "POST /campaigns/trigger/schedule/update": .permission(.rescheduleCampaigns),
        "POST /campaigns/trigger/schedule/delete": .permission(.unscheduleCampaigns),
        "GET /segments/list": .permission(.listSegments),
        "GET /segments/details": .permission(.readSegments),
        "GET /v1/events/export": .permission(.exportEvents),
    ]
}
