import CardModel
import Foundation
import WireJSON

/// A folder with a file for each object of a workspace.
///
///     settings.yaml
///     campaigns/spring.yaml
///     content-blocks/footer.yaml
///     content-types/coupon_code.yaml
///     segments/loyal.yaml
package struct WorkspaceFolder: Sendable {
    /// The maximum number of bytes in a file.
    package static let maximumFileBytes = 1 << 20

    /// The contents that were read.
    package struct Contents: Sendable {
        /// The files, in the order of their objects.
        package var files: [WorkspaceFile] = []
        /// The files that can be read in part.
        package var broken: [BrokenFile] = []
        /// Everything that is wrong with files.
        package var problems: [FileProblem] = []
    }

    private let root: FolderHandle

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - isCreated: Whether it is created where there is none.
    /// - Returns: The folder.
    /// - Throws: `FileProblem` where there is none that can be read.
    package static func open(_ path: String, create isCreated: Bool = false) throws(FileProblem) -> WorkspaceFolder {
        if isCreated { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        do {
            return WorkspaceFolder(root: try FolderHandle.open(path))
        } catch {
            throw FileProblem(path, error.message)
        }
    }

    /// Reads the files of some kinds.
    ///
    /// Nothing is passed over that may have been meant: a folder of another name, or a second file of an object, is a
    /// problem. What begins with a dot isn't looked at, and neither are files of other kinds, such as a README.
    package func read(_ kinds: Set<ObjectKind>) -> Contents {
        var reader = FolderReader(root: root, kinds: kinds)
        reader.read()
        return reader.contents
    }

    // MARK: Writing

    /// Writes the file of an object.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - path: The path in the folder.
    /// - Throws: `FileProblem` where it can't be written.
    package func write(_ text: String, to path: String) throws(FileProblem) {
        try change(path, create: true) { folder, name throws(FolderHandle.Failure) in try folder.write(text, to: name) }
    }

    /// Removes a file.
    ///
    /// - Throws: `FileProblem` where it can't be removed.
    package func remove(_ path: String) throws(FileProblem) {
        try change(path, create: false) { folder, name throws(FolderHandle.Failure) in try folder.remove(name) }
    }

    /// Reads a file that describes no object.
    func text(at path: String) throws(FileProblem) -> String? {
        var text: String?
        try change(path, create: false) { folder, name throws(FolderHandle.Failure) in
            text = try folder.read(name, limit: 64 << 20)
        }
        return text
    }

    private func change(
        _ path: String,
        create isCreated: Bool,
        _ body: (FolderHandle, String) throws(FolderHandle.Failure) -> Void
    ) throws(FileProblem) {
        let parts = path.split(at: "/", maxSplits: 1).map(String.init)
        do throws(FolderHandle.Failure) {
            guard parts.count == 2, let folder = parts.first, let name = parts.last else { return try body(root, path) }
            guard let folder = try root.folder(folder, create: isCreated) else { return }
            try body(folder, name)
        } catch {
            throw FileProblem(path, error.message)
        }
    }
}
