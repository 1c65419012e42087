import CardModel
import WireJSON

extension OpenAPISchemas {
    /// Users.
    static var users: JSONObject {
        [
            "UserUpdate": object(
                ["attributes": ["type": "object"], "custom_attributes": ["type": "object"]],
                isClosed: true
            ),
            "User": record([
                "user_id": text, "attributes": ["type": "object"], "custom_attributes": ["type": "object"],
                "created_at": time, "first_seen_at": optionalTime, "last_seen_at": optionalTime,
                "app_version": optionalText, "history": history,
                "cards": list(
                    record([
                        "card_id": text, "campaign_id": text, "variant_id": text, "delivered_at": time, "viewed": flag,
                        "clicked": flag, "dismissed": flag, "ended": optionalText,
                    ])
                ),
            ]),
            "UserEvents": record([
                "events": list(
                    record([
                        "id": text, "type": text, "at": time, "received_at": time, "card_id": optionalText,
                        "campaign_id": optionalText, "variant_id": optionalText,
                        "details": ["type": ["object", "null"]],
                    ])
                )
            ]),
        ]
    }

    private static let allowedAddresses: JSONValue = [
        "type": "array", "items": text, "maxItems": .integer(Int64(APIKey.maximumAddresses)),
        "description": "Addresses and ranges such as 10.0.0.0/8; for secret keys only.",
    ]

    /// Keys, settings and the audit log.
    static var access: JSONObject {
        [
            "Key": object(
                [
                    "id": text, "name": text, "kind": choice(APIKey.KeyKind.allCases.map(\.rawValue)),
                    "permissions": list(choice(Permission.allCases.map(\.rawValue))), "hint": text,
                    "created_at": time, "revoked_at": optionalTime, "expires_at": optionalTime,
                    "allowed_addresses": list(text), "previous_secret_expires_at": optionalTime,
                    "last_used_at": optionalTime, "secret": text,
                ],
                required: [
                    "id", "name", "kind", "permissions", "hint", "created_at", "revoked_at", "expires_at",
                    "allowed_addresses", "previous_secret_expires_at", "last_used_at",
                ]
            ),
            "KeyRotation": object(
                [
                    "overlap_seconds": [
                        "type": "number", "minimum": 0, "maximum": .number(APIKey.maximumOverlap), "default": 86_400,
                        "description": "For how long the present secret works beside the new one.",
                    ]
                ],
                required: []
            ),
            "KeyEdit": object(
                [
                    "name": ["type": "string", "minLength": 1, "maxLength": 255],
                    "permissions": [
                        "type": "array", "items": choice(Permission.allCases.map(\.rawValue)), "minItems": 1,
                    ],
                    "expires_at": optionalTime, "allowed_addresses": allowedAddresses,
                ],
                required: [],
                isClosed: true
            ),
            "Keys": record(["keys": list(reference("Key"))]),
            "NewKey": object(
                [
                    "name": ["type": "string", "minLength": 1, "maxLength": 255],
                    "kind": choice(APIKey.KeyKind.allCases.map(\.rawValue)),
                    "permissions": [
                        "type": "array", "items": choice(Permission.allCases.map(\.rawValue)), "minItems": 1,
                    ],
                    "expires_at": optionalTime,
                    "allowed_addresses": allowedAddresses,
                ],
                required: ["name", "kind"]
            ),
            "Settings": object(
                [
                    "time_zone": text, "user_tokens": choice(Settings.UserTokenMode.allCases.map(\.rawValue)),
                    "public_keys": ["type": "array", "maxItems": 3, "items": record(["id": text, "pem": text])],
                    "jwks": [
                        "type": ["object", "null"],
                        "description": "A JSON Web Key Set with at most 20 public keys.",
                        "properties": ["keys": ["type": "array", "maxItems": 20, "items": ["type": "object"]]],
                        "required": ["keys"],
                    ],
                    "jwks_url": [
                        "type": ["string", "null"], "maxLength": 2_048,
                        "description": "Where jwks is fetched from, now and every ten minutes.",
                    ],
                    "token_issuer": [
                        "type": ["string", "null"], "description": "The iss that user tokens must have.",
                    ],
                    "token_audience": [
                        "type": ["string", "null"], "description": "The aud that user tokens must have.",
                    ],
                    "token_max_lifetime_seconds": [
                        "type": ["number", "null"], "minimum": 60, "maximum": 3_153_600_000,
                        "description": "How long a user token may be good; 30 days by default.",
                    ],
                    "card_limit": ["type": "integer", "minimum": 1, "maximum": 1000],
                    "audit_days": [
                        "type": ["integer", "null"], "minimum": 30, "maximum": 3650,
                        "description": "For how many days `placard prune` keeps entries of the audit log.",
                    ],
                    "version_days": [
                        "type": ["integer", "null"], "minimum": 1, "maximum": 3650,
                        "description": "For how many days `placard prune` keeps earlier versions of campaigns.",
                    ],
                    "event_days": [
                        "type": ["integer", "null"], "minimum": 31, "maximum": 3650,
                        "description": "For how many days `placard prune` keeps events; older ones are refused.",
                    ],
                    "card_size_limit": ["type": "integer", "minimum": 256, "maximum": 65_536],
                    "frequency_caps": [
                        "type": "array", "maxItems": 10,
                        "items": object(["cards": whole, "days": whole, "tag": text], required: ["cards", "days"]),
                    ],
                    "quiet_hours": [
                        "type": ["object", "null"], "description": "By each user's clock.",
                        "properties": ["from": text, "to": text], "required": ["from", "to"],
                    ],
                    "connected_content_hosts": [
                        "type": "array", "items": text, "maxItems": .integer(Int64(ContentHost.limit)),
                        "description": "The hosts that templates may ask, such as api.example.com or *.example.com.",
                    ],
                    "require_two_factor": [
                        "type": "boolean",
                        "description": "Whether members of the team need a second factor to use the dashboard.",
                    ],
                    "mask_personal_data": [
                        "type": "boolean",
                        "description": "Whether attributes, addresses, ids and feeds of users are hidden from viewers.",
                    ],
                    "launch_approval": [
                        "type": "string", "enum": .array(ApprovalPolicy.allCases.map { .string($0.rawValue) }),
                        "description":
                            "Who needs another member's approval to launch a campaign, or to edit one that users have.",
                    ],
                    "refresh_burst": ["type": "integer", "minimum": 1, "maximum": 1000],
                    "refresh_seconds": ["type": "number", "minimum": 0, "maximum": 86_400],
                    "rate_limits": rateLimits, "device_limits": deviceLimits,
                ],
                isClosed: true
            ),
            "Audit": record([
                "entries": list(
                    record([
                        "position": whole, "at": time, "actor": text,
                        "actor_kind": choice(Actor.ActorKind.allCases.map(\.rawValue)), "action": text,
                        "subject": text, "details": ["type": ["object", "null"]], "hash": text,
                    ])
                ),
                "next": ["type": ["integer", "null"], "description": "The next page's before; null at the end."],
            ]),
        ]
    }
}
