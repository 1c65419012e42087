import WireJSON

extension OpenAPIOperation {
    /// Campaigns and what belongs to them.
    static let campaigns: [OpenAPIOperation] = [
        OpenAPIOperation(
            route: .listCampaigns,
            tag: .campaigns,
            summary: "Lists campaigns, those last changed first; the archived only when asked for.",
            query: [
                Parameter(
                    name: "status",
                    schema: ["$ref": "#/components/schemas/CampaignStatus"],
                    description: "Only those of that status."
                ), limit, offset,
            ],
            success: .json("Campaigns")
        ),
        OpenAPIOperation(
            route: .createCampaign,
            tag: .campaigns,
            summary: "Creates a draft.",
            body: "NewCampaign",
            success: .json("Campaign", status: 201)
        ),
        OpenAPIOperation(
            route: .readCampaign,
            tag: .campaigns,
            summary: "Reads a campaign.",
            success: .json("Campaign")
        ),
        OpenAPIOperation(
            route: .updateCampaign,
            tag: .campaigns,
            summary: "Changes a campaign, live where it is active; names the version that it was made from.",
            body: "CampaignUpdate",
            success: .json("Campaign")
        ),
        transition(
            .launchCampaign,
            "Launches a campaign, or launches it again; refused where a check is an error, unless it is forced.",
            body: "Launch"
        ),
        transition(.pauseCampaign, "Keeps a campaign from reaching anybody new."),
        transition(.stopCampaign, "Ends a campaign, and takes delivered cards back where that is asked.", body: "Stop"),
        transition(.archiveCampaign, "Puts a campaign that is over out of the way."),
        transition(
            .restoreCampaign,
            "Takes a campaign out of the archive: it is a draft, or stopped where it was launched."
        ),
        OpenAPIOperation(
            route: .duplicateCampaign,
            tag: .campaigns,
            summary: "Makes a draft like it.",
            success: .json("Campaign", status: 201)
        ),
        OpenAPIOperation(
            route: .requestApproval,
            tag: .campaigns,
            summary: "Asks an administrator to approve a launch, or an edit where content is given.",
            body: "NewApproval",
            isBodyOptional: true,
            success: .json("Approval", status: 201)
        ),
        OpenAPIOperation(
            route: .listApprovals,
            tag: .campaigns,
            summary: "Lists the requests for approval of a campaign, newest first.",
            query: [limit],
            success: .json("Approvals")
        ),
        OpenAPIOperation(
            route: .withdrawApproval,
            tag: .campaigns,
            summary: "Takes a request back that the same key has made.",
            body: "ApprovalComment",
            isBodyOptional: true,
            success: .json("Approval")
        ),
        OpenAPIOperation(
            route: .listPendingApprovals,
            tag: .campaigns,
            summary: "Lists the requests that wait for an administrator's approval, oldest first.",
            query: [limit],
            success: .json("Approvals")
        ),
        OpenAPIOperation(
            route: .triggerCampaign,
            tag: .campaigns,
            summary: "Gives the card of a campaign that waits for it to some users, or to everybody in its audience.",
            body: "Trigger",
            success: .json("TriggerReceipt", status: 202)
        ),
        OpenAPIOperation(
            route: .testSend,
            tag: .campaigns,
            summary: "Sends a card of a campaign, which may be a draft, to a few users to try; it is counted nowhere.",
            body: "TestSend",
            success: .json("TestReceipt")
        ),
        OpenAPIOperation(
            route: .listTestUsers,
            tag: .campaigns,
            summary: "Lists the users who get a test that names none.",
            success: .json("TestUsers")
        ),
        OpenAPIOperation(
            route: .saveTestUsers,
            tag: .campaigns,
            summary: "Sets the users who get a test that names none.",
            body: "TestUsers",
            success: .json("TestUsers")
        ),
        OpenAPIOperation(
            route: .report,
            tag: .campaigns,
            summary: "Says what was counted, and what the variants say. The totals leave the control out.",
            query: [
                Parameter(
                    name: "from",
                    schema: ["type": "string", "format": "date"],
                    description: "The first of the days; totals and comparisons are of the whole campaign."
                ),
                Parameter(
                    name: "to",
                    schema: ["type": "string", "format": "date"],
                    description: "The last of the days."
                ),
                Parameter(
                    name: "time_zone",
                    schema: ["type": "string"],
                    description: "The zone of days: the workspace's, which is the default, or UTC."
                ),
                Parameter(
                    name: "eligible",
                    schema: ["type": "boolean", "default": false],
                    description: "Whether the users in the audience are to be counted, which takes longer."
                ),
            ],
            success: .json("Report")
        ),
        OpenAPIOperation(
            route: .checkCampaign,
            tag: .campaigns,
            summary: "Lists everything that would be wrong at a launch, the errors first.",
            success: .json("Checks")
        ),
        OpenAPIOperation(
            route: .listVersions,
            tag: .campaigns,
            summary: "Lists the changes to a campaign, newest first.",
            query: [
                limit,
                Parameter(
                    name: "before",
                    schema: ["type": "integer"],
                    description: "Only versions before that one: where the list goes on."
                ),
            ],
            success: .json("CampaignVersions")
        ),
        OpenAPIOperation(
            route: .readVersion,
            tag: .campaigns,
            summary: "Reads a campaign as it was in one of its versions.",
            success: .json("PastCampaign")
        ),
    ]

    private static func transition(
        _ route: APIRoute,
        _ summary: String,
        body: String = "Transition"
    ) -> OpenAPIOperation {
        OpenAPIOperation(
            route: route,
            tag: .campaigns,
            summary: summary,
            body: body,
            isBodyOptional: true,
            success: .json("Campaign")
        )
    }
}
