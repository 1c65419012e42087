import CardModel
import OrderedCollections
import WireJSON

/// One route, as the document describes it.
struct OpenAPIOperation {
    /// The answer of a route when all is well.
    enum Success {
        /// JSON of a schema, with one status or either of two.
        case json(String, status: Int = 200, or: Int? = nil)
        case text(String, or: String? = nil)
        case files([String])
        case nothing
    }

    let route: APIRoute
    let tag: OpenAPIDocument.Tag
    let summary: String
    var query: [Parameter] = []
    /// The schema of the body, or `nil` where there is none.
    var body: String?
    /// The media types of a body that is no JSON.
    var bodyTypes: [String] = []
    /// Whether the body may be left out.
    var isBodyOptional = false
    /// Whether `If-Match` may say what is to be changed.
    var hasPrecondition = false
    let success: Success

    /// A parameter in the query.
    struct Parameter {
        let name: String
        let schema: JSONValue
        let description: String
        var isRequired = false
    }

    var json: JSONValue {
        var members: JSONObject = [
            "tags": [.string(tag.rawValue)], "summary": .string(summary), "operationId": .string(identifier),
        ]
        if !parameters.isEmpty { members["parameters"] = .array(parameters) }
        if let body {
            members["requestBody"] = [
                "required": .bool(!isBodyOptional), "content": ["application/json": ["schema": reference(body)]],
            ]
        }
        if !bodyTypes.isEmpty {
            let binary: JSONValue = ["schema": ["type": "string", "format": "binary"]]
            let content = bodyTypes.reduce(into: JSONObject()) { $0[$1] = binary }
            members["requestBody"] = ["required": true, "content": .object(content)]
        }
        members["responses"] = .object(responses)
        let permissions = JSONValue.array(route.access.shownPermissions.map { .string($0.rawValue) })
        switch tag {
        case .operations: members["security"] = []
        case .device where path != "/v1/content-types":
            members["security"] = [["key": permissions], ["key": permissions, "userToken": []]]
        default: members["security"] = [["key": permissions]]
        }
        return .object(members)
    }

    /// The method as the document writes it.
    var method: String { route.method.rawValue.lowercased() }

    /// The path, with parameters in braces.
    var path: String { route.path }

    private var identifier: String {
        let words = path.split(separator: "/").filter { $0 != "v1" }.map { $0.filter { $0.isLetter || $0 == "-" } }
        return ([method] + words).joined(separator: "_")
    }

    /// The parameters of the path, in their order, each with the schema of its values.
    var pathParameters: [(name: String, schema: JSONValue)] {
        path.matches(of: /\{(\w+)\}/).map { match in
            (String(match.1), ["type": ["version", "width"].contains(match.1) ? "integer" : "string"])
        }
    }

    private static let ifMatch: JSONValue = [
        "name": "If-Match", "in": "header", "required": false, "schema": ["type": "string"],
        "description": "The ETag that was read: 412 where it was changed since.",
    ]

    private var parameters: [JSONValue] {
        let inPath = pathParameters.map { name, schema -> JSONValue in
            ["name": .string(name), "in": "path", "required": true, "schema": schema]
        }
        return inPath + (hasPrecondition ? [Self.ifMatch] : [])
            + query.map { parameter in
                [
                    "name": .string(parameter.name), "in": "query", "required": .bool(parameter.isRequired),
                    "description": .string(parameter.description), "schema": parameter.schema,
                ]
            }
    }

    private var responses: JSONObject {
        let refusal: JSONValue = ["$ref": "#/components/responses/Refusal"]
        switch success {
        case .json(let schema, let status, let other):
            let done: JSONValue = [
                "description": "Done.", "content": ["application/json": ["schema": reference(schema)]],
            ]
            var responses: JSONObject = ["\(status)": done]
            if let other { responses["\(other)"] = done }
            responses["default"] = refusal
            return responses
        case .text(let type, let other):
            var content: JSONObject = [type: ["schema": ["type": "string"]]]
            if let other { content[other] = content[type] }
            return [
                "200": ["description": "Done.", "content": .object(content)],
                "default": refusal,
            ]
        case .files(let types):
            let content = types.reduce(into: JSONObject()) { $0[$1] = [:] }
            return ["200": ["description": "Done.", "content": .object(content)], "default": refusal]
        case .nothing: return ["204": ["description": "Done."], "default": refusal]
        }
    }

    private func reference(_ schema: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(schema)")] }
}

extension OpenAPIOperation {
    static let limit = Parameter(
        name: "limit",
        schema: ["type": "integer", "minimum": 1, "maximum": 1000, "default": 100],
        description: "How many at most."
    )
    static let offset = Parameter(
        name: "offset",
        schema: ["type": "integer", "minimum": 0, "maximum": 10_000_000, "default": 0],
        description: "How many to pass over."
    )

    /// Every route.
    static let all: [OpenAPIOperation] =
        device + contentTypes + campaigns + segments + users + access + backends + operations + templates + media

    private static let device: [OpenAPIOperation] = [
        OpenAPIOperation(
            route: .sync,
            tag: .device,
            summary: "Sends events and brings the feed up to date.",
            body: "SyncRequest",
            success: .json("SyncReply")
        ),
        OpenAPIOperation(
            route: .sendEvents,
            tag: .device,
            summary: "Sends events.",
            body: "EventsRequest",
            success: .json("EventsReply")
        ),
        OpenAPIOperation(
            route: .live,
            tag: .device,
            summary: "Tells, as server-sent events, that a sync may bring something new.",
            query: [
                Parameter(
                    name: "user_id",
                    schema: ["type": "string", "minLength": 1, "maxLength": 512],
                    description: "The user.",
                    isRequired: true
                ),
                Parameter(
                    name: "device_id",
                    schema: ["type": "string"],
                    description: "The device, which is not told of what it changes itself."
                ),
            ],
            success: .text("text/event-stream")
        ),
        OpenAPIOperation(
            route: .publishContentTypes,
            tag: .device,
            summary: "Proposes what the app's typed contents expect of a card's extras; a secret key publishes it.",
            body: "ContentTypes",
            success: .json("ContentTypesSaved")
        ),
        OpenAPIOperation(
            route: .createTestCode,
            tag: .device,
            summary: "Creates a code that the app shows, by which a member of the team sends a test to the device.",
            body: "TestCodeRequest",
            success: .json("TestCode", status: 201)
        ),
    ]

    private static let users: [OpenAPIOperation] = [
        OpenAPIOperation(
            route: .readUser,
            tag: .users,
            summary: "Reads a user and the cards they were given.",
            success: .json("User")
        ),
        OpenAPIOperation(
            route: .updateUser,
            tag: .users,
            summary: "Sets attributes, making the user where there is none; null removes one.",
            body: "UserUpdate",
            success: .json("User")
        ),
        OpenAPIOperation(
            route: .deleteUser,
            tag: .users,
            summary: "Forgets a user. What was counted stays counted.",
            success: .nothing
        ),
        OpenAPIOperation(
            route: .listUserEvents,
            tag: .users,
            summary: "Lists a user's events, the newest first.",
            query: [limit],
            success: .json("UserEvents")
        ),
    ]

    private static let access: [OpenAPIOperation] = [
        OpenAPIOperation(
            route: .listKeys,
            tag: .access,
            summary: "Lists keys, without their secrets.",
            success: .json("Keys")
        ),
        OpenAPIOperation(
            route: .createKey,
            tag: .access,
            summary: "Makes a key; its secret is in this answer and nowhere else.",
            body: "NewKey",
            success: .json("Key", status: 201)
        ),
        OpenAPIOperation(
            route: .updateKey,
            tag: .access,
            summary: "Edits a key: what is absent stays, and so do its kind and its secret.",
            body: "KeyEdit",
            success: .json("Key")
        ),
        OpenAPIOperation(
            route: .rotateKey,
            tag: .access,
            summary: "Gives a key another secret, shown in this reply only; both work for a while.",
            body: "KeyRotation",
            isBodyOptional: true,
            success: .json("Key")
        ),
        OpenAPIOperation(
            route: .revokeKey,
            tag: .access,
            summary: "Revokes a key for good.",
            success: .nothing
        ),
        OpenAPIOperation(
            route: .readSettings,
            tag: .access,
            summary: "Reads the settings.",
            success: .json("Settings")
        ),
        OpenAPIOperation(
            route: .saveSettings,
            tag: .access,
            summary: "Puts settings in place of the old ones; what is left out gets its default.",
            body: "Settings",
            hasPrecondition: true,
            success: .json("Settings")
        ),
        OpenAPIOperation(
            route: .changeSettings,
            tag: .access,
            summary: "Changes some settings; what is left out stays, and null stands for the default.",
            body: "Settings",
            hasPrecondition: true,
            success: .json("Settings")
        ),
        OpenAPIOperation(
            route: .listAudit,
            tag: .access,
            summary: "Lists what people and keys changed and read, the newest first.",
            query: [
                limit,
                Parameter(
                    name: "before",
                    schema: ["type": "integer"],
                    description: "The position before which to begin."
                ),
            ],
            success: .json("Audit")
        ),
        OpenAPIOperation(
            route: .exportAudit,
            tag: .access,
            summary: "Streams the audit log as JSON lines, the oldest entry first.",
            query: [
                Parameter(name: "after", schema: ["type": "integer"], description: "The position after which to begin.")
            ],
            success: .text("application/x-ndjson")
        ),
    ]

    private static let operations: [OpenAPIOperation] = [
        OpenAPIOperation(
            route: .health,
            tag: .operations,
            summary: "Says that the process answers, and which version it is.",
            success: .json("Health")
        ),
        OpenAPIOperation(
            route: .readiness,
            tag: .operations,
            summary: "Says that devices can be served; with a key that may manage, what was looked at.",
            success: .json("Readiness")
        ),
        OpenAPIOperation(
            route: .metrics,
            tag: .operations,
            summary: "Prints what the server counts about itself, for Prometheus.",
            success: .text("text/plain")
        ),
        OpenAPIOperation(
            route: .openAPI,
            tag: .operations,
            summary: "Describes all of this.",
            success: .json("Document")
        ),
    ]
}
