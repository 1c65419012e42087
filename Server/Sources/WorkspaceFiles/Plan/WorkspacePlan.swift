import CardModel
import WireJSON

/// The changes that applying a folder would make to a server.
package struct WorkspacePlan: Sendable {
    /// The options that a person chose.
    package struct PlannerOptions: Sendable {
        /// Whether what no file describes is archived.
        package var prunes = false
        /// Whether campaigns whose files say no status are launched.
        package var launches = false
        /// Whether files win over what was changed on the server.
        package var overwrites = false

        /// Creates the defaults.
        package init() {}
    }

    /// The action on an object.
    package enum Action: String, Sendable, CaseIterable {
        /// The server gets it.
        case create
        /// The server has it otherwise.
        case change
        /// No file describes it, and it is archived.
        case archive
        /// It was changed on the server, too.
        case conflict
        /// The server has it so.
        case unchanged
        /// No file describes it.
        case serverOnly = "server_only"
    }

    /// A request that brings an object on.
    package enum Step: Sendable, Hashable {
        /// Creates or edits it.
        case save
        /// Changes a campaign's status.
        case transition(Campaign.Transition)
        /// Archives or restores a segment.
        case archiveSegment(Bool)
    }

    /// An object of the plan.
    package struct Item: Sendable {
        /// The reference that names it.
        package let reference: ObjectReference
        /// The action on the object.
        package var action: Action
        /// The file that describes it, or `nil` for none.
        package let file: WorkspaceFile?
        /// The object on the server, or `nil` for none.
        package let server: ServerObject?
        /// The object that is to be on the server, or `nil` where no file describes it.
        package let wanted: WorkspaceObject?
        /// The differences of the two.
        package var differences: [FieldDifference] = []
        /// The steps that bring the server to it, in order.
        package var steps: [Step] = []
        /// Whether the steps bring the server to all that the file says.
        package var isWhole = true
    }

    /// The objects, in the order in which they are applied.
    package var items: [Item]

    /// The objects for which something is done.
    package var changes: [Item] { items.filter { [.create, .change, .archive].contains($0.action) } }

    /// The objects that were changed on the server, too.
    package var conflicts: [Item] { items.filter { $0.action == .conflict } }

    /// Whether applying it would change nothing.
    package var isEmpty: Bool { !items.contains { ![.unchanged, .serverOnly].contains($0.action) } }

    /// The plan without launches; who had nothing else to be done is unchanged.
    package var withoutLaunches: WorkspacePlan {
        var plan = self
        for index in plan.items.indices where plan.items[index].steps.contains(.transition(.launch)) {
            plan.items[index].steps.removeAll { $0 == .transition(.launch) }
            plan.items[index].isWhole = false
            if plan.items[index].action == .change, plan.items[index].steps.isEmpty {
                plan.items[index].action = .unchanged
            }
        }
        return plan
    }

    /// The number of objects with an action.
    package func count(_ action: Action) -> Int { items.count { $0.action == action } }
}

extension WorkspacePlan {
    /// The plan by its names in JSON.
    package var json: JSONValue {
        var counts: JSONObject = [:]
        for action in Action.allCases { counts[action.rawValue] = .integer(Int64(count(action))) }
        return ["counts": .object(counts), "objects": .array(items.map(\.json))]
    }

    /// The plan for people: a line an object that isn't unchanged, with its differences below.
    package var lines: [String] {
        let shown = items.filter { $0.action != .unchanged }
        let names = [
            (Action.create, "to create"), (.change, "to change"), (.archive, "to archive"),
            (.conflict, "changed on the server since the pull"), (.unchanged, "unchanged"),
            (.serverOnly, "only on the server"),
        ]
        let counts = names.map { ($1, count($0)) }.filter { $0.1 > 0 }.map { "\($1) \($0)" }
        let launches = items.count { $0.steps.contains(.transition(.launch)) }
        let note = launches > 0 ? ["\(launches) to launch"] : []
        let summary = counts.isEmpty ? "There are no files." : (counts + note).joined(separator: ", ") + "."
        return shown.flatMap(\.lines) + [summary]
    }
}

extension WorkspacePlan.Item {
    fileprivate var json: JSONValue {
        [
            "kind": .string(reference.kind.rawValue), "id": .string(reference.id.text),
            "file": file.map { .string($0.path) } ?? .null, "action": .string(action.rawValue),
            "differences": .array(differences.map(\.json)), "steps": .array(steps.map { .string($0.name) }),
        ]
    }

    fileprivate var lines: [String] {
        let sign =
            switch action {
            case .create: "+"
            case .change: "~"
            case .archive: "-"
            case .conflict: "!"
            case .unchanged: " "
            case .serverOnly: "?"
            }
        let others = steps.filter { $0 != .save }.map(\.name)
        let note = others.isEmpty ? "" : " (\(others.joined(separator: ", ")))"
        let verb = action.rawValue.replacing("_", with: " ")
        return ["\(sign) \(verb) \(reference.text.visible)\(note)"] + differences.flatMap(\.lines).map { "    \($0)" }
    }
}

extension WorkspacePlan.Step {
    /// The display name of the object.
    package var name: String {
        switch self {
        case .save: "save"
        case .transition(.stop(let isWithdrawn)): isWithdrawn ? "stop and withdraw" : "stop"
        case .transition(let transition): transition.name
        case .archiveSegment(let isArchived): isArchived ? "archive" : "restore"
        }
    }
}
