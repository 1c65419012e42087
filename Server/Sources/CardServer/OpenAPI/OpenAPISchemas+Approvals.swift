import CardModel
import WireJSON

extension OpenAPISchemas {
    /// Requests for another member's approval.
    static var approvals: JSONObject {
        let comment: JSONValue = [
            "type": ["string", "null"],
            "description": .string("At most \(Approval.Comment.maximumSize) bytes, for those who decide."),
        ]
        return [
            "NewApproval": object(
                [
                    "version": [
                        "type": ["integer", "null"],
                        "description": "The version that is meant; without it, whichever is current.",
                    ],
                    "comment": comment,
                    "content": [
                        "oneOf": [reference("CampaignEdit"), ["type": "null"]],
                        "description": "What an edit is to make of the campaign; without it, its launch is asked for.",
                    ],
                ],
                isClosed: true
            ),
            "CampaignEdit": ["type": "object", "description": "The fields of a campaign, as for PUT."],
            "ApprovalComment": object(["comment": comment], isClosed: true),
            "Approval": object(
                [
                    "id": text, "campaign_id": text, "version": whole,
                    "change": choice([Approval.Change.launch.name, "edit"]),
                    "status": choice(Approval.ApprovalStatus.allCases.map(\.rawValue)),
                    "outdated": [
                        "type": "boolean",
                        "description": "Whether the campaign was changed since, so that it can't be approved.",
                    ],
                    "requested_by": text,
                    "requested_by_kind": choice([Actor.ActorKind.member.rawValue, Actor.ActorKind.key.rawValue]),
                    "requested_at": time, "decided_by": optionalText, "decided_at": optionalTime,
                    "comments": list(record(["author": text, "at": time, "text": text])),
                    "content": reference("CampaignEdit"),
                ],
                required: [
                    "id", "campaign_id", "version", "change", "status", "outdated", "requested_by",
                    "requested_by_kind", "requested_at", "decided_by", "decided_at", "comments",
                ]
            ),
            "Approvals": record(["approvals": list(reference("Approval"))]),
        ]
    }
}
