import Foundation
import Liquid
import WireJSON
import WireYAML
import WorkspaceFiles

/// Turns a folder with answers of Braze's public API into files that `placard apply` and `placard users import` take.
///
/// It reads files and asks no server. What an export can't say is left for a person: it stands in a report, and beside
/// each object in its file.
package struct ExportImport {
    /// The name of the folder that is applied.
    package static let workspaceName = "workspace"
    /// The name of the file of users.
    package static let usersName = "users.jsonl"
    /// The name of the report.
    package static let reportName = "report.txt"

    private let includesArchived: Bool
    private let filters: [LiquidFilter]

    /// Creates an import.
    ///
    /// - Parameters:
    ///   - includesArchived: Whether campaigns that are archived are taken over, too.
    ///   - filters: The filters of templates beyond those of the dialect.
    package init(includesArchived: Bool, filters: [LiquidFilter]) {
        self.includesArchived = includesArchived
        self.filters = filters
    }

    /// Reads an export, and writes what it means into a new folder.
    ///
    /// - Parameters:
    ///   - source: The folder with the export.
    ///   - target: A folder that isn't there, or is empty.
    /// - Returns: The result.
    /// - Throws: `FileProblem` where one of the folders can't be read or written.
    package func run(from source: String, to target: String) throws(FileProblem) -> ImportReport {
        let root = try Self.open(source)
        let folder = try Self.create(target, outside: source)
        var report = ImportReport()
        var reader = ExportFolder(users: UserFile(folder: folder))
        do {
            try reader.read(root, &report)
        } catch {
            throw FileProblem(Self.usersName, error.message)
        }
        try write(reader.workspace, to: target, &report)
        do {
            try folder.write(report.text, to: Self.reportName)
        } catch {
            throw FileProblem(Self.reportName, error.message)
        }
        return report
    }

    private static func open(_ path: String) throws(FileProblem) -> FolderHandle {
        do {
            return try FolderHandle.open(path)
        } catch {
            throw FileProblem(path, error.message)
        }
    }

    /// Creates the target, which must be no place from which the export is read.
    private static func create(_ path: String, outside source: String) throws(FileProblem) -> FolderHandle {
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let folder = try open(path)
        guard !isIn(path, source) else {
            throw FileProblem(path, "This is in the folder of the export. Choose another one.")
        }
        let names: [String]
        do {
            names = try folder.names(limit: 1)
        } catch {
            names = [path]
        }
        guard names.isEmpty else { throw FileProblem(path, "This folder isn't empty. Choose another one.") }
        return folder
    }

    /// Returns whether a folder is another one, or lies in it, whatever links lead there.
    private static func isIn(_ path: String, _ other: String) -> Bool {
        func parts(_ name: String) -> [String] {
            let real = realpath(name, nil)
            defer { free(real) }
            return URL(filePath: real.map { String(cString: $0) } ?? name).pathComponents
        }
        return parts(path).starts(with: parts(other))
    }

    private func write(
        _ workspace: WorkspaceReading,
        to target: String,
        _ report: inout ImportReport
    ) throws(FileProblem) {
        let folder = try WorkspaceFolder.open("\(target)/\(Self.workspaceName)", create: true)
        var workspace = workspace
        var paths: Set<String> = []
        for result in workspace.finish(includesArchived: includesArchived, filters: filters, &report) {
            let reference = result.object.reference
            let path = Self.path(of: reference, &paths)
            guard let text = Self.text(of: result) else {
                report.omit(result.source.source, "\(reference.text) can't be written as a file.")
                continue
            }
            try folder.write(text, to: path)
            report.entries.append(
                ImportReport.Entry(
                    file: path,
                    name: result.source.name,
                    source: result.source.source,
                    originalID: result.source.originalID,
                    id: reference.id.text,
                    remarks: result.remarks
                )
            )
        }
    }

    private static func path(of reference: ObjectReference, _ taken: inout Set<String>) -> String {
        let folder = reference.kind.listName
        let path = "\(folder)/\(ObjectFileName.base(of: reference)).yaml"
        // Where the disk takes a for A, one would replace the other.
        if taken.insert(path.lowercased()).inserted { return path }
        return "\(folder)/\(ObjectFileName.otherBase(of: reference)).yaml"
    }

    /// The text of a file, with what is to be done by hand above it; `nil` where it couldn't be read back.
    private static func text(of result: WorkspaceReading.Result) -> String? {
        let body = result.object.withoutStatus.fileValue.yaml
        let original = result.source.originalID.map { " (\($0))" } ?? ""
        let remarks = ["From \(result.source.source)\(original)."] + result.remarks
        let comments = remarks.map { "# \(ImportReport.line($0))\n" }.joined()
        return [comments + body, body].first { text in
            let again = try? WorkspaceObject(result.object.reference.kind, json: JSONValue(yaml: text))
            return text.utf8.count <= WorkspaceFolder.maximumFileBytes && again?.reference == result.object.reference
                && again?.members == result.object.withoutStatus.members
        }
    }
}
