import Foundation

/// Reads the heads of a write-ahead log's frames, as SQLite's file format describes them.
enum LogScan {
    private static let headerBytes = 32
    private static let frameHeaderBytes = 24
    /// Frames that are looked at, at most.
    private static let frames = 1 << 22

    /// Whether the frames of the present generation end within one, or without the commit of a transaction.
    static func endsUnfinished(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard let header = read(headerBytes, at: 0, of: descriptor) else { return false }
        let salt = header.dropFirst(16).prefix(8)
        let pageBytes = number(header.dropFirst(8).prefix(4))
        guard (512...65_536).contains(pageBytes) else { return false }
        var isCommitted = true
        var offset = headerBytes
        for _ in 0..<frames {
            guard let frame = read(frameHeaderBytes, at: offset, of: descriptor),
                frame.dropFirst(8).prefix(8).elementsEqual(salt)
            else { break }
            offset += frameHeaderBytes + pageBytes
            guard read(1, at: offset - 1, of: descriptor) != nil else { return true }
            isCommitted = number(frame.dropFirst(4).prefix(4)) != 0
        }
        return !isCommitted
    }

    private static func read(_ count: Int, at offset: Int, of descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
