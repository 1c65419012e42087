import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("The formats of files")
struct FileFormatTests {
    @Test(
        "name a user's folder as they always did, so that an update finds it, and by the bytes of the id",
        arguments: [
            ("", "cbf29ce48422232584222325cbf29ce4"), ("a", "af63dc4c8601ec8c789e3e398d3ff5ff"),
            ("user-1", "f84ba2aa754a4bd4f24d6c60e8f5f177"), ("caf\u{E9}", "48e8823acfa40d89cb5ab6869ceeb43a"),
            ("cafe\u{301}", "14ecc3ece0723bb73a5ff0aebb8c8152"),
        ]
    )
    func names(text: String, name: String) {
        #expect(FileName.hash(text) == name)
    }

    @Test("have the checksum of ISO 3309, in eight digits")
    func checksums() {
        // Computed with another program.
        #expect(CRC32.text([UInt8]()) == "00000000" && CRC32.text("a".utf8) == "e8b7be43")
        #expect(CRC32.text("123456789".utf8) == "cbf43926" && CRC32.text("665".utf8) == "00081566")
        #expect(CRC32.text((0..<256).map { UInt8($0) }) == "29058c73")
        // What has no storage of its own is the same.
        #expect(CRC32.checksum("123456789".utf8.lazy.map { $0 }) == "123456789".utf8CRC32)
    }

    @Test("write numbers and texts as they always did")
    func bytes() {
        var writer = ByteWriter()
        writer.write(UInt32(0x0102_0304))
        writer.write(UInt64.max - 1)
        writer.write(1.0)
        writer.write("é")
        writer.write(optional: String?.none) { $0.write($1) }
        writer.write(optional: "") { $0.write($1) }
        writer.write(list: [UInt32(7)]) { $0.write($1) }
        let numbers: [UInt8] = [4, 3, 2, 1, 254, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]
        #expect(writer.bytes == numbers + [2, 0, 0, 0, 0xC3, 0xA9, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0])
    }

    private func cached() -> CachedFeed {
        let card = ContentCard.fixture("caf\u{E9}") {
            ($0.kind, $0.extras) = (.unknown("x"), ["a": "", "\u{0}": "\n", "e\u{301}": "日本"])
            ($0.image, $0.domain, $0.language) = ("", nil, "ja")
            ($0.priority, $0.imageAspectRatio) = (.min, .leastNonzeroMagnitude)
            ($0.expiresAt, $0.isTest, $0.isViewed) = (Date(timeIntervalSince1970: -1e12), true, true)
        }
        let state = FeedState(
            cards: [card, .fixture("")],
            cursor: "",
            lastSync: Date(timeIntervalSinceReferenceDate: 0.1),
            dismissals: ["e\u{301}", "\u{E9}"],
            reported: ["e\u{301}": 1, "\u{E9}": .max]
        )
        return CachedFeed(user: "u\u{301}", state: state)
    }

    private func parse(_ bytes: some Collection<UInt8>) -> CachedFeed? {
        Array(bytes).withUnsafeBytes { try? CachedFeed(bytes: $0) }
    }

    @Test("of a feed give back every value as it was, and none where a byte is missing at the end")
    func feeds() throws {
        let cached = cached()
        let bytes = cached.bytes
        let read = try #require(parse(bytes))
        #expect(read.state == cached.state && read.user.hasSameBytes(as: "u\u{301}") && read.cursor == "")
        #expect(read.dismissals == ["e\u{301}", "\u{E9}"] && read.reported.count == 2)
        #expect(read.cards.first { $0.kind == .unknown("x") }?.extras["\u{0}"] == "\n")
        for count in 0..<bytes.count { #expect(parse(bytes.prefix(count)) == nil, "\(count) bytes") }
    }

    @Test("of a feed that was changed anywhere, checksum right, are read as some feed that can be written, or none")
    func changed() {
        let bytes = cached().bytes
        for index in bytes.indices {
            for value: UInt8 in [0, 1, 2, 0x7F, 0x80, 0xFF] {
                var damaged = bytes
                damaged[index] = value
                guard let read = parse(damaged) else { continue }
                let again = parse(CachedFeed(user: read.user, state: read.state).bytes)
                #expect(again?.state == read.state, "byte \(index)")
                #expect(read.state.visible(at: Date(timeIntervalSince1970: 0)).count <= 2)
            }
        }
    }

    @Test("begin with their version and checksum, and are nothing where a byte of these is another one")
    func envelopes() {
        let sealed = Envelope.seal(Array("body\n".utf8))
        #expect(sealed.prefix(10) == Data("placard 1 ".utf8) && sealed.suffix(6) == Data("\nbody\n".utf8))
        let open = { (data: Data) in Envelope.open(data) { Array($0) } }
        #expect(open(sealed) == Array("body\n".utf8))
        #expect(open(Envelope.seal([UInt8]())) == [] && open(Data()) == nil && open(Data("\n".utf8)) == nil)
        for index in sealed.indices {
            var damaged = sealed
            damaged[index] ^= 0x20
            #expect(open(damaged) == nil, "byte \(index)")
            #expect(open(sealed.prefix(index)) == nil, "\(index) bytes")
        }
        #expect(open(sealed + [0]) == nil)
        // A slice has other indices than what it is a slice of.
        #expect(open((Data("x".utf8) + sealed).dropFirst()) == Array("body\n".utf8))
    }

    @Test("are read up to a limit, from a beginning of any length, and not where they are something else")
    func stored() throws {
        let bed = TestBed()
        try FileManager.default.createDirectory(at: bed.directory, withIntermediateDirectories: true)
        let path = bed.directory.appendingPathComponent("file").path
        #expect(StoredFile.read(path: path, limit: 3).data == nil && !StoredFile.read(path: path, limit: 3).isUnusable)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        #expect(StoredFile.read(path: path, limit: 3).data == Data([1, 2, 3]))
        #expect(StoredFile.read(path: path, limit: 2).isUnusable)
        #expect(StoredFile.read(path: path, limit: 3, count: 2).data == Data([1, 2]))
        #expect(StoredFile.read(path: path, limit: 3, count: 0).data == Data())
        // What is below a file is missing, as what is below nothing is.
        #expect(StoredFile.read(path: path + "/x", limit: 3).obstacle == nil)
    }

    @Test("that are set aside are three of a name at most, the newest, and others are left")
    func setAside() throws {
        let bed = TestBed()
        try FileManager.default.createDirectory(at: bed.directory, withIntermediateDirectories: true)
        let path = bed.directory.appendingPathComponent("feed").path
        for stamp in 1_000_000_000_001...1_000_000_000_005 {
            try Data("\(stamp)".utf8).write(to: URL(fileURLWithPath: "\(path).corrupt-\(stamp)"))
        }
        try Data().write(to: URL(fileURLWithPath: "\(path)s.corrupt-1"))
        try Data("new".utf8).write(to: URL(fileURLWithPath: path))
        SetAside.move(path: path)
        let kept = bed.files(named: "feed.corrupt-").map(\.lastPathComponent).sorted()
        #expect(kept.prefix(2) == ["feed.corrupt-1000000000004", "feed.corrupt-1000000000005"] && kept.count == 3)
        #expect(bed.files(named: "feeds.corrupt-1").count == 1 && !FileManager.default.fileExists(atPath: path))
    }
}
