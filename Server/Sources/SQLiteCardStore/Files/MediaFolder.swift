import CardModel
import CardStore
import Foundation

/// The folder beside a database that holds the bytes of its pictures.
///
/// Each size is one file, which is written whole and never changes. Folder and files belong to the account that runs
/// the server alone.
struct MediaFolder: Sendable {
    let path: String

    /// Names the folder of a database; it is created with the first picture.
    init(_ files: DatabaseFiles) { path = files.main + ".media" }

    /// Writes the sizes of a picture, and returns once they are on the disk.
    func write(_ files: [MediaFile], of id: String) throws(StoreError) {
        guard !files.isEmpty else { return }
        try createFolder()
        for file in files { try PrivateFile.replace(name(id, file.width), contents: file.bytes) }
    }

    /// Returns how many bytes a size has, or `nil` where there is none.
    func size(_ id: String, width: Int) -> Int? {
        guard MediaItem.isID(id) else { return nil }
        return DatabaseFiles.size(of: name(id, width)).flatMap { Int(exactly: $0) }
    }

    /// Reads a size, or returns `nil` where there is none.
    func read(_ id: String, width: Int) -> [UInt8]? {
        // safe: not below 0
        size(id, width: width).flatMap { read(id, width: width, in: 0..<$0) }
    }

    /// Reads a part of a size, or returns `nil` where there is none.
    func read(_ id: String, width: Int, in range: Range<Int>) -> [UInt8]? {
        guard MediaItem.isID(id), let offset = UInt64(exactly: range.lowerBound),
            let file = FileHandle(forReadingAtPath: name(id, width))
        else { return nil }
        defer { try? file.close() }
        do {
            try file.seek(toOffset: offset)
            return try file.read(upToCount: range.count).map { [UInt8]($0) } ?? []
        } catch {
            return nil
        }
    }

    /// Whether a size is there.
    func contains(_ file: MediaFile, of id: String) -> Bool {
        DatabaseFiles.size(of: name(id, file.width)) == Int64(file.bytes.count)
    }

    /// Whether all sizes of a picture are there, with as many bytes as its row says.
    func isComplete(_ item: MediaItem) -> Bool {
        var bytes = 0
        for width in item.widths {
            guard let size = size(item.id, width: width) else { return false }
            let (sum, overflows) = bytes.addingReportingOverflow(size)
            guard !overflows else { return false }
            bytes = sum
        }
        return bytes == item.bytes
    }

    /// The error where a picture was removed while it was added.
    static let lost = StoreError(.unavailable, "The picture was removed at the same time. Upload it again.")

    /// Removes the sizes of a picture.
    func remove(_ item: MediaItem) {
        guard MediaItem.isID(item.id) else { return }
        for width in item.widths { unlink(name(item.id, width)) }
    }

    /// The time for which a file may be there before its picture's row is, in seconds.
    private static let unfinishedTime = 3_600.0

    /// Removes files of pictures that the database doesn't have: what a process left that ended between file and row.
    func removeStrays(but ids: Set<String>) {
        for path in strays(but: ids) { unlink(path) }
    }

    /// Returns the files of pictures that the database doesn't have, but for those that may just be written.
    func strays(but ids: Set<String>) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let others = names.sorted().filter { $0.hasSuffix(".partial") || !ids.contains(String($0.prefix(32))) }
        return others.map { "\(path)/\($0)" }.filter { file in
            var status = stat()
            guard lstat(file, &status) == 0 else { return false }
            return Date().timeIntervalSince1970 - Double(status.st_mtim.tv_sec) > Self.unfinishedTime
        }
    }

    private func name(_ id: String, _ width: Int) -> String { "\(path)/\(id)-\(width)" }

    func createFolder() throws(StoreError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw StoreError(.unavailable, "\(path) can't be created. Check that its folder is writable and has room.")
        }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if folder >= 0 {
            // One that was there stays whose it is: it's root's only where root has created it.
            FileOwner.inherit(folder, at: path)
            close(folder)
        }
        _ = PrivateFile.synchronize(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }
}
