import CardModel
import Foundation
import WireJSON
import WorkspaceFiles

/// Does what a plan says, one object after the other.
struct PlanRun {
    private let client: ManagementClient
    /// The state of objects when they were last pulled or applied.
    private(set) var pulled: PulledState
    /// The number of objects that were applied.
    private(set) var count = 0
    /// The number of objects that wait for another member's approval.
    private(set) var waitingCount = 0
    /// The sentences about what was refused since others have to decide or to do it, one for each object.
    private(set) var refusals: [String] = []

    init(client: ManagementClient, pulled: PulledState) {
        self.client = client
        self.pulled = pulled
    }

    /// Applies the plan; what is done stays where a later object fails.
    mutating func apply(_ plan: WorkspacePlan, report: (String) -> Void) async throws {
        for item in plan.changes {
            do {
                let (answer, isWaiting) = try await apply(item)
                note(item, answer, isWhole: item.isWhole && !isWaiting)
                if isWaiting {
                    waitingCount += 1
                    report("waits for approval: \(item.reference.text.visible)")
                    continue
                }
            } catch let refusal as PendingRequestError {
                let sentence = "\(item.file?.path.visible ?? item.reference.text.visible): \(refusal.refusal)"
                refusals.append(sentence)
                report("not applied: \(sentence)")
                continue
            } catch let refusal as ServerError {
                throw CommandError("\(item.file?.path.visible ?? item.reference.text.visible): \(refusal)")
            }
            count += 1
            report("\(item.steps.map(\.name).joined(separator: ", ")): \(item.reference.text.visible)")
        }
    }

    /// Notes objects that the server has as their files say, of which a run that was interrupted noted nothing.
    ///
    /// - Parameter plan: The plan.
    /// - Returns: Whether anything was new.
    mutating func noteUnchanged(_ plan: WorkspacePlan) -> Bool {
        var isNew = false
        for item in plan.items where item.action == .unchanged && item.isWhole {
            guard let file = item.file?.object, let server = item.server?.object else { continue }
            if pulled.renew(file: file, server: server) { isNew = true }
        }
        return isNew
    }

    /// Notes what the server has after a step, all or a part of what the file says.
    private mutating func note(_ item: WorkspacePlan.Item, _ answer: JSONValue, isWhole: Bool) {
        guard let file = item.file?.object, let server = try? ServerObject(item.reference.kind, json: answer) else {
            return
        }
        if isWhole {
            pulled.note(item.reference, file: file, server: server.object)
        } else {
            pulled.note(item.reference, server: server.object)
        }
    }

    /// Applies an object unless another member has to approve it first.
    private mutating func apply(_ item: WorkspacePlan.Item) async throws -> (answer: JSONValue, isWaiting: Bool) {
        switch item.reference.kind {
        case .settings, .contentType: return (try await replace(item), false)
        case .contentBlock: return (try await unlessUpToOthers { try await replace(item) }, false)
        case .segment, .campaign: break
        }
        var answer: JSONValue = .null
        var version = item.server?.version
        for step in item.steps {
            do {
                answer = try await unlessUpToOthers { try await apply(step, of: item, from: version) }
            } catch is PendingRequestError where item.reference.kind == .campaign {
                try await requestApproval(of: item, step, from: version)
                return (answer, true)
            }
            version = answer["version"]?.integer
            // Where a later step fails, this one is still this folder's.
            note(item, answer, isWhole: false)
        }
        return (answer, false)
    }

    private func unlessUpToOthers(_ change: () async throws -> JSONValue) async throws -> JSONValue {
        do {
            return try await change()
        } catch let refusal as ServerError where refusal.code == "approval_required" {
            throw PendingRequestError(refusal: refusal)
        }
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
    ///
    /// - Throws: `PendingRequestError` where another's request waits, which has to be decided first.
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
        do {
            _ = try await client.post("campaigns", id, "approvals", body: .object(body))
        } catch let refusal as ServerError where refusal.code == "already_exists" {
            throw PendingRequestError(refusal: refusal)
        }
    }

    /// Puts an object that has no version in the place of another, where that is still the one that was compared.
    private func replace(_ item: WorkspacePlan.Item) async throws -> JSONValue {
        let now = try await ServerReader(client: client).read([item.reference.kind]).objects[item.reference]
        guard now?.object.members == item.server?.object.members else {
            throw CommandError("\(item.reference.text.visible) was changed on the server just now. Apply again.")
        }
        switch item.reference.kind {
        case .settings:
            // What others save in between stays, unless the file changes the same.
            return try await client.patch("settings", body: .object(item.settingsChange))
        case .contentBlock:
            return try await client.put("content-blocks", item.reference.id.text, body: .object(item.content))
        default:
            _ = try await client.put("content-types", body: ["types": [.object(item.content)]])
            return .object(item.content)
        }
    }
}

/// The error for what others have to decide or to do first, so that other objects can be applied all the same: a
/// segment or content block that campaigns of users need, or a campaign for which another's request waits.
private struct PendingRequestError: Error {
    let refusal: ServerError
}

extension WorkspacePlan.Item {
    /// The settings that are to be different, with `null` for limits that are to go.
    fileprivate var settingsChange: JSONObject {
        let old = server?.object.members ?? [:]
        var change: JSONObject = [:]
        for (name, value) in content where old[name] != value {
            change[name] = value
            guard ["rate_limits", "device_limits"].contains(name), var limits = value.object else { continue }
            for group in (old[name]?.object ?? [:]).keys where limits[group] == nil { limits[group] = .null }
            change[name] = .object(limits)
        }
        return change
    }

    /// The content of the object that a person writes, as the API takes it.
    fileprivate var content: JSONObject {
        switch wanted?.content {
        case .campaign(let content, _): content.json
        case .segment(let content, _): content.json
        default: wanted?.members ?? [:]
        }
    }
}
