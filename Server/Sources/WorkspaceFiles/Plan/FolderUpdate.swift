import WireJSON
import WireYAML

/// Finds what brings the files of a folder to what the server has.
package struct FolderUpdate {
    /// The options that a person chose.
    package struct UpdateOptions: Sendable {
        /// Whether the server wins over edits of files.
        package var overwrites = false
        /// Whether files of what the server hasn't are removed.
        package var prunes = false
        /// Whether archived objects get files, too.
        package var includesArchived = false
        /// Whether new files say no status.
        package var omitsStatus = false

        /// Creates the defaults.
        package init() {}
    }

    /// A change of a file.
    package enum Change: Sendable, Hashable {
        /// Writes a file that wasn't there.
        case create(path: String, text: String)
        /// Writes a file in place of another.
        case replace(path: String, text: String)
        /// Removes a file.
        case remove(path: String)

        /// The file's path.
        package var path: String {
            switch self {
            case .create(let path, _), .replace(let path, _), .remove(let path): path
            }
        }

        /// The display name of the object.
        package var name: String {
            switch self {
            case .create: "create"
            case .replace: "change"
            case .remove: "remove"
            }
        }
    }

    /// The changes, in the order of their objects.
    package private(set) var changes: [Change] = []
    /// The problems that keep files from being written.
    package private(set) var problems: [FileProblem] = []
    /// The contents of files and server once all is written.
    package private(set) var results: [(file: WorkspaceObject, server: WorkspaceObject)] = []
    /// The files of what the server hasn't, which stay.
    package private(set) var others: [String] = []

    private let options: UpdateOptions
    private let pulled: PulledState
    private var takenPaths: Set<String>

    /// Finds the changes.
    ///
    /// - Parameters:
    ///   - files: What files describe.
    ///   - server: What the server has of the kinds that are pulled.
    ///   - pulled: What objects were when they were last pulled.
    ///   - options: What a person chose.
    package init(files: [WorkspaceFile], server: ServerState, pulled: PulledState, options: UpdateOptions) {
        self.options = options
        self.pulled = pulled
        takenPaths = Set(files.map { $0.path.lowercased() })
        let known = Dictionary(files.map { ($0.object.reference, $0) }, uniquingKeysWith: { first, _ in first })
        for (reference, object) in server.objects.sorted(by: { $0.key < $1.key }) {
            if let file = known[reference] {
                update(file, to: object.object)
            } else if options.includesArchived || !object.isArchived {
                create(object.object)
            }
        }
        for file in files where server.objects[file.object.reference] == nil {
            if options.prunes { changes.append(.remove(path: file.path)) } else { others.append(file.path) }
        }
    }

    private mutating func create(_ object: WorkspaceObject) {
        let reference = object.reference
        let folder = reference.kind.folder.map { "\($0)/" } ?? ""
        var path = "\(folder)\(ObjectFileName.base(of: reference)).yaml"
        // Where the disk takes a for A, one would replace the other.
        if !takenPaths.insert(path.lowercased()).inserted {
            path = "\(folder)\(ObjectFileName.otherBase(of: reference)).yaml"
            takenPaths.insert(path.lowercased())
        }
        let file = options.omitsStatus ? object.withoutStatus : object.asWritten
        guard let text = text(of: file, at: path) else { return }
        changes.append(.create(path: path, text: text))
        results.append((file, object))
    }

    private mutating func update(_ file: WorkspaceFile, to object: WorkspaceObject) {
        let wanted = fitted(object, to: file.object)
        let differences = FieldDifference.between(server: .object(wanted.members), file: .object(file.object.members))
        if differences.isEmpty { return results.append((file.object, object)) }
        let isEdited = pulled[object.reference].map { $0.file != PulledState.digest(file.object) } ?? true
        if isEdited, !options.overwrites {
            problems.append(
                FileProblem(file.path, "The file and the server differ. Apply it, or pull with --overwrite to lose it.")
            )
            return
        }
        guard let text = text(of: wanted.asWritten, at: file.path) else { return }
        changes.append(.replace(path: file.path, text: text))
        results.append((wanted.asWritten, object))
    }

    /// The object with as much as the file says of it: some settings, or no status.
    private func fitted(_ object: WorkspaceObject, to file: WorkspaceObject) -> WorkspaceObject {
        switch (object.content, file.content) {
        case (.settings(let all), .settings(let some)):
            var members: JSONObject = [:]
            for name in some.keys { members[name] = all[name] ?? .null }
            return WorkspaceObject(object.reference, .settings(members))
        case (.campaign, .campaign(_, nil)): return object.withoutStatus
        case (.segment(_, let isArchived), .segment(_, nil)):
            return isArchived == true && !options.omitsStatus ? object : object.withoutStatus
        default: return object
        }
    }

    /// The text of a file, or `nil` after noting why there can't be one that is read back.
    private mutating func text(of object: WorkspaceObject, at path: String) -> String? {
        let value = object.fileValue
        let text = path.hasSuffix(".json") ? value.prettyText + "\n" : value.yaml
        let again = (try? JSONValue(yaml: text)).flatMap { try? WorkspaceObject(object.reference.kind, json: $0) }
        guard again?.members == object.members, again?.reference == object.reference else {
            problems.append(FileProblem(path, "\(object.reference.text) can't be written as a file."))
            return nil
        }
        return text
    }
}
