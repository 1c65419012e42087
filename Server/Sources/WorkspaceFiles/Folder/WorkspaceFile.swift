import CardModel
import WireJSON
import WireYAML

/// A file that describes an object.
package struct WorkspaceFile: Sendable {
    /// Its path in the folder, such as `campaigns/spring.yaml`.
    package let path: String
    /// Its text.
    package let text: String
    /// The object that it describes.
    package let object: WorkspaceObject

    /// Reads a file's text.
    ///
    /// - Throws: `WorkspaceFileError` with everything that is wrong, by line.
    init(path: String, text: String, kind: ObjectKind) throws(WorkspaceFileError) {
        let json: JSONValue
        do {
            json = try JSONValue(yaml: text)
        } catch {
            throw WorkspaceFileError(problems: [FileProblem(path, line: error.line, error.message)])
        }
        do {
            object = try WorkspaceObject(kind, json: json)
        } catch {
            let broken = BrokenFile(path: path, text: text, kind: kind, json: json, errors: error.errors)
            throw WorkspaceFileError(problems: broken.problems(error.errors), broken: broken)
        }
        self.path = path
        self.text = text
    }

    /// Returns problems with the lines on which they are.
    package func problems(_ errors: [ModelError]) -> [FileProblem] {
        FileProblem.list(errors, path: path, text: text)
    }
}

/// A file with fields that can't be read; the others are held to the rules all the same, so that everything that is
/// wrong is named at once.
package struct BrokenFile: Sendable {
    /// Its path in the folder.
    package let path: String
    /// Its text.
    package let text: String
    /// The kind of object that it was to describe.
    package let kind: ObjectKind
    /// The JSON of the file.
    package let json: JSONValue
    /// The errors in its fields.
    package let errors: [ModelError]

    /// Creates a file.
    init(path: String, text: String, kind: ObjectKind, json: JSONValue, errors: [ModelError]) {
        self.path = path
        self.text = text
        self.kind = kind
        self.json = json
        self.errors = errors
    }

    /// Creates a file that can be read, and not be applied.
    init(_ file: WorkspaceFile, errors: [ModelError]) {
        let reference = file.object.reference
        var members = file.object.members
        if let field = reference.kind.idField { members[field] = .string(reference.id.text) }
        self.init(path: file.path, text: file.text, kind: reference.kind, json: .object(members), errors: errors)
    }

    /// The reference that names the object, or `nil` where the file doesn't say.
    var reference: ObjectReference? {
        guard let field = kind.idField else { return ObjectReference(.settings) }
        return json[field]?.string.map { ObjectReference(kind, $0) }
    }

    /// Returns problems with the lines on which they are.
    func problems(_ errors: [ModelError]) -> [FileProblem] { FileProblem.list(errors, path: path, text: text) }
}

extension FileProblem {
    /// Returns problems of a file with the lines on which they are.
    fileprivate static func list(_ errors: [ModelError], path: String, text: String) -> [FileProblem] {
        let lines = YAMLLines(text)
        return errors.map { FileProblem(path, line: lines.line(of: $0.path), $0.description) }
    }
}

/// Everything that is wrong with a file.
struct WorkspaceFileError: Error {
    let problems: [FileProblem]
    /// The file, where it can be read in part.
    var broken: BrokenFile?
}
