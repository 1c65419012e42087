import CardModel
import OrderedCollections
import WireJSON

extension OpenAPISchemas {
    /// The schemas of what brings cards to users, and what limits them.
    static var delivery: JSONObject {
        let optionalTimeIn: JSONValue = ["type": ["number", "string", "null"]]
        let window: JSONValue = [
            "type": "number", "minimum": 1, "maximum": .number(Campaign.longestWindow),
            "default": .number(Campaign.defaultWindow),
            "description": "For how many seconds a trigger that is due waits for the user's device.",
        ]
        return [
            "Delivery": object(
                [
                    "type": choice(["scheduled", "action", "api_triggered"]), "start_at": optionalTimeIn,
                    "end_at": optionalTimeIn,
                    "local_time": [
                        "type": "boolean",
                        "description": "Of scheduled: whether the times, then without a zone, are each user's own.",
                    ], "trigger": reference("EventCondition"),
                    "delay": [
                        "type": "number", "minimum": 0, "maximum": .number(Campaign.ActionDelivery.longestDelay),
                        "description": "Of action: how many seconds after the event the card may be given.",
                    ], "window": window,
                ],
                isClosed: true
            ),
            "EventCondition": object(
                [
                    "event": text, "purchase": ["type": ["string", "boolean"]],
                    "properties": list(
                        object(
                            [
                                "property": text,
                                "comparison": choice(AttributeClause.Comparison.allCases.map(\.rawValue)), "value": [:],
                            ],
                            required: ["property"],
                            isClosed: true
                        )
                    ),
                ],
                isClosed: true
            ),
            "Rules": object(
                [
                    "reeligible": flag,
                    "reeligible_after_days": ["type": "number", "minimum": 0, "maximum": 3_650],
                    "remove_on": ["type": "array", "items": reference("EventCondition"), "maxItems": 10],
                    "follow_audience": flag, "freeze": flag, "ignore_frequency_caps": flag, "ignore_quiet_hours": flag,
                ],
                isClosed: true
            ),
            "Trigger": object(
                [
                    "send_id": ["type": "string", "minLength": 1, "maxLength": 128],
                    "recipients": [
                        "type": "array", "maxItems": .integer(Int64(TriggerSend.recipientLimit)),
                        "items": object(
                            ["user_id": identifier, "trigger_properties": ["type": "object"]],
                            required: ["user_id"],
                            isClosed: true
                        ),
                    ], "broadcast": flag, "audience": audienceOrNull,
                    "trigger_properties": ["type": "object"], "at": timeIn, "local_time": flag,
                    "create_users": flag,
                ],
                isClosed: true
            ),
            "TriggerReceipt": object(
                ["send_id": text, "accepted": whole, "duplicate": whole, "unknown": list(text)],
                required: ["send_id", "accepted", "duplicate", "unknown"]
            ),
            "TestUsers": object(
                ["users": testUsers, "devices": testDevices, "groups": testGroups],
                required: ["users"],
                isClosed: true
            ),
            "TestSend": object(
                [
                    "users": testUsers, "code": text, "device_name": deviceName, "variant_id": text, "language": text,
                    "trigger_properties": ["type": "object"],
                ],
                required: [],
                isClosed: true
            ),
            "TestCodeRequest": object(
                ["user_id": identifier, "device_id": identifier],
                required: ["user_id", "device_id"]
            ),
            "TestCode": record(["code": text, "expires_in": number, "expires_at": time]),
            "TestReceipt": record([
                "sent": list(record(["user_id": text, "card_id": text])),
                "failed": list(record(["user_id": text, "code": text, "message": text])),
            ]),
        ]
    }

    private static var testDevices: JSONValue {
        [
            "type": "array", "maxItems": .integer(Int64(TestUser.limit)),
            "items": object(["user_id": identifier, "name": deviceName], required: ["user_id"], isClosed: true),
        ]
    }

    private static var testGroups: JSONValue {
        [
            "type": "array", "maxItems": .integer(Int64(TestGroup.limit)),
            "items": object(["name": deviceName, "users": testUsers], required: ["name", "users"], isClosed: true),
        ]
    }

    private static var deviceName: JSONValue {
        ["type": "string", "minLength": 1, "maxLength": .integer(Int64(TestUser.nameBytes))]
    }

    private static var testUsers: JSONValue {
        ["type": "array", "items": identifier, "maxItems": .integer(Int64(TestSendService.userLimit))]
    }
}
