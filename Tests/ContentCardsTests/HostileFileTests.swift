import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("Files that another program wrote", .timeLimit(.minutes(20)))
struct HostileFileTests {
    let bed = TestBed()

    private func store() -> ClientStore {
        ClientStore(directory: bed.directory, endpoint: TestBed.endpoint, key: "pk_test") { _ in }
    }

    private func file(_ name: String) throws -> URL {
        try #require(bed.files(named: name).first { $0.lastPathComponent == name })
    }

    private func filled() async throws {
        bed.serve([
            .fixture("a") { $0.extras = ["k": "v"] }, .fixture("b") { $0.expiresAt = Date(timeIntervalSince1970: 2e9) },
        ])
        let client = bed.launch()
        await client.identify("user")
        _ = await client.updates.first { $0.lastSync != nil }
        bed.transport.answer { _ in throw TransportError.unreachable("offline") }
        for number in 0..<5 { client.logEvent("e\(number)") }
        await client.close()
    }

    @Test(
        "with any bytes changed, cut off or put in, checksum right or wrong, end no client and lose only themselves"
    )
    func mutations() async throws {
        try await filled()
        let names = ["feed", "events", "device"]
        let originals = try names.map { try Data(contentsOf: file($0)) }
        var dice = Dice(state: 7)
        for round in 0..<120 {
            let victim = round % 3
            var bytes = originals[victim]
            for _ in 0..<Int.random(in: 1...4, using: &dice) {
                let place = Int.random(in: 0..<bytes.count, using: &dice)
                switch Int.random(in: 0..<4, using: &dice) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &dice)
                case 1: bytes = bytes.prefix(place + 1)
                case 2: bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF], at: place)
                default: bytes.replaceSubrange(place..<min(place + 4, bytes.count), with: [0xFF, 0xFF, 0xFF, 0x7F])
                }
            }
            if round % 2 == 0, let end = bytes.firstIndex(of: UInt8(ascii: "\n")), victim != 1 {
                bytes = Envelope.seal(bytes[(end + 1)...])
            }
            for (index, name) in names.enumerated() {
                let url = try bed.files(named: name).first { $0.lastPathComponent == name } ?? missing(name)
                try (index == victim ? bytes : originals[index]).write(to: url)
            }
            let client = bed.launch()
            _ = client.feed
            await client.identify("user")
            if victim != 0 { #expect(client.feed.count == 2) }
            if victim != 1 { #expect(client.pendingEventCount == 5) }
            #expect(client.logEvent("after"))
            await client.close()
        }
        for name in names { #expect(bed.files(named: name + ".corrupt-").count <= SetAside.limit) }
    }

    private func missing(_ name: String) throws -> URL {
        let root = try #require(bed.files(named: "lock").first).deletingLastPathComponent()
        if name == "device" { return root.appendingPathComponent(name) }
        return root.appendingPathComponent("users/\(FileName.hash("user"))/\(name)")
    }

    @Test("of a feed whose counts are false take no memory for them")
    func counts() throws {
        var writer = ByteWriter()
        writer.write("user")
        writer.write("1.0.0")
        let head = writer.bytes + [0, 0]
        // Given ten million bytes that say they are ten million cards
        let count = withUnsafeBytes(of: UInt32(10_000_000).littleEndian) { Array($0) }
        let body = head + count + [UInt8](repeating: 4, count: 10_000_000)
        body.withUnsafeBytes { bytes in
            _ = #expect(throws: (any Error).self) { try CachedFeed(bytes: bytes) }
        }
    }

    @Test("of a feed hold no dates or ratios that are no numbers, and no more dismissals than are kept")
    func numbers() throws {
        for number in [Double.nan, .infinity, -.infinity] {
            var card = ContentCard.fixture("a")
            card.createdAt = Date(timeIntervalSinceReferenceDate: number)
            var state = FeedState()
            state = FeedState(cards: [card], cursor: nil, lastSync: nil, dismissals: [], reported: [:])
            let bytes = CachedFeed(user: "u", state: state).bytes
            bytes.withUnsafeBytes { bytes in
                _ = #expect(throws: (any Error).self) { try CachedFeed(bytes: bytes) }
            }
        }
        let many = (0..<5_000).map { BytewiseText("\($0)") }
        let state = FeedState(cards: [], cursor: nil, lastSync: nil, dismissals: many, reported: [:])
        #expect(state.dismissals.count == 1_000 && state.dismissals.last == "4999")
    }

    @Test("of a device lose the member that can't be meant, and keep the others")
    func device() throws {
        let cases: [(json: String, user: String?)] = [
            (#"{"deviceID":"d","user":"u","isDisabled":false,"budget":{"limit":7}}"#, "u"),
            (#"{"deviceID":"d","user":"u","isDisabled":"yes","pause":{"seconds":"x"}}"#, "u"),
            (#"{"deviceID":"d","user":"a\u0000b","isDisabled":true}"#, nil), (#"{"deviceID":"d","user":7}"#, nil),
        ]
        for (json, user) in cases {
            let record = try JSONDecoder().decode(DeviceRecord.self, from: Data(json.utf8))
            #expect(record.deviceID == "d" && record.user == user)
        }
        for json in [#"{"deviceID":""}"#, #"{"deviceID":"\u0007"}"#, "{}", "[]"] {
            #expect(throws: (any Error).self) { try JSONDecoder().decode(DeviceRecord.self, from: Data(json.utf8)) }
        }
    }

    @Test("in places where there should be none: folders, links to nowhere and to folders")
    func kinds() async throws {
        try await filled()
        for name in ["feed", "events", "device"] {
            for kind in 0..<3 {
                let url = try missing(name)
                try? FileManager.default.removeItem(at: url)
                switch kind {
                case 0: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
                case 1: try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: "/nowhere/x")
                default: try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: "/")
                }
                let client = bed.launch()
                await client.identify("user")
                #expect(client.logEvent("goes on"))
                #expect(client.pendingEventCount >= 1)
                await client.close()
            }
        }
    }

    @Test("of an event log that names another user than its folder are opened for nobody")
    func foreignLog() async throws {
        try await filled()
        let url = try file("events")
        let other = [JournalRecord.header(user: "victim").line, JournalRecord.settled(through: 0).line].joined()
        try Data(other.utf8).write(to: url)
        let store = store()
        defer { store.release() }
        #expect(store.openJournals().isEmpty)
        #expect(bed.files(named: "events").count == 1)
    }

    @Test("of an event log hold events whose time is no number, or trials that can't be meant, as what is damaged")
    func records() throws {
        let event = LoggedEvent(sequence: 1, id: "1", type: "custom", time: .infinity, members: "")
        #expect(JournalRecord(line: JournalRecord.event(event).line.dropLast().utf8) == nil)
        for text in ["T -1 0 0 0", "T 1 1 99 1", "T 99999999999 5 1 0"] {
            let line = CRC32.text(text.utf8) + " " + text
            guard case .trial(let trial) = JournalRecord(line: line[...].utf8) else {
                Issue.record("\(text) is no trial")
                continue
            }
            #expect(trial.limit == nil || trial.limit == 1)
            #expect(trial.failures < EventTrial.patience)
        }
        for text in ["T", "T 1 2", "T x 1 1 1", "X 1", "T 1 99999999999999999999 1 1"] {
            let line = CRC32.text(text.utf8) + " " + text
            #expect(JournalRecord(line: line[...].utf8) == nil)
        }
        var trial = EventTrial(limit: 1, sequence: 4, failures: 2, isSuspected: true)
        let line = JournalRecord.trial(trial).line.dropLast()
        #expect(JournalRecord(line: line.utf8) == .trial(trial))
        #expect(trial.fail(4) == true)
    }
}
