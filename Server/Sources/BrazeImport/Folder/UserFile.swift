import Foundation
import WorkspaceFiles

/// The file of users, which is written as they are read.
struct UserFile {
    /// The size of the piece that is written at once, in bytes.
    private static let pieceSize = 1 << 18

    private let folder: FolderHandle
    private var handle: FileHandle?
    private var pending = Data()
    /// The error that keeps the file from being written; nothing is written after it.
    private(set) var failure: FolderHandle.Failure?

    /// Creates a file that is there once a user is written.
    init(folder: FolderHandle) { self.folder = folder }

    /// Writes a line.
    mutating func write(_ line: [UInt8]) {
        pending.append(contentsOf: line)
        pending.append(UInt8(ascii: "\n"))
        if pending.count >= Self.pieceSize { flush() }
    }

    /// Writes what is left.
    mutating func flush() {
        guard !pending.isEmpty, failure == nil else { return }
        do {
            let handle = try handle ?? folder.create(ExportImport.usersName)
            self.handle = handle
            try handle.write(contentsOf: pending)
        } catch let error as FolderHandle.Failure {
            failure = error
        } catch {
            failure = FolderHandle.Failure(message: "The file can't be written. Is the disk full?")
        }
        pending.removeAll(keepingCapacity: true)
    }
}
