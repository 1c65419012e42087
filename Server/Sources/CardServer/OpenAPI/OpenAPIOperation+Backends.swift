import WireJSON

extension OpenAPIOperation {
    private static let pages: [Parameter] = [
        Parameter(
            name: "page",
            schema: ["type": "integer", "minimum": 0, "default": 0],
            description: "Which hundred, from 0."
        ),
        Parameter(
            name: "sort_direction",
            schema: ["type": "string", "enum": ["asc", "desc"], "default": "asc"],
            description: "Whether the oldest (asc) or the newest (desc) comes first."
        ),
    ]
    private static let campaign = Parameter(
        name: "campaign_id",
        schema: ["type": "string"],
        description: "The campaign.",
        isRequired: true
    )

    /// The operations of backends, and those that tell others of events.
    static let backends: [OpenAPIOperation] = tracking + sends + segmentsForBackends + eventsOut

    private static let tracking: [OpenAPIOperation] = [
        post(.trackUsers, "Sets attributes and records events and purchases.", "TrackRequest", "TrackReply"),
        post(.exportUsers, "Reads all that is known of users.", "ExportRequest", "ExportReply"),
        post(.createAliases, "Gives users aliases.", "AliasRequest", "AliasReply"),
        post(.identifyUsers, "Says who users are that had no id.", "IdentifyRequest", "AliasReply"),
        post(.deleteUsers, "Forgets users.", "DeleteRequest", "DeleteReply"),
        OpenAPIOperation(
            route: .listCampaignsForBackends,
            tag: .backends,
            summary: "Lists campaigns in the order in which they were made.",
            query: pages + [
                Parameter(
                    name: "include_archived",
                    schema: ["type": "boolean", "default": false],
                    description: "Whether archived campaigns are in the list."
                ),
                Parameter(
                    name: "last_edit.time[gt]",
                    schema: ["type": "string"],
                    description: "Leaves only those changed after that ISO 8601 time."
                ),
            ],
            success: .json("CampaignList")
        ),
        OpenAPIOperation(
            route: .readCampaignForBackends,
            tag: .backends,
            summary: "Describes a campaign.",
            query: [campaign],
            success: .json("CampaignDetails")
        ),
        OpenAPIOperation(
            route: .countCampaignForBackends,
            tag: .backends,
            summary: "Says day by day what was counted.",
            query: [
                campaign,
                Parameter(
                    name: "length",
                    schema: ["type": "integer", "minimum": 1, "maximum": 100],
                    description: "How many days.",
                    isRequired: true
                ),
                Parameter(
                    name: "ending_at",
                    schema: ["type": "string"],
                    description: "The last day, an ISO 8601 time; today by default."
                ),
            ],
            success: .json("CampaignSeries")
        ),
    ]

    private static let sends: [OpenAPIOperation] = [
        post(
            .sendCampaign,
            "Gives users a card of a campaign that waits for it.",
            "SendRequest",
            "SendReply"
        ),
        post(
            .scheduleCampaign,
            "Gives users a card of a campaign at a later time.",
            "ScheduleRequest",
            "ScheduleReply"
        ),
        post(.rescheduleCampaign, "Puts a send off.", "Reschedule", "Done"),
        post(.unscheduleCampaign, "Calls a send off.", "Unschedule", "Done"),
    ]

    private static let segmentsForBackends: [OpenAPIOperation] = [
        OpenAPIOperation(
            route: .listSegmentsForBackends,
            tag: .backends,
            summary: "Lists segments in the order in which they were made.",
            query: pages,
            success: .json("SegmentList")
        ),
        OpenAPIOperation(
            route: .readSegmentForBackends,
            tag: .backends,
            summary: "Describes a segment.",
            query: [
                Parameter(
                    name: "segment_id",
                    schema: ["type": "string"],
                    description: "The segment.",
                    isRequired: true
                )
            ],
            success: .json("SegmentDetails")
        ),
    ]

    private static let eventsOut: [OpenAPIOperation] = [
        OpenAPIOperation(
            route: .exportEvents,
            tag: .events,
            summary: "Streams the log of events from a position on, one line each.",
            query: [
                Parameter(
                    name: "after",
                    schema: ["type": "integer", "minimum": 0, "default": 0],
                    description: "The position of the last event that is known."
                ),
                Parameter(
                    name: "format",
                    schema: ["type": "string", "enum": ["jsonl", "csv"], "default": "jsonl"],
                    description: "How events are written."
                ),
                Parameter(name: "type", schema: ["type": "string"], description: "Types, divided by commas."),
                Parameter(name: "campaign_id", schema: ["type": "string"], description: "The campaign."),
                Parameter(name: "from", schema: ["type": "string"], description: "The earliest time, ISO 8601."),
                Parameter(name: "until", schema: ["type": "string"], description: "The time before which, ISO 8601."),
            ],
            success: .text("application/x-ndjson", or: "text/csv")
        ),
        OpenAPIOperation(
            route: .readWebhook,
            tag: .events,
            summary: "Says where events are sent and how far that is.",
            success: .json("Webhook")
        ),
        OpenAPIOperation(
            route: .saveWebhook,
            tag: .events,
            summary: "Says where events are to be sent as they come in; a new secret is in this answer only.",
            body: "WebhookSettings",
            hasPrecondition: true,
            success: .json("Webhook")
        ),
        OpenAPIOperation(
            route: .changeWebhook,
            tag: .events,
            summary: "Changes some of where events are sent; what is left out stays.",
            body: "WebhookChange",
            hasPrecondition: true,
            success: .json("Webhook")
        ),
        OpenAPIOperation(
            route: .deleteWebhook,
            tag: .events,
            summary: "Sends events nowhere any more.",
            hasPrecondition: true,
            success: .nothing
        ),
        OpenAPIOperation(
            route: .rotateWebhook,
            tag: .events,
            summary: "Replaces the webhook's secret; the new one is in this answer and nowhere else.",
            success: .json("Webhook")
        ),
    ]

    private static func post(
        _ route: APIRoute,
        _ summary: String,
        _ body: String,
        _ reply: String
    ) -> OpenAPIOperation {
        OpenAPIOperation(
            route: route,
            tag: .backends,
            summary: summary,
            body: body,
            success: .json(reply, status: 201)
        )
    }
}
