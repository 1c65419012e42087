import CardModel

/// Routes that need the same and whose requests are limited together.
struct RouteGroup: Sendable, Hashable {
    /// The access that callers need.
    let access: RouteAccess
    /// The limit that requests count for.
    let rate: RateClass

    /// Creates a group of routes that anybody may call.
    static func open(_ rate: RateClass) -> RouteGroup { RouteGroup(access: .open, rate: rate) }

    /// Creates a group of routes for which one permission is needed.
    static func needing(_ permission: Permission, _ rate: RateClass = .shared) -> RouteGroup {
        RouteGroup(access: .permission(permission), rate: rate)
    }

    /// Creates a group of one path of the documented API, which has a permission of its own.
    static func backend(_ permission: Permission, _ limit: RateLimit.Group = .other) -> RouteGroup {
        RouteGroup(access: .permission(permission), rate: .backend(limit))
    }
}

extension APIRoute {
    /// The group of the route.
    ///
    /// The compiler asks for one for each, so that no route is open by mistake.
    var group: RouteGroup {
        switch self {
        case .health, .readiness, .metrics: .open(.monitoring)
        case .openAPI, .picture, .pictureSize: .open(.shared)
        case .sync, .sendEvents, .live, .createTestCode: .needing(.device, .device)
        // An app proposes, and a backend publishes.
        case .publishContentTypes: RouteGroup(access: .either(.device, .campaigns), rate: .device)
        case .listContentTypes: .needing(.read, .device)
        // For a user who is named, the preview's handler asks for users too.
        case .listCampaigns, .readCampaign, .checkCampaign, .checkDraft, .listVersions, .readVersion, .preview,
            .listTemplateNames, .listContentBlocks, .readContentBlock, .listSegments, .readSegment, .estimateReach,
            .listMedia, .readMedia, .listApprovals, .listPendingApprovals:
            .needing(.read)
        case .deleteContentType, .acceptContentType, .dismissContentType, .createCampaign, .updateCampaign,
            .launchCampaign, .pauseCampaign, .stopCampaign, .archiveCampaign, .restoreCampaign, .duplicateCampaign,
            .saveContentBlock, .deleteContentBlock, .createSegment, .updateSegment, .archiveSegment,
            .restoreSegment, .duplicateSegment, .uploadMedia, .updateMedia, .deleteMedia, .requestApproval,
            .withdrawApproval:
            .needing(.campaigns)
        // A test says who exists and what templates make of their data, and test users are users by name.
        case .testSend, .listTestUsers, .saveTestUsers: RouteGroup(access: .both(.campaigns, .users), rate: .shared)
        case .report: .needing(.report)
        case .triggerCampaign: .needing(.trigger)
        case .readUser, .updateUser, .deleteUser, .listUserEvents, .explainUser, .showFeed, .explainAudience:
            .needing(.users)
        case .listKeys, .createKey, .updateKey, .rotateKey, .revokeKey: .needing(.keys)
        case .readSettings, .saveSettings, .changeSettings, .listAudit, .exportAudit, .readWebhook, .saveWebhook,
            .changeWebhook, .rotateWebhook, .deleteWebhook:
            .needing(.settings)
        case .trackUsers: .backend(.trackUsers, .track)
        case .exportUsers: .backend(.exportUsers, .export)
        case .createAliases: .backend(.nameUsers, .identity)
        case .identifyUsers: .backend(.identifyUsers, .identity)
        case .deleteUsers: .backend(.deleteUsers, .identity)
        case .listCampaignsForBackends: .backend(.listCampaigns)
        case .readCampaignForBackends: .backend(.readCampaigns)
        case .countCampaignForBackends: .backend(.countCampaigns, .dataSeries)
        case .sendCampaign: .backend(.sendCampaigns, .send)
        case .scheduleCampaign: .backend(.scheduleCampaigns)
        case .rescheduleCampaign: .backend(.rescheduleCampaigns)
        case .unscheduleCampaign: .backend(.unscheduleCampaigns)
        case .listSegmentsForBackends: .backend(.listSegments)
        case .readSegmentForBackends: .backend(.readSegments)
        case .exportEvents: .backend(.exportEvents)
        }
    }
}
