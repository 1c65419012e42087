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
        do {
            switch kind {
            case .settings: self = try Self.settings(json)
            case .contentType: self = try Self.contentType(json)
            case .contentBlock: self = try Self.contentBlock(json)
            case .segment: self = try Self.segment(json)
            case .campaign: self = try Self.campaign(json)
            }
        } catch let error as ObjectError {
            throw error
        } catch let errors as ModelErrors {
            throw ObjectError(errors.all)
        } catch let error as ModelError {
            throw ObjectError([error])
        } catch {
            throw ObjectError(.fieldInvalid, at: "", "This can't be read.")
        }
    }

    private static func settings(_ json: JSONValue) throws -> WorkspaceObject {
        // A file says some of them; whether they go together is known where the others are.
        try refuseUnknown(json, known: Settings.fieldNames)
        var members = json.object ?? [:]
        if let url = members["jwks_url"], !url.isNull {
            // The server fetches them, again and again.
            members["jwks"] = nil
        }
        return WorkspaceObject(ObjectReference(.settings), .settings(members))
    }

    private static func contentType(_ json: JSONValue) throws -> WorkspaceObject {
        try refuseUnknown(json, known: ["class_type", "fields", "updated_at"])
        for (index, field) in (json["fields"]?.array ?? []).enumerated() where field.object != nil {
            try refuseUnknown(field, known: ["name", "type", "required", "values"], at: "fields[\(index)].")
        }
        let schema = try ContentSchema.stored(json)
        return WorkspaceObject(ObjectReference(.contentType, try id(json, .contentType)), .contentType(schema))
    }

    private static func contentBlock(_ json: JSONValue) throws -> WorkspaceObject {
        try refuseUnknown(json, known: ["name", "content", "description", "updated_at"])
        let name = try id(json, .contentBlock)
        let block = try ContentBlock(name: name, json: json, updatedAt: 0)
        return WorkspaceObject(ObjectReference(.contentBlock, name), .contentBlock(block))
    }

    private static func segment(_ json: JSONValue) throws -> WorkspaceObject {
        let content = try Segment.Content(json: json, allowing: Segment.keptFieldNames)
        let id = try id(json, .segment)
        guard SegmentID(checking: id) != nil else { throw idError }
        let isArchived = try bool("archived", json)
        return WorkspaceObject(
            ObjectReference(.segment, id),
            .segment(content, isArchived: isArchived),
            version: try version(json)
        )
    }

    private static func campaign(_ json: JSONValue) throws -> WorkspaceObject {
        let content = try Campaign.Content.read(json, allowing: Campaign.keptFieldNames)
        let id = try id(json, .campaign)
        guard CampaignID(checking: id) != nil else { throw idError }
        return WorkspaceObject(
            ObjectReference(.campaign, id),
            .campaign(content, try state(json)),
            version: try version(json)
        )
    }

    private static func state(_ json: JSONValue) throws -> WrittenStatus? {
        let isWithdrawn = try bool("withdrawn", json) ?? false
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
