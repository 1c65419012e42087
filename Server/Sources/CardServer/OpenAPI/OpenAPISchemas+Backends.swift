import CardModel
import WireJSON

extension OpenAPISchemas {
    /// The bodies and replies of backends.
    static var backends: JSONObject {
        [backendBodies, backendReplies, sends, webhooks].reduce(into: [:]) { all, group in
            all.merge(group) { first, _ in first }
        }
    }

    /// The limits on the requests of backends' keys, by group.
    static var rateLimits: JSONValue {
        let limit = object(
            [
                "requests": ["type": "integer", "minimum": 1, "maximum": 1_000_000_000],
                "seconds": ["type": "number", "minimum": 1, "maximum": 86_400],
            ],
            required: ["requests", "seconds"],
            isClosed: true
        )
        let groups = RateLimit.Group.allCases.map { ($0.rawValue, limit) }
        return object(JSONObject(groups, uniquingKeysWith: { _, last in last }), isClosed: true)
    }

    /// The limits on the requests of devices, and on what is kept of a user.
    static var deviceLimits: JSONValue {
        let rate = object(
            [
                "burst": ["type": "integer", "minimum": 1, "maximum": 1_000_000_000],
                "per_second": ["type": "number", "minimum": 0.001, "maximum": 1_000_000_000],
            ],
            required: ["burst", "per_second"],
            isClosed: true
        )
        var members: JSONObject = [:]
        for name in DeviceLimits.rateNames { members[name] = rate }
        for (name, range) in DeviceLimits.countRanges {
            members[name] = [
                "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
            ]
        }
        return object(members, isClosed: true)
    }

    private static var webhooks: JSONObject {
        let types = list(choice(Webhook.typeNames))
        return [
            "WebhookSettings": object(
                [
                    "url": ["type": "string", "format": "uri"],
                    "secret": ["type": "string", "minLength": 16, "maxLength": 255], "types": types,
                    "after": ["type": "integer", "minimum": 0],
                ],
                required: ["url"],
                isClosed: true
            ),
            "WebhookChange": object(
                [
                    "url": ["type": "string", "format": "uri"],
                    "secret": ["type": "string", "minLength": 16, "maxLength": 255], "types": types,
                    "after": ["type": "integer", "minimum": 0],
                ],
                isClosed: true
            ),
            "Webhook": object(
                [
                    "url": text, "types": types, "created_at": time, "position": whole, "failures": whole,
                    "next_attempt_at": time, "last_success_at": optionalTime, "last_failure_at": optionalTime,
                    "last_failure": optionalText, "pending_notices": whole, "dropped_notices": whole, "secret": text,
                ],
                required: ["url", "types", "created_at", "position", "failures", "pending_notices", "dropped_notices"]
            ),
            "WebhookDelivery": webhookDelivery,
        ]
    }

    /// The delivery that the receiver of a webhook gets.
    private static var webhookDelivery: JSONValue {
        let position: JSONValue = ["type": ["integer", "null"], "description": "null for notices."]
        let user: JSONValue = ["type": ["string", "null"], "description": "null for notices of approvals."]
        let event = record([
            "position": position, "id": text, "user_id": user, "type": choice(Webhook.typeNames), "at": text,
            "received_at": text, "card_id": optionalText, "campaign_id": optionalText, "variant_id": optionalText,
            "details": ["type": ["object", "null"]],
        ])
        return object(["events": list(event), "position": whole], required: ["events", "position"])
    }

    private static var sends: JSONObject {
        let properties: JSONValue = ["type": ["object", "null"]]
        let schedule = object(["time": text, "in_local_time": flag, "at_optimal_time": flag], required: ["time"])
        let recipient = object([
            "external_user_id": text, "user_alias": alias, "braze_id": text, "email": text, "phone": text,
            "prioritization": matches, "trigger_properties": properties, "send_to_existing_only": flag,
            "attributes": ["type": "object"],
        ])
        let send: JSONObject = [
            "campaign_id": text, "send_id": text, "trigger_properties": properties, "broadcast": flag,
            "audience": ["type": ["object", "null"]],
            "recipients": ["type": "array", "items": recipient, "maxItems": 50],
        ]
        let scheduled = send.merging(["schedule": schedule]) { first, _ in first }
        let key: JSONObject = ["campaign_id": text, "schedule_id": text]
        return [
            "SendRequest": object(send, required: ["campaign_id"]),
            "ScheduleRequest": object(scheduled, required: ["campaign_id", "schedule"]),
            "Reschedule": object(
                key.merging(["schedule": schedule]) { first, _ in first },
                required: ["campaign_id", "schedule_id", "schedule"]
            ),
            "Unschedule": object(key, required: ["campaign_id", "schedule_id"]),
            "SendReply": reply(
                ["dispatch_id": text, "send_id": text, "accepted": whole, "duplicate": whole],
                required: ["dispatch_id"]
            ),
            "ScheduleReply": reply(
                ["dispatch_id": text, "schedule_id": text, "accepted": whole, "duplicate": whole],
                required: ["dispatch_id", "schedule_id"]
            ),
            "Done": reply([:]),
        ]
    }

    private static let success: JSONValue = ["type": "string", "const": "success"]
    private static let alias = object(
        ["alias_name": text, "alias_label": text],
        required: ["alias_name", "alias_label"]
    )
    private static let errors = list(record(["type": text, "input_array": text, "index": whole]))
    private static let matches = list(choice(MatchPreference.Step.allCases.map(\.rawValue)))

    /// The ways to say who is meant, of which one is needed.
    private static let names: JSONObject = [
        "external_id": text, "user_alias": alias, "braze_id": text, "email": text, "phone": text,
    ]

    private static func about(
        _ properties: JSONObject,
        required: [String] = [],
        isOpen: Bool = false
    ) -> JSONValue {
        let all = names.merging(["_update_existing_only": flag]) { first, _ in first }
        return object(all.merging(properties) { first, _ in first }, required: required, isOpen: isOpen)
    }

    private static var backendBodies: JSONObject {
        let event = about(
            ["id": text, "name": text, "time": text, "properties": ["type": "object"], "app_id": text],
            required: ["name", "time"]
        )
        let purchase = about(
            [
                "id": text, "product_id": text, "currency": text, "price": number, "quantity": whole, "time": text,
                "properties": ["type": "object"], "app_id": text,
            ],
            required: ["product_id", "currency", "price", "time"]
        )
        return [
            "TrackRequest": object([
                "attributes": list(about(["_merge_objects": flag], isOpen: true)), "events": list(event),
                "purchases": list(purchase),
            ]),
            "ExportRequest": object([
                "external_ids": list(text), "user_aliases": list(alias), "braze_id": text, "email_address": text,
                "phone": text, "fields_to_export": list(choice(UserExport.fieldNames.sorted())),
            ]),
            "AliasRequest": object(
                [
                    "user_aliases": list(
                        object(
                            ["external_id": text, "alias_name": text, "alias_label": text],
                            required: ["alias_name", "alias_label"]
                        )
                    )
                ],
                required: ["user_aliases"]
            ),
            "IdentifyRequest": object([
                "aliases_to_identify": list(
                    object(["external_id": text, "user_alias": alias], required: ["external_id", "user_alias"])
                ),
                "emails_to_identify": list(
                    object(
                        ["external_id": text, "email": text, "prioritization": matches],
                        required: ["external_id", "email"]
                    )
                ),
                "phone_numbers_to_identify": list(
                    object(
                        ["external_id": text, "phone": text, "prioritization": matches],
                        required: ["external_id", "phone"]
                    )
                ),
            ]),
            "DeleteRequest": object([
                "external_ids": list(text), "user_aliases": list(alias), "braze_ids": list(text),
                "email_addresses": list(object(["email": text, "prioritization": matches], required: ["email"])),
                "phone_numbers": list(object(["phone": text, "prioritization": matches], required: ["phone"])),
            ]),
        ]
    }

    private static func reply(
        _ properties: JSONObject,
        required: [String] = []
    ) -> JSONValue {
        let all: JSONObject = ["message": success, "errors": errors]
        return object(all.merging(properties) { first, _ in first }, required: ["message"] + required)
    }

    private static var backendReplies: JSONObject {
        [
            "TrackReply": reply([
                "attributes_processed": whole, "events_processed": whole, "purchases_processed": whole,
            ]),
            "ExportReply": reply(
                ["users": list(["type": "object"]), "invalid_user_ids": list(text)],
                required: ["users"]
            ),
            "AliasReply": reply(["aliases_processed": whole], required: ["aliases_processed"]),
            "DeleteReply": reply(["deleted": whole], required: ["deleted"]),
            "CampaignList": reply(
                [
                    "campaigns": list(
                        record([
                            "id": text, "last_edited": text, "name": text, "is_api_campaign": flag, "tags": list(text),
                        ])
                    )
                ],
                required: ["campaigns"]
            ),
            "SegmentList": reply(
                [
                    "segments": list(
                        record(["id": text, "name": text, "analytics_tracking_enabled": flag, "tags": list(text)])
                    )
                ],
                required: ["segments"]
            ),
            "SegmentDetails": reply([
                "created_at": text, "updated_at": text, "name": text, "description": text, "text_description": text,
                "tags": list(text), "teams": list(text),
            ]),
            "CampaignDetails": reply([
                "created_at": text, "updated_at": text, "archived": flag, "draft": flag, "enabled": flag,
                "has_post_launch_draft": flag, "name": text, "description": text, "schedule_type": text,
                "channels": list(text), "first_sent": optionalText, "last_sent": optionalText, "tags": list(text),
                "teams": list(text), "messages": ["type": "object"], "conversion_behaviors": list(["type": "object"]),
            ]),
            "CampaignSeries": reply(
                [
                    "data": list(
                        record([
                            "time": text, "unique_recipients": whole, "messages": ["type": "object"],
                            "revenue": optionalNumber, "revenue_by_currency": amounts,
                        ])
                    )
                ],
                required: ["data"]
            ),
        ]
    }
}
