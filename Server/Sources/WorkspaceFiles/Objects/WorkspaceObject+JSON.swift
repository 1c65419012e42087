import CardModel
import WireJSON

/// Everything that is wrong in the description of an object.
package struct ObjectError: Error, Sendable, Hashable {
    /// The errors, at least one.
    package let errors: [ModelError]

    init(_ code: ModelError.Code, at path: String, _ message: String) {
        errors = [ModelError(code, at: path, message)]
    }

    /// Creates an error of several.
    package init(_ errors: [ModelError]) { self.errors = errors }
}

extension WorkspaceObject {
    /// Reads the description of an object: what a file says, or what the API answers.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - json: The object.
    /// - Throws: `ObjectError` that names each wrong field.
    package init(_ kind: ObjectKind, json: JSONValue) throws(ObjectError) {
        guard json.object != nil else { throw ObjectError(.fieldInvalid, at: "", "An object is expected.") }
        var parts = ObjectParts()
        let object =
            switch kind {
            case .settings: Self.settings(json, &parts)
            case .contentType: Self.contentType(json, &parts)
            case .contentBlock: Self.contentBlock(json, &parts)
            case .segment: Self.segment(json, &parts)
            case .campaign: Self.campaign(json, &parts)
            }
        guard parts.errors.isEmpty, let object else {
            let unknown = ModelError(.fieldInvalid, at: "", "This can't be read.")
            throw ObjectError(parts.errors.isEmpty ? [unknown] : parts.errors)
        }
        self = object
    }

    private static func settings(_ json: JSONValue, _ parts: inout ObjectParts) -> WorkspaceObject? {
        // A file says some of them; whether they go together is known where the others are.
        parts.read { try refuseUnknown(json, known: Settings.fieldNames) }
        var members = json.object ?? [:]
        if let url = members["jwks_url"], !url.isNull {
            // The server fetches them, again and again.
            members["jwks"] = nil
        }
        return WorkspaceObject(ObjectReference(.settings), .settings(members))
    }

    private static func contentType(_ json: JSONValue, _ parts: inout ObjectParts) -> WorkspaceObject? {
        parts.read { try refuseUnknown(json, known: ["class_type", "fields", "updated_at"]) }
        for (index, field) in (json["fields"]?.array ?? []).enumerated() where field.object != nil {
            let place = "fields[\(index)]."
            parts.read { try refuseUnknown(field, known: ["name", "type", "required", "values"], at: place) }
        }
        let id = parts.read { try Self.id(json, .contentType) }
        guard let schema = parts.read({ try ContentSchema.read(json) }), let id else { return nil }
        return WorkspaceObject(ObjectReference(.contentType, id), .contentType(schema))
    }

    private static func contentBlock(_ json: JSONValue, _ parts: inout ObjectParts) -> WorkspaceObject? {
        parts.read { try refuseUnknown(json, known: ["name", "content", "description", "updated_at"]) }
        let name = parts.read { try Self.id(json, .contentBlock) }
        // Where the name can't be read, what else is wrong still can.
        let block = parts.read { try ContentBlock.read(name: name ?? "a", json: json, updatedAt: 0) }
        guard let name, let block else { return nil }
        return WorkspaceObject(ObjectReference(.contentBlock, name), .contentBlock(block))
    }

    private static func segment(_ json: JSONValue, _ parts: inout ObjectParts) -> WorkspaceObject? {
        let content = parts.read { try Segment.SegmentContent.read(json, allowing: Segment.keptFieldNames) }
        let id = parts.read { try slug(json, .segment) }
        let isArchived: Bool? = parts.read { try bool("archived", json) } ?? nil
        let version: Int64? = parts.read { try Self.version(json) } ?? nil
        guard let content, let id else { return nil }
        return WorkspaceObject(
            ObjectReference(.segment, id),
            .segment(content, isArchived: isArchived),
            version: version
        )
    }

    private static func campaign(_ json: JSONValue, _ parts: inout ObjectParts) -> WorkspaceObject? {
        let content = parts.read { try Campaign.Content.read(json, allowing: Campaign.keptFieldNames) }
        let id = parts.read { try slug(json, .campaign) }
        let isWithdrawn: Bool? = parts.read { try bool("withdrawn", json) } ?? nil
        let state: WrittenStatus? = parts.read { try Self.state(json, isWithdrawn: isWithdrawn ?? false) } ?? nil
        let version: Int64? = parts.read { try Self.version(json) } ?? nil
        guard let content, let id else { return nil }
        return WorkspaceObject(ObjectReference(.campaign, id), .campaign(content, state), version: version)
    }

    private static func state(_ json: JSONValue, isWithdrawn: Bool) throws -> WrittenStatus? {
        guard let value = json["status"], !value.isNull else {
            if isWithdrawn { throw ObjectError(.fieldMissing, at: "status", "Withdrawn is what a status adds to.") }
            return nil
        }
        guard let status = value.string.flatMap(Campaign.Status.init(rawValue:)) else {
            let known = Campaign.Status.allCases.map(\.rawValue).joined(separator: ", ")
            throw ObjectError(.fieldInvalid, at: "status", "There is no such status. Known: \(known).")
        }
        if isWithdrawn, status != .stopped, status != .archived {
            throw ObjectError(.fieldInvalid, at: "withdrawn", "Only a campaign that has ended can be withdrawn.")
        }
        return WrittenStatus(status, isWithdrawn: isWithdrawn)
    }

    /// Returns an id that fits a path and a file name.
    private static func slug(_ json: JSONValue, _ kind: ObjectKind) throws -> String {
        let id = try id(json, kind)
        guard CampaignID(checking: id) != nil else { throw idError }
        return id
    }

    private static var idError: ObjectError {
        ObjectError(.fieldInvalid, at: "id", "1 to 64 letters, digits, _, - and . are expected.")
    }

    private static func id(_ json: JSONValue, _ kind: ObjectKind) throws -> String {
        let field = kind.idField ?? ""
        guard let value = json[field], !value.isNull else {
            throw ObjectError(.fieldMissing, at: field, "This field is required: by it the object is found again.")
        }
        guard let id = value.string else { throw ObjectError(.fieldInvalid, at: field, "A string is expected.") }
        return id
    }

    private static func bool(_ name: String, _ json: JSONValue) throws -> Bool? {
        guard let value = json[name], !value.isNull else { return nil }
        guard let bool = value.bool else { throw ObjectError(.fieldInvalid, at: name, "true or false is expected.") }
        return bool
    }

    private static func version(_ json: JSONValue) throws -> Int64? {
        guard let value = json["version"], !value.isNull else { return nil }
        guard let version = value.integer, version > 0 else {
            throw ObjectError(.fieldInvalid, at: "version", "A whole number from 1 is expected.")
        }
        return version
    }

    private static func refuseUnknown(_ json: JSONValue, known: Set<String>, at place: String = "") throws {
        let unknown = (json.object?.keys ?? []).filter { !known.contains($0) }
        guard !unknown.isEmpty else { return }
        let names = known.sorted().joined(separator: ", ")
        throw ObjectError(
            unknown.map { ModelError(.fieldUnknown, at: place + $0, "There is no such field. Known here: \(names).") }
        )
    }
}

/// Reads an object part by part, and goes on where one can't be read.
private struct ObjectParts {
    /// Everything that was wrong, a place once.
    private(set) var errors: [ModelError] = []

    /// Returns a part, or `nil` after noting why it can't be read.
    @discardableResult
    mutating func read<Part>(_ part: () throws -> Part) -> Part? {
        do {
            return try part()
        } catch let error as ObjectError {
            note(error.errors)
        } catch let errors as ModelErrors {
            note(errors.all)
        } catch let error as ModelError {
            note([error])
        } catch {
            note([ModelError(.fieldInvalid, at: "", "This can't be read.")])
        }
        return nil
    }

    private mutating func note(_ new: [ModelError]) {
        for error in new where !errors.contains(where: { $0.path == error.path }) { errors.append(error) }
    }
}
