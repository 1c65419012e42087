import CardModel
import WireJSON

extension WorkspaceObject {
    /// The object as a file of it says it: times that people can read, and nothing that says no more than its absence.
    package var fileValue: JSONValue {
        var members: JSONObject = [:]
        if let field = reference.kind.idField { members[field] = .string(reference.id.text) }
        switch content {
        case .settings(let settings): members = settings
        case .contentType(let schema): members.merge(schema.object ?? [:]) { first, _ in first }
        case .contentBlock(let block):
            if !block.description.isEmpty { members["description"] = .string(block.description) }
            members["content"] = .string(block.content)
        case .segment(let content, let isArchived):
            if isArchived == true { members["archived"] = true }
            let lean = Self.lean(content.json) { (try? Segment.SegmentContent(json: .object($0))) == content }
            members.merge(lean) { first, _ in first }
        case .campaign(let content, let state):
            state?.write(to: &members)
            let lean = Self.lean(content.json) { (try? Campaign.Content.read(.object($0))) == content }
            members.merge(lean) { first, _ in first }
        }
        return .object(members)
    }

    /// Returns the members that say the same with as little as possible, as reading them shows.
    private static func lean(_ members: JSONObject, isSame: (JSONObject) -> Bool) -> JSONObject {
        for candidate in [stripped(timed(.object(members))), timed(.object(members)), .object(members)] {
            if let object = candidate.object, isSame(object) { return object }
        }
        return members
    }

    private static let timeNames: Set<String> = ["start_at", "end_at", "expires_at"]

    private static func timed(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(timed))
        case .object(let members):
            var result: JSONObject = [:]
            for (name, member) in members {
                if timeNames.contains(name), let seconds = member.double, Timestamp.range.contains(seconds),
                    Timestamp.unixTime(of: Timestamp.text(of: seconds)) == seconds
                {
                    result[name] = .string(Timestamp.text(of: seconds))
                } else {
                    result[name] = timed(member)
                }
            }
            return .object(result)
        default: return value
        }
    }

    private static func stripped(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(stripped))
        case .object(let members):
            var result: JSONObject = [:]
            for (name, member) in members {
                let lean = stripped(member)
                // Any of nothing is no one, and nothing is everyone.
                if !isEmpty(lean) || name == "any" { result[name] = lean }
            }
            return .object(result)
        default: return value
        }
    }

    private static func isEmpty(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool(false): true
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        default: false
        }
    }
}
