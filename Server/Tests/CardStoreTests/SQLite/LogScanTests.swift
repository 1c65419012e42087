import CardStoreConformance
import Foundation
import Testing

@testable import SQLiteCardStore

/// Builds write-ahead logs as SQLite's file format describes them.
private struct LogBuilder {
    private(set) var bytes: [UInt8] = []
    private var sum: (first: UInt32, second: UInt32) = (0, 0)
    private let pageBytes: Int
    private let isBigEndian: Bool
    private let salt: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    init(pageBytes: Int, isBigEndian: Bool) {
        (self.pageBytes, self.isBigEndian) = (pageBytes, isBigEndian)
        let magic: UInt32 = isBigEndian ? 0x377F_0683 : 0x377F_0682
        let head = Self.number(magic) + Self.number(3_007_000) + Self.number(UInt32(pageBytes)) + Self.number(0) + salt
        add(head)
        bytes = head + Self.number(sum.first) + Self.number(sum.second)
    }

    /// Appends a frame, the last of a transaction where the database has that many pages after it.
    mutating func append(page: UInt32, pages: UInt32 = 0, mark: UInt32 = 0) {
        var content = [UInt8](repeating: 0x5A, count: pageBytes)
        content.replaceSubrange(60..<64, with: Self.number(mark))
        let head = Self.number(page) + Self.number(pages)
        add(head)
        add(content)
        bytes += head + salt + Self.number(sum.first) + Self.number(sum.second) + content
    }

    private mutating func add(_ bytes: [UInt8]) {
        for place in stride(from: 0, to: bytes.count, by: 8) {
            sum.first = sum.first &+ word(bytes, at: place) &+ sum.second
            sum.second = sum.second &+ word(bytes, at: place + 4) &+ sum.first
        }
    }

    private func word(_ bytes: [UInt8], at place: Int) -> UInt32 {
        let four = Array(bytes[place..<(place + 4)])
        return (isBigEndian ? four : four.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

@Suite("SQLite: the frames of a write-ahead log")
struct LogScanTests {
    private func scan(_ bytes: [UInt8]) throws -> LogScan {
        let path = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)").path
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        return LogScan(path)
    }

    @Test(
        "Of transactions that were committed the marks are read, and how the log ends",
        arguments: [512, 4_096, 65_536],
        [false, true]
    )
    func transactions(pageBytes: Int, isBigEndian: Bool) throws {
        var log = LogBuilder(pageBytes: pageBytes, isBigEndian: isBigEndian)
        log.append(page: 2, pages: 2, mark: 5)
        log.append(page: 1, mark: 7)
        log.append(page: 1, pages: 2, mark: .max)
        let whole = try scan(log.bytes)
        #expect(whole.end == .whole && whole.marks == [7, .max])

        let earlier = log.bytes.suffix(24 + pageBytes)
        let behind = try scan(log.bytes + earlier)
        #expect(behind.end == .unfinished && behind.marks == whole.marks)
        let zeros = try scan(log.bytes + [UInt8](repeating: 0, count: 24 + pageBytes))
        #expect(zeros.end == .blank && zeros.marks == whole.marks)
        var salted = Array(earlier)
        salted[8] = 99
        let former = try scan(log.bytes + salted)
        #expect(former.end == .whole && former.marks == whole.marks)

        log.append(page: 1, mark: 11)
        let open = try scan(log.bytes)
        #expect(open.end == .unfinished && open.marks == whole.marks)
        log.append(page: 3, pages: 3)
        let closed = try scan(log.bytes)
        #expect(closed.end == .whole && closed.marks == [7, 11, .max])
        let cut = try scan(Array(log.bytes.dropLast(10)))
        #expect(cut.end == .unfinished && cut.marks == whole.marks)

        var damaged = log.bytes
        damaged[32 + 24 + 100] ^= 0x55
        let found = try scan(damaged)
        #expect(found.end == .damaged && found.marks.isEmpty)
    }

    @Test("A log without frames, one of another format and none at all have nothing to play")
    func nothing() throws {
        let header = LogBuilder(pageBytes: 4_096, isBigEndian: false).bytes
        let nonsense = LogBuilder(pageBytes: 100, isBigEndian: false).bytes
        for bytes in [[], header, Array(header.prefix(31)), nonsense, [UInt8](repeating: 0x41, count: 9_000)] {
            let found = try scan(bytes)
            #expect(found.end == .whole && found.marks.isEmpty, "\(bytes.count)")
        }
        #expect(LogScan("/none").end == .whole)
    }

    @Test("A log is blank where it begins with zeros", arguments: [(32, true), (56, true), (31, false)])
    func blank(count: Int, isBlank: Bool) async throws {
        try await withFolder { folder in
            let path = folder + "/log"
            try Data(count: count).write(to: URL(fileURLWithPath: path))
            #expect(LogScan.isBlank(path) == isBlank)
            for place in [0, count - 1] {
                var bytes = Data(count: count)
                bytes[place] = 1
                try bytes.write(to: URL(fileURLWithPath: path))
                #expect(!LogScan.isBlank(path), "\(place)")
            }
            #expect(!LogScan.isBlank(path + ".none"))
        }
    }
}
