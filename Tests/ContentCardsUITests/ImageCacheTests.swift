import ContentCards
import Foundation
import Testing

@testable import BrowserUIKit
@testable import ContentCardsUI

@Suite("Images on the disk")
struct ImageDiskTests {
    private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private let freshness = ImageFreshness(expires: Date(timeIntervalSince1970: 1_790_000_000))
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://images.example/1.png?a=b"))
    }

    private func file(_ name: String) -> URL { directory.appendingPathComponent(name) }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name).path) }

    /// Puts a file of so many bytes into the directory, which take no room, as if it had been written some time ago.
    private func put(_ name: String, bytes: UInt64, age: TimeInterval) throws {
        try Data().write(to: file(name))
        let handle = try FileHandle(forWritingTo: file(name))
        try handle.truncate(atOffset: bytes)
        try handle.close()
        try FileManager.default.setAttributes([.modificationDate: Date() - age], ofItemAtPath: file(name).path)
    }

    @Test("come back byte for byte, with line ends in them, and by their whole address")
    func roundTrip() async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let disk = ImageDisk(directory: directory)
        var freshness = freshness
        freshness.entityTag = "\"v1\""
        for data in [Data("\n\n{}\n".utf8), Data(), Data([0, 10, 255])] {
            await disk.write(data, freshness, for: url)
            let copy = try #require(await disk.read(url))
            #expect(copy.data == data)
            #expect(copy.freshness == freshness)
        }
        let other = try #require(URL(string: "https://images.example/1.png?a=c"))
        #expect(await disk.read(other) == nil)
        await disk.remove(url)
        #expect(await disk.read(url) == nil)
    }

    @Test(
        "are none where something else has written the file",
        arguments: ["", "\n", "{}\nimage", "no line", "{\"expires\":\"soon\"}\nimage", "\u{0}\u{0}"]
    )
    func damaged(content: String) async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data(content.utf8).write(to: file(ImageDisk.name(of: url)))
        let disk = ImageDisk(directory: directory)
        #expect(await disk.read(url) == nil)
        await disk.write(Data("new".utf8), freshness, for: url)
        #expect(await disk.read(url)?.data == Data("new".utf8))
    }

    @Test("whose first line never ends are not searched for its end")
    func endlessLine() async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let head = try JSONEncoder().encode(freshness)
        func read(spaces: Int) async throws -> Data? {
            let content = head + Data(repeating: UInt8(ascii: " "), count: spaces) + Data("\nimage".utf8)
            try content.write(to: file(ImageDisk.name(of: url)))
            return await ImageDisk(directory: directory).read(url)?.data
        }
        #expect(try await read(spaces: 3_000) == Data("image".utf8))
        #expect(try await read(spaces: 4_096) == nil)
    }

    @Test("make room for new ones: the oldest go once all are more than 100 MB")
    func limit() async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try put("oldest", bytes: 10, age: 3_000)
        try put("old", bytes: 60_000_000, age: 2_000)
        try put("newer", bytes: 50_000_000, age: 1_000)
        let disk = ImageDisk(directory: directory)
        await disk.write(Data("image".utf8), freshness, for: url)
        #expect(await disk.read(url) != nil)
        #expect(exists("newer"))
        #expect(!exists("old"))
        #expect(!exists("oldest"))
    }

    @Test("are none where there is no directory and can be none")
    func unwritable() async throws {
        let taken = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: taken) }
        try Data("a file".utf8).write(to: taken)
        let disk = ImageDisk(directory: taken.appendingPathComponent("images"))
        await disk.write(Data("image".utf8), freshness, for: url)
        #expect(await disk.read(url) == nil)
        #expect(try Data(contentsOf: taken) == Data("a file".utf8))
    }
}

@MainActor
@Suite("Images in memory")
struct ImageMemoryTests {
    private func key(_ name: String, _ width: Int) throws -> ImageKey {
        ImageKey(try #require(URL(string: "https://images.example/\(name).png")), width: width)
    }

    /// An image that takes 400 bytes for each ten of its width.
    private func image(_ width: UInt8) throws -> UIImage {
        try #require(UIImage(data: ScriptedImages.image(width, 10)))
    }

    @Test("share a width with those that are a little narrower, and have none beyond the widest")
    func widths() throws {
        func decoded(_ asked: [Int]) throws -> [Int] { try asked.map { try key("a", $0).width } }
        #expect(try decoded([1, 128, 129, 256, 257]) == [128, 128, 256, 256, 512])
        #expect(try decoded([CardImageLoader.usualWidth]) == [CardImageLoader.usualWidth])
        #expect(try decoded([4_096, 4_097, .max]) == [4_096, 4_096, 4_096])
        #expect(try decoded([0, -5, .min]) == [128, 128, 128])
    }

    @Test("stay for as long as they are used: the ones that were not for longest go first")
    func leastRecentlyUsed() throws {
        var memory = ImageMemory(limit: 1_200)
        let keys = try ["a", "b", "c", "d"].map { try key($0, 100) }
        for key in keys.prefix(3) { memory.keep(try image(10), for: key) }
        _ = memory.image(for: keys[0])
        memory.keep(try image(10), for: keys[3])
        #expect(keys.map { memory.image(for: $0) != nil } == [true, false, true, true])
    }

    @Test("count once where one takes the place of another of the same address and width")
    func replaced() throws {
        var memory = ImageMemory(limit: 1_000)
        let keys = try ["a", "b"].map { try key($0, 100) }
        for _ in 0..<10 { memory.keep(try image(10), for: keys[0]) }
        memory.keep(try image(15), for: keys[1])
        #expect(keys.map { memory.image(for: $0) != nil } == [true, true])
        // It alone is too much, and what it was to replace is old.
        memory.keep(try image(100), for: keys[0])
        #expect(keys.map { memory.image(for: $0) != nil } == [false, true])
        memory.keep(try image(10), for: keys[0])
        #expect(keys.map { memory.image(for: $0) != nil } == [true, true])
    }

    @Test("do for what is narrower, the narrowest first, and never for what is wider")
    func wider() throws {
        var memory = ImageMemory(limit: 100_000)
        memory.keep(try image(20), for: try key("a", 512))
        memory.keep(try image(30), for: try key("a", 2_048))
        memory.keep(try image(40), for: try key("b", 4_096))
        let asked = try [100, 513, 2_049].map { try key("a", $0) }
        #expect(asked.map { memory.image(for: $0)?.size.width } == [20, 30, nil])
        let (known, unknown) = (asked[0].url, try key("c", 1).url)
        #expect(memory.widestImage(for: known)?.size.width == 30)
        #expect(memory.widestImage(for: unknown) == nil)
    }

    @Test("pass by every cache where the address says so, and only there")
    func bypass() throws {
        func bypasses(_ query: String) throws -> Bool {
            CardImageLoader.bypassesCache(try #require(URL(string: "https://images.example/a.png" + query)))
        }
        for query in ["?cache=false", "?a=b&cache=false", "?cache=true&cache=false"] { #expect(try bypasses(query)) }
        for query in ["", "?cache", "?cache=", "?cache=False", "?xcache=false", "#cache=false", "?a=cache=false"] {
            #expect(try !bypasses(query), "\(query)")
        }
    }
}

@Suite("Copies of images")
struct ImageFreshnessTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    @Test("keep their validators where an answer leaves them out, and take the new ones where it has them")
    func renewal() {
        var copy = ImageFreshness(expires: now)
        (copy.entityTag, copy.lastModified) = ("\"1\"", "yesterday")
        let silent = copy.renewed(by: ImageFreshness(headers: ["cache-control": "max-age=60, no-store"], at: now))
        #expect(silent.entityTag == "\"1\"")
        #expect(silent.lastModified == "yesterday")
        #expect(silent.expires == now + 60)
        #expect(!silent.isStorable)
        let telling = copy.renewed(by: ImageFreshness(headers: ["etag": "\"2\""], at: now))
        #expect(telling.entityTag == "\"2\"")
        #expect(telling.lastModified == "yesterday")
    }

    @Test("are good before the moment at which they end, and not at it")
    func end() {
        let freshness = ImageFreshness(headers: ["cache-control": "max-age=60"], at: now)
        #expect(freshness.isGood(at: now + 59.9))
        #expect(!freshness.isGood(at: now + 60))
        let year = ImageFreshness(headers: ["cache-control": "max-age=31536001"], at: now)
        #expect(year.isGood(at: now))
        // A clock that was set back since.
        #expect(!year.isGood(at: now - 1))
    }

    @Test("go by the first of two directives of a name, and by no more than a thousand characters")
    func directives() {
        func lifetime(_ control: String) -> TimeInterval {
            ImageFreshness(headers: ["cache-control": control], at: now).expires.timeIntervalSince(now)
        }
        #expect(lifetime("max-age=60, max-age=5") == 60)
        #expect(lifetime(",,=,max-age=60") == 60)
        #expect(lifetime(String(repeating: "a,", count: 500) + "max-age=60") == ImageFreshness.usual)
    }

    @Test("of images in their own address are good for long, and on no disk")
    func withinAddress() async throws {
        let url = try #require(URL(string: "data:image/png;base64,aGVsbG8="))
        let reply = try await URLSessionImages().fetch(ImageRequest(url))
        guard case .image(let data, let freshness) = reply else {
            Issue.record("No copy was sent.")
            return
        }
        #expect(data == Data("hello".utf8))
        #expect(!freshness.isStorable)
        #expect(freshness.expires.timeIntervalSinceNow > ImageFreshness.longest - 3_600)
        #expect(try await URLSessionImages().data(from: url, isFresh: true) == data)
    }

    @Test(
        "are never made of files and programs",
        arguments: ["file:///etc/passwd", "ftp://images.example/a.png", "data:text/html;base64,aGVsbG8=", "a.png"]
    )
    func refused(address: String) async throws {
        let url = try #require(URL(string: address))
        await #expect(throws: (any Error).self) { try await URLSessionImages().fetch(ImageRequest(url)) }
    }
}
