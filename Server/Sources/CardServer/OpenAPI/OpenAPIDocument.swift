import NIOCore
import OrderedCollections
import WireJSON

/// Describes every route in OpenAPI 3.1.
///
/// Written by hand, since a generator would describe the types of the code and not the promises of the API; tests hold
/// it to the routes and to real answers.
enum OpenAPIDocument {
    /// The document as it is sent, written when it is first asked for; all answers share its bytes.
    static let encodedDocument: ByteBuffer = {
        var writer = JSONWriter(capacity: 65_536)
        writer.write(json)
        return ByteBuffer(bytes: writer.bytes)
    }()

    /// The whole document.
    static var json: JSONValue {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Placard", "version": .string(BuildInformation.version),
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
                "description": "Content cards that you host yourself. Times are Unix seconds.",
            ],
            "tags": .array(
                Tag.allCases.map { ["name": .string($0.rawValue), "description": .string($0.description)] }
            ),
            "paths": .object(paths), "webhooks": ["events": ["post": delivery]],
            "components": [
                "schemas": .object(OpenAPISchemas.all),
                "responses": ["Refusal": refusal],
                "securitySchemes": [
                    "key": [
                        "type": "http", "scheme": "bearer",
                        "description": "A publishable key (pk_…) for the device API, a secret key (sk_…) for the rest.",
                    ],
                    "userToken": [
                        "type": "apiKey", "in": "header", "name": "Placard-User-Token",
                        "description": "A JWT (RS256 or ES256) with sub and exp, where the workspace asks for one.",
                    ],
                ],
            ],
        ]
    }

    /// The groups of routes.
    enum Tag: String, CaseIterable {
        case device
        case campaigns
        case segments
        case users
        case access
        case backends
        case events
        case operations

        var description: String {
            switch self {
            case .device: "What apps speak, through the SDK or by themselves."
            case .campaigns: "Cards, who sees them, and what was counted."
            case .segments: "Audiences: saved, counted and explained."
            case .users: "What is known of a user."
            case .access: "Keys, settings and the audit log."
            case .backends: "What the servers of apps speak, as the field's public documentation has it."
            case .events: "What tells others of events."
            case .operations: "For monitors and tools."
            }
        }
    }

    private static let refusal: JSONValue = [
        "description": "Refused; nothing of the request was kept.",
        "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Refusal"]]],
    ]

    private static let delivery: JSONValue = [
        "operationId": "receiveEvents", "tags": ["webhooks"],
        "summary": "Events, and notices of deleted and merged users, as the webhook's receiver gets them.",
        "parameters": [
            [
                "name": "Placard-Signature", "in": "header", "required": true, "schema": ["type": "string"],
                "description": "t= the Unix time, v1= HMAC-SHA256 of the time, a full stop and the body.",
            ]
        ],
        "requestBody": [
            "required": true,
            "content": ["application/json": ["schema": ["$ref": "#/components/schemas/WebhookDelivery"]]],
        ],
        "responses": ["2XX": ["description": "The receiver has them."]],
    ]

    private static var paths: JSONObject {
        var paths: StringMap<JSONObject> = [:]
        for operation in OpenAPIOperation.all {
            paths[operation.path, default: [:]][operation.method] = operation.json
        }
        return paths.mapValues(JSONValue.object)
    }
}
