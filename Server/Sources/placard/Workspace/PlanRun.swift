import CardModel
import Foundation
import WireJSON
import WorkspaceFiles

/// Does what a plan says, one object after the other.
struct PlanRun {
    private let client: ManagementClient
    /// What objects were when they were last pulled or applied.
    private(set) var pulled: PulledState
    /// The number of objects that were applied.
    private(set) var count = 0
    /// The number of objects that wait for another member's approval.
    private(set) var waitingCount = 0

    init(client: ManagementClient, pulled: PulledState) {
        self.client = client
        self.pulled = pulled
    }

    /// Applies the plan; what is done stays where a later object fails.
    mutating func apply(_ plan: WorkspacePlan, report: (String) -> Void) async throws {
        for item in plan.changes {
            do {
                let (answer, isWaiting) = try await apply(item)
                if let file = item.file?.object, let server = try? ServerObject(item.reference.kind, json: answer) {
                    pulled.note(item.reference, file: file, server: server.object)
                }
                if isWaiting {
                    // safe: counts objects
                    waitingCount += 1
                    report("waits for approval: \(item.reference.text.visible)")
                    continue
                }
            } catch let refusal as ServerRefusal {
                throw CommandFailure("\(item.file?.path.visible ?? item.reference.text.visible): \(refusal)")
            }
            count += 1
            report("\(item.steps.map(\.name).joined(separator: ", ")): \(item.reference.text.visible)")
        }
    }

    /// Applies an object unless another member has to approve it first.
    private func apply(_ item: WorkspacePlan.Item) async throws -> (answer: JSONValue, isWaiting: Bool) {
        switch item.reference.kind {
        case .settings, .contentType, .contentBlock: return (try await replace(item), false)
        case .segment, .campaign: break
        }
        var answer: JSONValue = .null
        var version = item.server?.version
        for step in item.steps {
            do {
                answer = try await apply(step, of: item, from: version)
            } catch let refusal as ServerRefusal
                where refusal.code == "approval_required" && item.reference.kind == .campaign
            {
                try await requestApproval(of: item, step, from: version)
                return (answer, true)
            }
            version = answer["version"]?.integer
        }
        return (answer, false)
    }

    private func apply(
        _ step: WorkspacePlan.Step,
        of item: WorkspacePlan.Item,
        from version: Int64?
    ) async throws -> JSONValue {
        let path = item.reference.kind.listName
        let id = item.reference.id.text
        // Each names the version of the one before: what another member does in between is a conflict.
        let known: JSONObject = version.map { ["version": .integer($0)] } ?? [:]
        switch step {
        case .save where item.server == nil:
            var body = item.content
            body["id"] = .string(id)
            return try await client.post(path, body: .object(body))
        case .save:
            var body = item.content
            body["version"] = known["version"]
            return try await client.put(path, id, body: .object(body))
        case .transition(let transition):
            var body = known
            if case .stop(let isWithdrawn) = transition { body["withdraw"] = .bool(isWithdrawn) }
            return try await client.post(path, id, transition.name, body: .object(body))
        case .archiveSegment(let isArchived):
            return try await client.post(path, id, isArchived ? "archive" : "restore", body: .object(known))
        }
    }

    /// Asks for the approval of a step, unless the same waits already.
    private func requestApproval(
        of item: WorkspacePlan.Item,
        _ step: WorkspacePlan.Step,
        from version: Int64?
    ) async throws {
        let id = item.reference.id.text
        var body: JSONObject = version.map { ["version": .integer($0)] } ?? [:]
        if step == .save { body["content"] = .object(item.content) }
        let last = [URLQueryItem(name: "limit", value: "1")]
        let newest = try await client.get("campaigns", id, "approvals", query: last)
        if let waiting = newest["approvals"]?.array?.first, waiting["status"]?.string == "pending",
            waiting["version"] == body["version"], waiting["content"] == body["content"]
        {
            return
        }
        _ = try await client.post("campaigns", id, "approvals", body: .object(body))
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
