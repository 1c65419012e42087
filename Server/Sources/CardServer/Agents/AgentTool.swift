import CardModel
import Foundation
import WireJSON

/// An operation of the management API, as an agent may use it.
///
/// Tools are made of the table of routes and of the OpenAPI document, so that a new operation is one at once. Whatever
/// isn't known to reach nobody is left to a person.
package struct AgentTool: Sendable {
    /// The effect of a call.
    package enum Effect: Sendable, Hashable {
        /// It changes nothing.
        case reads
        /// It creates something that reaches nobody: a draft, or a segment that no campaign names.
        case creates
        /// It edits a campaign that is still a draft.
        case editsDraft
        /// It would reach users, end something or give a right: a person does it, in the dashboard where that has a
        /// page.
        case needsPerson
    }

    /// A parameter in the path or the query.
    package struct ToolParameter: Sendable {
        /// Its name.
        package let name: String
        /// Whether it is a part of the path, and not of the query.
        package let isInPath: Bool
        /// Whether it has to be given.
        package let isRequired: Bool
        fileprivate let schema: JSONValue
    }

    /// The name of the tool, such as `create_campaign`.
    package let name: String
    /// The method of the request in capitals.
    package let method: String
    /// The path of the request, with parameters in braces.
    package let path: String
    /// The effect of a call.
    package let effect: Effect
    /// Its parameters.
    package let parameters: [ToolParameter]
    /// The permissions that the key needs, all of them.
    package let permissions: [Permission]
    /// The page of the dashboard on which a person does it, with parameters in braces; `nil` where there is none.
    package let page: String?
    private let summary: String
    private let body: String?
    private let isBodyOptional: Bool

    /// Whether the server asks other hosts for a call, unless its body says `connected_content: false`.
    package let asksHosts: Bool
    /// Whether a call has a body.
    package var hasBody: Bool { effect != .needsPerson && body != nil }
    /// Whether a call needs a body.
    package var needsBody: Bool { hasBody && !isBodyOptional }

    private init?(_ operation: OpenAPIOperation) {
        guard Self.tags.contains(operation.tag), operation.bodyTypes.isEmpty, operation.route != .publishContentTypes
        else { return nil }
        switch operation.success {
        case .json, .nothing: break
        // What streams without an end, or is no text, is nothing to talk about.
        case .text, .files: return nil
        }
        name = Self.words(of: "\(operation.route)").joined(separator: "_")
        method = operation.route.method.rawValue
        path = operation.path
        effect = operation.route.agentEffect
        asksHosts = operation.route == .preview
        permissions = operation.route.access.shownPermissions
        page = Self.page(of: operation.path)
        summary = operation.summary
        body = operation.body
        isBodyOptional = operation.isBodyOptional
        parameters = Self.parameters(of: operation, hasQuery: effect != .needsPerson)
    }

    /// Every tool.
    package static let all: [AgentTool] = OpenAPIOperation.all.compactMap(AgentTool.init)

    private static let tags: Set<OpenAPIDocument.Tag> = [.campaigns, .segments, .users, .access, .events]

    private static func parameters(of operation: OpenAPIOperation, hasQuery: Bool) -> [ToolParameter] {
        let inPath = operation.pathParameters.map { name, schema in
            ToolParameter(name: name, isInPath: true, isRequired: true, schema: schema)
        }
        guard hasQuery else { return inPath }
        return inPath
            + operation.query.map { parameter in
                var schema = parameter.schema.object ?? [:]
                schema["description"] = .string(parameter.description)
                return ToolParameter(
                    name: parameter.name,
                    isInPath: false,
                    isRequired: parameter.isRequired,
                    schema: .object(schema)
                )
            }
    }

    /// Cuts a name before its capitals: `createCampaign`.
    private static func words(of name: String) -> [String] {
        // characters: a name of ours
        name.reduce(into: [""]) { words, character in
            if character.isUppercase { words.append("") }
            words[words.endIndex - 1] += character.lowercased()
        }
    }
}

// MARK: What the tools are called with

extension AgentTool {
    /// The tool as a list of tools has it.
    package var json: JSONValue {
        var (properties, definitions, found): (JSONObject, JSONObject, [String]) = ([:], [:], [])
        for parameter in parameters { properties[parameter.name] = Self.localized(parameter.schema, &found) }
        for name in found { Self.add(name, to: &definitions) }
        if hasBody, let body {
            properties["body"] = ["$ref": .string("#/$defs/\(body)")]
            Self.add(body, to: &definitions)
        }
        let required = parameters.filter(\.isRequired).map(\.name) + (needsBody ? ["body"] : [])
        var schema: JSONObject = [
            "type": "object", "properties": .object(properties), "required": .array(required.map(JSONValue.string)),
            "additionalProperties": false,
        ]
        if !definitions.isEmpty { schema["$defs"] = .object(definitions) }
        return [
            "name": .string(name), "description": .string(description), "inputSchema": .object(schema),
            "annotations": [
                "title": .string(name.replacing("_", with: " ")), "readOnlyHint": .bool(changesNothing),
                "destructiveHint": false, "idempotentHint": .bool(changesNothing), "openWorldHint": false,
            ],
        ]
    }

    /// Whether a call changes nothing on the server.
    package var changesNothing: Bool { effect == .reads || effect == .needsPerson }

    private var description: String {
        let permissions = permissions.map { "`\($0.rawValue)`" }.joined(separator: " and ")
        let note =
            switch effect {
            case .reads: ""
            case .creates: " It reaches nobody until a person launches it."
            case .editsDraft: " Only of a draft: name the version that you read. Any other is edited by a person."
            case .needsPerson: " Does nothing by itself: answers where a person does it."
            }
        return "\(summary)\(note) Needs the permission \(permissions)."
    }

    /// Adds a schema and those that it names.
    private static func add(_ name: String, to definitions: inout JSONObject) {
        guard definitions[name] == nil, let schema = OpenAPISchemas.all[name] else { return }
        // Named before it is looked into: schemas name themselves.
        definitions[name] = .null
        var found: [String] = []
        let local = localized(schema, &found)
        definitions[name] = local
        for other in found { add(other, to: &definitions) }
    }

    /// Returns a schema that names others where a tool has them, and adds their names.
    private static func localized(_ schema: JSONValue, _ found: inout [String]) -> JSONValue {
        switch schema {
        case .array(let elements): return .array(elements.map { localized($0, &found) })
        case .object(let members):
            var local: JSONObject = [:]
            for (name, value) in members {
                if name == "$ref", let reference = value.string, let other = reference.split(at: "/").last {
                    found.append(String(other))
                    local[name] = .string("#/$defs/\(other)")
                } else {
                    local[name] = localized(value, &found)
                }
            }
            return .object(local)
        default: return schema
        }
    }
}

// MARK: What a call does

extension APIRoute {
    /// The effect of an agent's call.
    ///
    /// What isn't named here, such as a route that is new, is left to a person unless it reads.
    fileprivate var agentEffect: AgentTool.Effect {
        switch self {
        case .checkDraft, .preview, .estimateReach, .explainAudience: .reads
        case .createCampaign, .duplicateCampaign, .createSegment, .duplicateSegment: .creates
        case .updateCampaign: .editsDraft
        default: method == .get ? .reads : .needsPerson
        }
    }
}

extension AgentTool {
    /// The page of the dashboard for a path, the longest beginning first.
    private static let pages: [(prefix: String, page: String?)] = [
        ("/v1/campaigns/{id}/launch", "/dashboard/campaigns/{id}/launch"),
        ("/v1/campaigns/{id}/stop", "/dashboard/campaigns/{id}/stop"),
        ("/v1/campaigns/{id}/test-send", "/dashboard/campaigns/{id}/test"),
        ("/v1/campaigns/{id}", "/dashboard/campaigns/{id}"), ("/v1/campaigns", "/dashboard/campaigns"),
        ("/v1/content-blocks/{id}", "/dashboard/content-blocks/{id}"),
        ("/v1/content-blocks", "/dashboard/content-blocks"),
        ("/v1/content-types", "/dashboard/content-types"), ("/v1/segments/{id}", "/dashboard/segments/{id}"),
        ("/v1/segments", "/dashboard/segments"), ("/v1/users/{id}", "/dashboard/users/{id}"),
        ("/v1/keys/{id}", "/dashboard/keys/{id}"), ("/v1/keys", "/dashboard/keys"),
        ("/v1/settings", "/dashboard/settings"), ("/v1/webhook", "/dashboard/settings"),
        ("/v1/media", "/dashboard/media"), ("/v1/test-users", "/dashboard/campaigns"),
    ]

    private static func page(of path: String) -> String? { pages.first { path.hasPrefix($0.prefix) }?.page }
}
