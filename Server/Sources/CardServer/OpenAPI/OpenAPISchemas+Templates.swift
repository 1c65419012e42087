import CardModel
import OrderedCollections
import WireJSON

extension OpenAPISchemas {
    /// The schemas of what users see and why, and of what templates are made of.
    static var templates: JSONObject {
        let reason: JSONValue = [
            "type": ["object", "null"],
            "properties": ["code": text, "message": text, "until": optionalTime, "clauses": list(["type": "object"])],
        ]
        return [
            "Explanations": record([
                "user_id": text, "at": time, "known_at": knownAt,
                "campaigns": list(
                    record([
                        "campaign_id": text, "name": text, "code": text, "message": text, "gives_card": flag,
                        "variant_id": optionalText, "reason": reason,
                        "cards": list(
                            record([
                                "card_id": text, "variant_id": text, "delivered_at": time, "code": text,
                                "message": text, "decode_error": optionalText,
                            ])
                        ), "audience": ["type": "object"],
                    ])
                ),
            ]),
            "WithheldCount": record([
                "variant_id": text, "day": text, "day_utc": text,
                "kind": choice(TemplateFailure.FailureKind.allCases.map(\.rawValue)), "reason": text, "users": whole,
            ]),
            "UserFeed": record(["user_id": text, "at": time, "known_at": knownAt, "cards": list(reference("Card"))]),
            "Preview": object(
                [
                    "card": reference("CardTemplate"), "campaign_id": text, "user_id": identifier,
                    "trigger_properties": ["type": "object"],
                    "platform": choice(CardTemplate.Platform.allCases.map(\.rawValue)),
                    "locale": text, "time_zone": text, "at": timeIn, "attributes": ["type": "object"],
                    "custom_attributes": ["type": "object"],
                    "connected_content": [
                        "type": "boolean", "default": true,
                        "description": "Whether the card may ask other hosts; otherwise one that would is refused.",
                    ],
                ],
                required: ["card"],
                isClosed: true
            ),
            "PreviewedCard": record([
                "card": ["anyOf": [reference("Card"), ["type": "null"]]],
                "withheld": [
                    "type": ["object", "null"],
                    "properties": ["code": text, "field": text, "detail": text, "message": text],
                ],
            ]),
            "CheckedCampaign": record([
                "valid": [
                    "type": "boolean", "description": "Whether it would be saved.",
                ],
                "launchable": flag, "checks": list(reference("Check")),
            ]),
            "TemplateNames": record([
                "attributes": list(text), "kept_attributes": list(text), "custom_attributes": list(text),
                "trigger_properties": list(text), "events": list(text), "event_properties": list(text),
                "products": list(text),
                "content_blocks": list(record(["name": text, "description": text])),
                "filters": list(text), "tags": list(text),
            ]),
            "ContentBlock": record(["name": text, "content": text, "description": text, "updated_at": time]),
            "ContentBlocks": record(["content_blocks": list(reference("ContentBlock"))]),
            "NewContentBlock": object(
                [
                    "content": ["type": "string", "maxLength": .integer(Int64(ContentBlock.sizeLimit))],
                    "description": text,
                ],
                required: ["content"]
            ),
        ]
    }

    /// The moment whose data a reply about another moment goes by.
    private static var knownAt: JSONValue {
        [
            "type": "number",
            "description":
                "When the user and the campaigns were as this goes by; of the past only deliveries are known.",
        ]
    }
}
