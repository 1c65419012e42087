import CardModel
import HTTPTypes
import WireJSON

/// A route of the API: its method and path.
///
/// This is the one list of routes. Only what stands here can be registered, ``group`` says for each what its caller
/// needs and how its requests are limited, and the OpenAPI document, `placard routes` and `docs/routes.md` are made of
/// it.
enum APIRoute: String, Sendable, CaseIterable {
    // Monitors and tools.
    case health = "GET /healthz"
    case readiness = "GET /readyz"
    case metrics = "GET /metrics"
    case openAPI = "GET /openapi.json"

    // Pictures, which devices and browsers load.
    case picture = "GET /media/{id}/{name}"
    case pictureSize = "GET /media/{id}/{name}/{width}"

    // Apps.
    case sync = "POST /v1/sync"
    case sendEvents = "POST /v1/events"
    case live = "GET /v1/live"
    case publishContentTypes = "PUT /v1/content-types"
    case createTestCode = "POST /v1/test-codes"

    // Campaigns and what belongs to them.
    case listContentTypes = "GET /v1/content-types"
    case deleteContentType = "DELETE /v1/content-types/{id}"
    case acceptContentType = "POST /v1/content-types/proposals/{id}/accept"
    case dismissContentType = "POST /v1/content-types/proposals/{id}/dismiss"
    case listCampaigns = "GET /v1/campaigns"
    case createCampaign = "POST /v1/campaigns"
    case readCampaign = "GET /v1/campaigns/{id}"
    case updateCampaign = "PUT /v1/campaigns/{id}"
    case launchCampaign = "POST /v1/campaigns/{id}/launch"
    case pauseCampaign = "POST /v1/campaigns/{id}/pause"
    case stopCampaign = "POST /v1/campaigns/{id}/stop"
    case archiveCampaign = "POST /v1/campaigns/{id}/archive"
    case restoreCampaign = "POST /v1/campaigns/{id}/restore"
    case duplicateCampaign = "POST /v1/campaigns/{id}/duplicate"
    case listApprovals = "GET /v1/campaigns/{id}/approvals"
    case requestApproval = "POST /v1/campaigns/{id}/approvals"
    case withdrawApproval = "POST /v1/campaigns/{id}/approvals/{approval}/withdraw"
    case listPendingApprovals = "GET /v1/approvals"
    case triggerCampaign = "POST /v1/campaigns/{id}/trigger"
    case testSend = "POST /v1/campaigns/{id}/test-send"
    case listTestUsers = "GET /v1/test-users"
    case saveTestUsers = "PUT /v1/test-users"
    case report = "GET /v1/campaigns/{id}/report"
    case checkCampaign = "GET /v1/campaigns/{id}/checks"
    case checkDraft = "POST /v1/checks"
    case listVersions = "GET /v1/campaigns/{id}/versions"
    case readVersion = "GET /v1/campaigns/{id}/versions/{version}"
    case preview = "POST /v1/preview"
    case listTemplateNames = "GET /v1/templates/names"
    case listContentBlocks = "GET /v1/content-blocks"
    case readContentBlock = "GET /v1/content-blocks/{id}"
    case saveContentBlock = "PUT /v1/content-blocks/{id}"
    case deleteContentBlock = "DELETE /v1/content-blocks/{id}"
    case listMedia = "GET /v1/media"
    case uploadMedia = "POST /v1/media"
    case readMedia = "GET /v1/media/{id}"
    case updateMedia = "PATCH /v1/media/{id}"
    case deleteMedia = "DELETE /v1/media/{id}"

    // Segments and audiences.
    case listSegments = "GET /v1/segments"
    case createSegment = "POST /v1/segments"
    case readSegment = "GET /v1/segments/{id}"
    case updateSegment = "PUT /v1/segments/{id}"
    case archiveSegment = "POST /v1/segments/{id}/archive"
    case restoreSegment = "POST /v1/segments/{id}/restore"
    case duplicateSegment = "POST /v1/segments/{id}/duplicate"
    case estimateReach = "POST /v1/audience/reach"
    case explainAudience = "POST /v1/audience/explain"

    // Users.
    case readUser = "GET /v1/users/{id}"
    case updateUser = "PATCH /v1/users/{id}"
    case deleteUser = "DELETE /v1/users/{id}"
    case listUserEvents = "GET /v1/users/{id}/events"
    case explainUser = "GET /v1/users/{id}/explain"
    case showFeed = "GET /v1/users/{id}/feed"

    // Keys, settings, the audit log and the webhook.
    case listKeys = "GET /v1/keys"
    case createKey = "POST /v1/keys"
    case updateKey = "PATCH /v1/keys/{id}"
    case rotateKey = "POST /v1/keys/{id}/rotate"
    case revokeKey = "DELETE /v1/keys/{id}"
    case readSettings = "GET /v1/settings"
    case saveSettings = "PUT /v1/settings"
    case changeSettings = "PATCH /v1/settings"
    case listAudit = "GET /v1/audit"
    case exportAudit = "GET /v1/audit/export"
    case readWebhook = "GET /v1/webhook"
    case saveWebhook = "PUT /v1/webhook"
    case changeWebhook = "PATCH /v1/webhook"
    case rotateWebhook = "POST /v1/webhook/rotate"
    case deleteWebhook = "DELETE /v1/webhook"

    // Backends, by the paths of the documented API.
    case trackUsers = "POST /users/track"
    case exportUsers = "POST /users/export/ids"
    case createAliases = "POST /users/alias/new"
    case identifyUsers = "POST /users/identify"
    case deleteUsers = "POST /users/delete"
    case listCampaignsForBackends = "GET /campaigns/list"
    case readCampaignForBackends = "GET /campaigns/details"
    case countCampaignForBackends = "GET /campaigns/data_series"
    case sendCampaign = "POST /campaigns/trigger/send"
    case scheduleCampaign = "POST /campaigns/trigger/schedule/create"
    case rescheduleCampaign = "POST /campaigns/trigger/schedule/update"
    case unscheduleCampaign = "POST /campaigns/trigger/schedule/delete"
    case listSegmentsForBackends = "GET /segments/list"
    case readSegmentForBackends = "GET /segments/details"
    case exportEvents = "GET /v1/events/export"

    /// The HTTP method.
    var method: HTTPRequest.Method {
        HTTPRequest.Method(String(rawValue.prefix(before: " "))) ?? .get
    }

    /// The path, with parameters in braces.
    var path: String { rawValue.divided(at: " ").map { String($0.behind) } ?? "" }

    /// The access that its caller needs.
    var access: RouteAccess { group.access }

    /// The limit that its requests count for.
    var rate: RateClass { group.rate }
}
