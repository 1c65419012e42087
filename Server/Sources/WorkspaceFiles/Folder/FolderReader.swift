import WireJSON

/// Reads the files of a folder, and notes what is wrong with each.
struct FolderReader {
    /// The maximum number of files of a kind.
    private static let maximumFiles = 20_000
    /// The maximum number of bytes in all files together.
    private static let maximumBytes = 256 << 20

    let root: FolderHandle
    let kinds: Set<ObjectKind>
    /// The contents that were read.
    private(set) var contents = WorkspaceFolder.Contents()
    private var bytes = 0

    init(root: FolderHandle, kinds: Set<ObjectKind>) {
        self.root = root
        self.kinds = kinds
    }

    /// Reads all of it.
    mutating func read() {
        for name in names(in: root, at: ".") { readTop(name) }
        contents.files.sort { $0.object.reference < $1.object.reference }
        noteDuplicates()
        contents.problems.sort()
    }

    /// Returns the names of what isn't hidden in a folder.
    private mutating func names(in folder: FolderHandle, at path: String) -> [String] {
        do {
            return try folder.names(limit: Self.maximumFiles).filter { !$0.starts(withBytesOf: ".") }
        } catch {
            note(path, error.message)
            return []
        }
    }

    private mutating func readTop(_ name: String) {
        let folders = ObjectKind.allCases.compactMap(\.folder).sorted().joined(separator: ", ")
        if let base = ObjectFileName.base(of: name) {
            guard base == "settings" else { return note(name, "Only settings.yaml stands here. Folders: \(folders).") }
            if kinds.contains(.settings) { readFile(name, in: root, at: name, .settings) }
        } else if let kind = ObjectKind.allCases.first(where: { $0.folder == name }) {
            if kinds.contains(kind) { readFolder(name, kind) }
        } else if root.isFolder(name) {
            note(name, "There is no such kind of object. Folders: \(folders).")
        }
    }

    private mutating func readFolder(_ name: String, _ kind: ObjectKind) {
        do {
            guard let folder = try root.folder(name) else { return }
            for file in names(in: folder, at: name) {
                if ObjectFileName.base(of: file) != nil {
                    readFile(file, in: folder, at: "\(name)/\(file)", kind)
                } else if folder.isFolder(file) {
                    note("\(name)/\(file)", "Folders in here aren't read.")
                }
            }
        } catch {
            note(name, error.message)
        }
    }

    private mutating func readFile(_ name: String, in folder: FolderHandle, at path: String, _ kind: ObjectKind) {
        do {
            guard let text = try folder.read(name, limit: WorkspaceFolder.maximumFileBytes) else { return }
            bytes += text.utf8.count
            guard bytes <= Self.maximumBytes else {
                return note(path, "All files together have more than \(Self.maximumBytes) bytes.")
            }
            contents.files.append(try WorkspaceFile(path: path, text: text, kind: kind))
        } catch let error as FolderHandle.Failure {
            note(path, error.message)
        } catch let error as WorkspaceFileError {
            contents.problems.append(contentsOf: error.problems)
            if let broken = error.broken { contents.broken.append(broken) }
        } catch {
            note(path, "The file can't be read.")
        }
    }

    /// Notes each file of an object of which there is another one.
    private mutating func noteDuplicates() {
        let whole = contents.files.map { (reference: $0.object.reference, path: $0.path) }
        let broken = contents.broken.compactMap { file in file.reference.map { (reference: $0, path: file.path) } }
        // The sort is stable: the first file by its path stays the first.
        let files = [whole, broken].joined().sorted { $0.path.precedesInBytes($1.path) }
            .sorted { $0.reference < $1.reference }
        for (first, second) in zip(files, files.dropFirst()) where first.reference == second.reference {
            note(second.path, "\(first.path) describes \(second.reference.text.visible), too.")
        }
    }

    private mutating func note(_ path: String, _ message: String) {
        contents.problems.append(FileProblem(path, message))
    }
}
