import CardModel
import OrderedCollections
import WireJSON

/// The shapes of bodies and answers, by name.
enum OpenAPISchemas {
    static var all: JSONObject {
        var all = common
        let groups = [
            device, cards, delivery, campaigns, approvals, segments, reports, users, access, backends, templates, media,
        ]
        for group in groups {
            all.merge(group) { first, _ in first }
        }
        return all
    }

    // MARK: Building blocks

    static let text: JSONValue = ["type": "string"]
    static let flag: JSONValue = ["type": "boolean"]
    static let whole: JSONValue = ["type": "integer"]
    static let number: JSONValue = ["type": "number"]
    /// Amounts by the codes of their currencies.
    static let amounts: JSONValue = ["type": "object", "additionalProperties": number]
    static let time: JSONValue = ["type": "number", "description": "Unix seconds."]
    static let timeIn: JSONValue = [
        "type": ["number", "string"], "description": "Unix seconds, or an ISO 8601 time.",
    ]
    static let optionalTime: JSONValue = ["type": ["number", "null"], "description": "Unix seconds."]
    static let optionalText: JSONValue = ["type": ["string", "null"]]
    static let generation: JSONValue = ["type": ["integer", "null"], "minimum": 0]
    static let identifier: JSONValue = ["type": "string", "minLength": 1, "maxLength": 512]

    static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }
    static func list(_ items: JSONValue) -> JSONValue { ["type": "array", "items": items] }
    static func choice(_ values: [String]) -> JSONValue {
        ["type": "string", "enum": .array(values.map(JSONValue.string))]
    }

    /// An object; the members named in `required` are always there.
    static func object(
        _ properties: JSONObject,
        required: [String] = [],
        isClosed: Bool = false,
        isOpen: Bool = false
    ) -> JSONValue {
        var members: JSONObject = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { members["required"] = .array(required.map(JSONValue.string)) }
        if isClosed { members["additionalProperties"] = false }
        // The default, which generated clients take for no more members than are named.
        if isOpen { members["additionalProperties"] = true }
        return .object(members)
    }

    /// An object all of whose members are always there.
    static func record(_ properties: JSONObject) -> JSONValue {
        object(properties, required: Array(properties.keys))
    }

    // MARK: Groups

    private static var common: JSONObject {
        [
            "Refusal": object(
                [
                    "error": object(["code": text, "message": text, "path": text], required: ["code", "message"]),
                    "message": text, "errors": list(["type": "object"]),
                ],
                required: ["error"]
            ),
            "Health": record(["status": text, "version": text, "commit": optionalText]),
            "Readiness": object(
                [
                    "status": choice(["ready", "unavailable"]),
                    "checks": list(
                        record([
                            "name": text, "status": choice(["ok", "failed"]), "message": optionalText,
                            "detail": optionalText, "seconds": number,
                        ])
                    ),
                ],
                required: ["status"]
            ),
            "Document": ["type": "object"],
        ]
    }

    private static var device: JSONObject {
        [
            "Event": object(
                [
                    "id": ["type": "string", "format": "uuid"],
                    "type": choice(EventFilter.typeNames),
                    "at": time, "card_id": text, "name": text, "properties": ["type": "object"], "product_id": text,
                    "currency": text, "price": number, "quantity": whole, "class_type": text, "field": text,
                    "message": text, "attributes": ["type": "object"],
                ],
                required: ["id", "type", "at"]
            ),
            "EventsRequest": object(
                [
                    "user_id": identifier, "device_id": identifier, "generation": generation, "sent_at": time,
                    "events": ["type": "array", "items": reference("Event"), "maxItems": 500],
                ],
                required: ["user_id", "device_id"]
            ),
            "SyncRequest": object(
                [
                    "user_id": identifier, "device_id": identifier, "cursor": optionalText, "generation": generation,
                    "locale": optionalText,
                    "time_zone": optionalText, "app_version": optionalText, "sdk_version": optionalText,
                    "platform": ["type": ["string", "null"], "examples": ["ios", "android", "web"]],
                    "sent_at": time, "events": ["type": "array", "items": reference("Event"), "maxItems": 500],
                ],
                required: ["user_id", "device_id"]
            ),
            "EventReceipt": record([
                "accepted": whole, "duplicate": whole,
                "rejected": list(record(["id": text, "code": text, "message": text])),
            ]),
            "EventsReply": record(["events": reference("EventReceipt")]),
            "SyncReply": record([
                "cursor": text, "replace": flag, "cards": list(reference("Card")), "removed": list(text),
                "events": reference("EventReceipt"), "refresh": record(["burst": whole, "seconds": number]),
            ]),
            "ContentTypes": object(
                [
                    "types": list(reference("ContentType")),
                    "app_version": [
                        "type": ["string", "null"], "maxLength": 100,
                        "description": "The version of the app; each version has one proposal.",
                    ],
                ],
                required: ["types"]
            ),
            "ContentType": object(
                [
                    "class_type": identifier,
                    "fields": list(
                        object(
                            [
                                "name": identifier,
                                "type": choice(ContentSchema.typeNames), "required": flag, "values": list(text),
                            ],
                            required: ["name", "type"]
                        )
                    ), "updated_at": time,
                ],
                required: ["class_type", "fields"]
            ),
            "ContentTypeList": record([
                "types": list(reference("ContentType")),
                "proposals": list(
                    record([
                        "id": text, "key_id": text, "app_version": ["type": ["string", "null"]], "updated_at": time,
                        "types": list(reference("ContentType")),
                    ])
                ),
            ]),
            "ContentTypeDecision": record(["id": text, "status": choice(["accepted", "dismissed"])]),
            "ContentTypesSaved": record(["types": whole, "status": choice(["proposed", "published"])]),
        ]
    }

    private static var cards: JSONObject {
        [
            "Card": object(
                [
                    "id": text, "type": choice(CardTemplate.Layout.allCases.map(\.rawValue) + ["control"]),
                    "title": text, "description": text, "image": text, "image_aspect_ratio": number, "image_alt": text,
                    "domain": text, "url": text, "open_url_in_web_view": flag,
                    "extras": ["type": "object", "additionalProperties": text], "pinned": flag, "dismissible": flag,
                    "priority": whole, "created_at": time, "expires_at": optionalTime, "viewed": flag, "clicked": flag,
                    "dismissed": flag, "test": flag, "campaign_id": text, "variant_id": text, "language": text,
                ],
                required: [
                    "id", "type", "pinned", "dismissible", "priority", "created_at", "expires_at", "viewed", "clicked",
                    "dismissed", "test", "campaign_id", "variant_id",
                ]
            ),
            "CardTemplate": object(
                [
                    "type": choice(CardTemplate.Layout.allCases.map(\.rawValue)), "title": text, "description": text,
                    "image": text, "image_aspect_ratio": ["type": "number", "minimum": 0.01, "maximum": 100],
                    "image_alt": text, "domain": text, "url": text, "open_url_in_web_view": flag,
                    "extras": ["type": "object"], "pinned": flag, "dismissible": flag,
                    "priority": ["type": "integer", "minimum": -1_000_000, "maximum": 1_000_000], "expires_at": timeIn,
                    "expires_in_local_time": [
                        "type": "boolean",
                        "description": "Whether expires_at, then without a zone, is the user's own time.",
                    ], "expires_after": ["type": "number", "minimum": 1, "description": "Seconds after delivery."],
                    "language": text, "urls": object(["ios": text, "android": text, "web": text], isClosed: true),
                    "translations": [
                        "type": "object", "additionalProperties": reference("CardTranslation"),
                        "description": "What is different for users of other languages, by BCP 47 tag.",
                    ],
                ],
                required: ["type"],
                isClosed: true
            ),
            "CardTranslation": object(
                [
                    "title": text, "description": text, "image": text, "image_alt": text, "domain": text, "url": text,
                    "extras": ["type": "object"],
                ],
                isClosed: true
            ),
        ]
    }

    private static var campaigns: JSONObject {
        let written: JSONObject = [
            "name": ["type": "string", "minLength": 1, "maxLength": 255], "tags": list(text),
            "delivery": reference("Delivery"), "audience": audienceOrNull,
            "variants": ["type": "array", "items": reference("Variant"), "minItems": 1, "maxItems": 20],
            "salt": [
                "type": "string", "maxLength": 64,
                "description": "Divides users among the variants afresh; fixed at launch.",
            ],
            "rules": reference("Rules"),
            "conversions": ["type": "array", "items": reference("Conversion"), "maxItems": 4],
        ]
        let kept: JSONObject = [
            "id": text, "version": whole, "status": reference("CampaignStatus"), "withdrawn": flag, "created_at": time,
            "updated_at": time, "launched_at": optionalTime,
        ]
        let both = kept.merging(written) { first, _ in first }
            .merging(["warnings": list(reference("Check"))]) { first, _ in first }
        let optional: Set<String> = ["salt", "conversions", "warnings"]
        return [
            "CampaignStatus": choice(Campaign.Status.allCases.map(\.rawValue)),
            "Variant": object(
                [
                    "id": text, "name": text, "weight": ["type": "integer", "minimum": 0, "maximum": 1_000_000],
                    "control": flag, "card": reference("CardTemplate"),
                ],
                isClosed: true
            ),
            "NewCampaign": object(
                written.merging(["id": text]) { first, _ in first },
                required: ["name", "variants"],
                isClosed: true
            ),
            "CampaignUpdate": object(both, required: ["name", "variants", "version"], isClosed: true),
            "Campaign": object(both, required: both.keys.filter { !optional.contains($0) }),
            "Campaigns": record(["campaigns": list(reference("Campaign"))]),
            "CampaignVersion": record(pastChange),
            "CampaignVersions": record(["versions": list(reference("CampaignVersion"))]),
            "PastCampaign": record(pastChange.merging(["campaign": reference("Campaign")]) { first, _ in first }),
            "Transition": object(["version": whole]),
            "Launch": object(["version": whole, "force": flag]),
            "Stop": object(["version": whole, "withdraw": flag]),
        ]
    }

    private static var pastChange: JSONObject {
        [
            "version": whole, "at": time, "actor": text,
            "action": ["type": "string", "description": "As in the audit log.", "examples": ["campaign.launch"]],
            "status": reference("CampaignStatus"),
            "changed": ["type": "array", "items": text, "description": "The fields that became different."],
            "restores": [
                "type": ["integer", "null"], "description": "The version whose content was brought back.",
            ],
        ]
    }

    /// The history of a user.
    static var history: JSONValue {
        let times: JSONObject = ["count": whole, "first_at": time, "last_at": time]
        func list(_ members: JSONObject) -> JSONValue {
            ["type": "array", "items": record(times.merging(members) { first, _ in first })]
        }
        return record([
            "sessions": ["oneOf": [record(times), ["type": "null"]]], "events": list(["name": text]),
            "purchases": list(["product_id": text, "currency": text, "revenue": number]),
        ])
    }

}
