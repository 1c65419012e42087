import CardModel
import CardStore
import Foundation
import GRDB

extension SQLiteCardStore {
    /// The folder that holds the pictures of a database, or of a backup.
    public static func mediaPath(of path: String) -> String { MediaFolder(DatabaseFiles(path)).path }

    /// The pictures of a backup.
    public struct BackedUpPictures: Sendable, Hashable {
        /// The number of files beside the backup.
        public let files: Int
        /// The number of pictures that lack files, because the database's own folder lacks them.
        public let missing: Int
        /// The number of pictures in a bucket, of which nothing was copied.
        public let inBucket: Int
    }
}

extension MediaFolder {
    /// Copies every file of another folder that isn't there yet.
    ///
    /// A picture's file never changes, so that one which is there already is left as it is, unless it has another
    /// number of bytes: then one of the two was cut, and the copy is taken. Copy the database first: a picture that is
    /// uploaded in the meantime is then only in the folder.
    ///
    /// - Returns: The number of files that are here of the other's.
    /// - Throws: `StoreError` where a file can't be read or written.
    func copyAll(from other: MediaFolder) throws(StoreError) -> Int {
        let names = try other.pictureFiles()
        guard !names.isEmpty else { return 0 }
        try createFolder()
        var count = 0
        for name in names {
            // A picture that was deleted since the folder was listed isn't missing.
            guard let contents = try other.contents(of: name) else { continue }
            let file = "\(path)/\(name)"
            if let size = DatabaseFiles.size(of: file), size != Int64(contents.count) {
                try PrivateFile.replace(file, contents: contents)
            } else {
                _ = try PrivateFile.create(file, contents: contents)
            }
            count += 1
        }
        return count
    }

    /// Moves every file to another folder, in which files of the same name are the same, and removes this one.
    func move(to other: MediaFolder) throws(StoreError) {
        guard access(path, F_OK) == 0 else { return }
        if rename(path, other.path) != 0 {
            try other.createFolder()
            for name in try pictureFiles() {
                guard rename("\(path)/\(name)", "\(other.path)/\(name)") == 0 else {
                    throw BackupWriter.unwritable("\(other.path)/\(name)")
                }
            }
            rmdir(path)
        }
        _ = PrivateFile.synchronize(other.path)
    }

    /// Returns the names of the files of pictures; none where there is no folder.
    private func pictureFiles() throws(StoreError) -> [String] {
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT { return [] }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw Self.unreadable(path)
        }
        return names.filter { MediaItem.isID(String($0.prefix(32))) && !$0.hasSuffix(".partial") }
    }

    /// The maximum size of a picture's file, in bytes; a picture that is uploaded has 10 MiB.
    private static let fileBytes = 64 << 20

    /// Reads a file, or returns `nil` where there is none.
    ///
    /// A link is not followed, and nothing but a file is read: whoever can write to the folder of a backup would else
    /// have any file that this account can read among the pictures, which anybody can see.
    private func contents(of name: String) throws(StoreError) -> [UInt8]? {
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw errno == ELOOP ? Self.notAPicture(file) : Self.unreadable(file)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.fileBytes
        else {
            close(descriptor)
            throw Self.notAPicture(file)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            return try handle.readToEnd().map { [UInt8]($0) } ?? []
        } catch {
            throw Self.unreadable(file)
        }
    }

    private static func notAPicture(_ path: String) -> StoreError {
        StoreError(
            .corrupt,
            "\(path) can't be read as a picture: it is a link, no file or too large. So the pictures weren't copied. "
                + "Remove it."
        )
    }

    private static func unreadable(_ path: String) -> StoreError {
        StoreError(
            .unavailable,
            "\(path) can't be read, and so the pictures weren't copied. "
                + "Run this as the account that runs the server, and "
                + "check the disk."
        )
    }
}

extension SQLiteCardStore.BackedUpPictures {
    /// Looks what a copy has of the pictures that are in it.
    ///
    /// - Parameters:
    ///   - copy: The copy, whose pictures lie beside it.
    ///   - source: The database: a picture that was deleted in the meantime isn't missing.
    ///   - files: The number of files beside the copy.
    /// - Throws: What keeps one of the two from being read.
    init(of copy: DatabaseFiles, from source: any DatabaseReader, files: Int) throws {
        let (lacking, _, inBucket) = try QuietReader(copy).read { queue in
            try queue.unsafeRead { try SQLiteCardStore.MissingPictures.find(in: $0, beside: [MediaFolder(copy)]) }
        }
        guard !lacking.isEmpty else {
            self.init(files: files, missing: 0, inBucket: inBucket)
            return
        }
        let present = try source.read { database in
            guard try database.tableExists("media") else { return Set<String>() }
            return try Set(String.fetchCursor(database, sql: "SELECT id FROM media"))
        }
        self.init(files: files, missing: lacking.count { present.contains($0) }, inBucket: inBucket)
    }
}
