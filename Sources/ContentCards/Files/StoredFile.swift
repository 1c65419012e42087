import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Reads the SDK's files as if anybody had written them: what is no file, or larger than it can be, is not read.
enum StoredFile {
    case missing
    /// Something is there that is no file, or larger than it can be.
    case unusable
    /// It can't be read for now, and may be whole: a device that has not been unlocked since its start, no descriptor
    /// left.
    case unreadable(FileError)
    case contents(Data)

    /// The most bytes of a feed.
    static let feedLimit = 64 * 1024 * 1024
    /// The most bytes of an event log: more than 10,000 events of the largest size take.
    static let eventsLimit = 256 * 1024 * 1024

    /// Reads a file, if it is one and not too large.
    ///
    /// - Parameters:
    ///   - path: the file; a link counts as what it leads to.
    ///   - limit: the most bytes that it may have.
    ///   - count: the most bytes that are read, from its beginning; by default all.
    /// - Returns: the contents, or why there are none.
    static func read(path: String, limit: Int, count: Int = .max) -> StoredFile {
        // A pipe without a writer is opened at once in this way, and refused below.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            return errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(FileError("open", errno))
        }
        defer { close(descriptor) }
        // A pipe has no end to look for, and a folder has one that no file has.
        guard let size = Int(exactly: lseek(descriptor, 0, SEEK_END)), (0...limit).contains(size),
            lseek(descriptor, 0, SEEK_SET) == 0
        else { return .unusable }
        var data = Data(count: min(size, count))
        switch data.withUnsafeMutableBytes({ fill($0, from: descriptor) }) {
        // safe: as much as was read
        case .success(let length): return .contents(data.prefix(length))
        case .failure(EISDIR): return .unusable
        case .failure(let code): return .unreadable(FileError("read", code))
        }
    }

    private enum Filling {
        case success(Int)
        case failure(Int32)
    }

    /// Reads until there is no more, or no room for it.
    ///
    /// Returns the number of bytes.
    private static func fill(
        _ bytes: UnsafeMutableRawBufferPointer,
        from descriptor: Int32
    ) -> Filling {
        var length = 0
        while length < bytes.count {
            // safe: the length is below the count
            let count = systemRead(descriptor, bytes.baseAddress?.advanced(by: length), bytes.count - length)
            if count == 0 { break }
            if count < 0 {
                guard errno == EINTR else { return .failure(errno) }
                continue
            }
            length += count  // safe: no more is read than there is room for
        }
        return .success(length)
    }

    /// The contents; `nil` where there are none that can be read.
    var data: Data? {
        if case .contents(let data) = self { data } else { nil }
    }

    /// Whether something is there that is no file of ours.
    var isUnusable: Bool {
        if case .unusable = self { true } else { false }
    }

    /// The reason why it can't be read for now; `nil` where it can, or isn't there.
    var obstacle: FileError? {
        if case .unreadable(let failure) = self { failure } else { nil }
    }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

/// Renames damaged files, so that they can be looked at and are never read again.
enum SetAside {
    /// The maximum number of damaged files of each name that are kept; the oldest make room.
    static let limit = 3

    /// Renames a file.
    static func move(path: String) {
        removeOldest(path: path)
        let stamp = Date().unixMilliseconds
        rename(path, "\(path).corrupt-\(stamp)")
    }

    private static func removeOldest(path: String) {
        let url = URL(fileURLWithPath: path)
        let prefix = url.lastPathComponent + ".corrupt-"
        let directory = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        // Stamps of the same length sort as their numbers do, for the next two centuries.
        for name in names.filter({ $0.hasPrefix(prefix) }).sorted().dropLast(limit - 1) {
            try? FileManager.default.removeItem(at: directory.appendingPathComponent(name))
        }
    }
}
