import CardModel
import WireJSON
import WorkspaceFiles

/// Does what a plan says, one object after the other.
struct PlanRun {
    private let client: ManagementClient
    /// What objects were when they were last pulled or applied.
    private(set) var pulled: PulledState
    /// The number of objects that were applied.
    private(set) var count = 0

    init(client: ManagementClient, pulled: PulledState) {
        self.client = client
        self.pulled = pulled
    }

    /// Applies the plan; what is done stays where a later object fails.
    mutating func apply(_ plan: WorkspacePlan, report: (String) -> Void) async throws {
        for item in plan.changes {
            do {
                let answer = try await apply(item)
                if let file = item.file?.object, let server = try? ServerObject(item.reference.kind, json: answer) {
                    pulled.note(item.reference, file: file, server: server.object)
                }
            } catch let refusal as ServerRefusal {
                throw CommandFailure("\(item.file?.path.visible ?? item.reference.text.visible): \(refusal)")
            }
            count += 1
            report("\(item.steps.map(\.name).joined(separator: ", ")): \(item.reference.text.visible)")
        }
    }

    private func apply(_ item: WorkspacePlan.Item) async throws -> JSONValue {
        switch item.reference.kind {
        case .settings, .contentType, .contentBlock: return try await replace(item)
        case .segment, .campaign: break
        }
        let path = item.reference.kind.listName
        let id = item.reference.id.text
        var answer: JSONValue = .null
        var version = item.server?.version
        for step in item.steps {
            // Each names the version of the one before: what another member does in between is a conflict.
            let known: JSONObject = version.map { ["version": .integer($0)] } ?? [:]
            switch step {
            case .save where item.server == nil:
                var body = item.content
                body["id"] = .string(id)
                answer = try await client.post(path, body: .object(body))
            case .save:
                var body = item.content
                body["version"] = known["version"]
                answer = try await client.put(path, id, body: .object(body))
            case .transition(let transition):
                var body = known
                if case .stop(let isWithdrawn) = transition { body["withdraw"] = .bool(isWithdrawn) }
                answer = try await client.post(path, id, transition.name, body: .object(body))
            case .archiveSegment(let isArchived):
                answer = try await client.post(path, id, isArchived ? "archive" : "restore", body: .object(known))
            }
            version = answer["version"]?.integer
        }
        return answer
    }

    /// Puts an object that has no version in the place of another, where that is still the one that was compared.
    private func replace(_ item: WorkspacePlan.Item) async throws -> JSONValue {
        let now = try await ServerReader(client: client).read([item.reference.kind]).objects[item.reference]
        guard now?.object.members == item.server?.object.members else {
            throw CommandFailure("\(item.reference.text.visible) was changed on the server just now. Apply again.")
        }
        switch item.reference.kind {
        case .settings: return try await client.put("settings", body: .object(item.content))
        case .contentBlock:
            return try await client.put("content-blocks", item.reference.id.text, body: .object(item.content))
        default:
            _ = try await client.put("content-types", body: ["types": [.object(item.content)]])
            return .object(item.content)
        }
    }
}

extension WorkspacePlan.Item {
    /// What a person writes of the object, as the API takes it.
    fileprivate var content: JSONObject {
        switch wanted?.content {
        case .campaign(let content, _): content.json
        case .segment(let content, _): content.json
        default: wanted?.members ?? [:]
        }
    }
}
