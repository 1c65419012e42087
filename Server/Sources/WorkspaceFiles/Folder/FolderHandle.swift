import Foundation
import WireJSON

/// An open folder, whose files are opened by their names in it: no link is followed, and none leads elsewhere.
package final class FolderHandle: Sendable {
    /// The reason why a file or folder can't be read or written.
    package struct Failure: Error {
        /// The message that says what is wrong, for people.
        package let message: String

        /// Creates a failure.
        package init(message: String) { self.message = message }

        static func system(_ doing: String) -> Failure {
            Failure(message: "\(doing): \(String(cString: strerror(errno)))")
        }
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Opens the folder at a path, which a person gave.
    package static func open(_ path: String) throws(Failure) -> FolderHandle {
        let descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("The folder can't be opened") }
        return FolderHandle(descriptor)
    }

    /// Opens a folder in this one, or returns `nil` where there is none.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - isCreated: Whether it is created where there is none.
    /// - Returns: The folder.
    /// - Throws: `Failure` where it is something else, such as a link.
    package func folder(_ name: String, create isCreated: Bool = false) throws(Failure) -> FolderHandle? {
        if isCreated { mkdirat(descriptor, name, 0o777) }
        let other = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if other < 0, errno == ENOENT { return nil }
        guard other >= 0 else {
            throw Failure(message: "This has to be a folder, and no link to one.")
        }
        return FolderHandle(other)
    }

    /// The names of what is in the folder, in the order of their bytes.
    package func names(limit: Int) throws(Failure) -> [String] {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw .system("The folder can't be read") }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name else { throw Failure(message: "The name of a file in it isn't UTF-8.") }
            if name == "." || name == ".." { continue }
            names.append(name)
            guard names.count <= limit else { throw Failure(message: "At most \(limit) files are read.") }
        }
        return names.sorted { $0.precedesInBytes($1) }
    }

    /// Returns whether something in the folder is a folder itself, and no link to one.
    package func isFolder(_ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Reads a file, or returns `nil` where there is none.
    ///
    /// - Throws: `Failure` where it is something else, such as a link or a pipe, has more bytes than `limit`, or isn't
    ///   UTF-8.
    func read(_ name: String, limit: Int) throws(Failure) -> String? {
        guard let handle = try file(name) else { return nil }
        // safe: a limit is a few megabytes
        guard let data = try? handle.read(upToCount: limit + 1) ?? Data() else {
            throw Failure(message: "The file can't be read.")
        }
        guard data.count <= limit else { throw Failure(message: "The file has more than \(limit) bytes.") }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw Failure(message: "The file isn't UTF-8.")
        }
        return text
    }

    /// Opens a file to be read, or returns `nil` where there is none.
    ///
    /// - Throws: `Failure` where it is something else, such as a link or a pipe.
    package func file(_ name: String) throws(Failure) -> FileHandle? {
        // A pipe would wait for its writer.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if file < 0, errno == ENOENT { return nil }
        guard file >= 0 else {
            guard errno == ELOOP else { throw .system("The file can't be read") }
            throw Failure(message: "This is a link. Links aren't followed: put the file itself here.")
        }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(message: "This is no file.")
        }
        return handle
    }

    /// Creates a file to be written.
    ///
    /// - Throws: `Failure` where something has that name.
    package func create(_ name: String) throws(Failure) -> FileHandle {
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw .system("The file can't be written") }
        return FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }

    /// Writes a file in one step: another process sees the old one or the new one.
    package func write(_ text: String, to name: String) throws(Failure) {
        let draft = ".placard-\(UInt64.random(in: .min ... .max))"
        let handle = try create(draft)
        do {
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
        } catch {
            unlinkat(descriptor, draft, 0)
            throw Failure(message: "The file can't be written. Is the disk full?")
        }
        guard renameat(descriptor, draft, descriptor, name) == 0 else {
            let failure = Failure.system("The file can't be written")
            unlinkat(descriptor, draft, 0)
            throw failure
        }
    }

    /// Removes a file.
    func remove(_ name: String) throws(Failure) {
        guard unlinkat(descriptor, name, 0) == 0 else { throw .system("The file can't be removed") }
    }
}
