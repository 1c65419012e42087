import CardModel
import WireJSON
import WireYAML

/// A file that describes an object.
package struct WorkspaceFile: Sendable {
    /// Its path in the folder, such as `campaigns/spring.yaml`.
    package let path: String
    /// Its text.
    package let text: String
    /// What it describes.
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
            throw WorkspaceFileError(problems: Self.problems(error.errors, path: path, text: text))
        }
        self.path = path
        self.text = text
    }

    /// Returns problems with the lines on which they are.
    package func problems(_ errors: [ModelError]) -> [FileProblem] {
        Self.problems(errors, path: path, text: text)
    }

    private static func problems(_ errors: [ModelError], path: String, text: String) -> [FileProblem] {
        let lines = YAMLLines(text)
        return errors.map { FileProblem(path, line: lines.line(of: $0.path), $0.description) }
    }
}

/// Everything that is wrong with a file.
struct WorkspaceFileError: Error {
    let problems: [FileProblem]
}
