import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("Files", .timeLimit(.minutes(20)))
struct StorageTests {
    let bed = TestBed()

    private func filled() async throws {
        bed.serve([.fixture("a")])
        let client = bed.launch()
        await client.identify("a")
        _ = await client.updates.first { $0.lastSync != nil }
        client.logEvent("kept")
        await client.close()
    }

    @Test("that are damaged are set aside and reported; the client starts empty and asks for everything")
    func corruptCache() async throws {
        try await filled()
        for (name, damage) in [("feed", 100), ("feed", 0), ("device", 50)] {
            let file = try #require(bed.files(named: name).first { $0.lastPathComponent == name })
            var bytes = try Data(contentsOf: file)
            bytes[damage] ^= 0x55
            try bytes.write(to: file)
            let reports = Collected<Diagnostic>()
            let client = bed.launch { $0.log = { reports.add($0) } }
            await client.identify("a")
            #expect(reports.all.contains(.fileSetAside(name: name, lostRecords: 1)))
            _ = await client.updates.first { $0.count == 1 }
            await client.close()
        }
        #expect(bed.files(named: "feed.corrupt-").count == 2)
        let firstSyncs = bed.transport.requests(to: "v1/sync").map(SentBody.init).map(\.cursor)
        #expect(firstSyncs.prefix(3) == [nil, nil, nil])
    }

    @Test("that are empty or cut off do no harm", arguments: ["feed", "device", "events"])
    func truncated(name: String) async throws {
        try await filled()
        let file = try #require(bed.files(named: name).first { $0.lastPathComponent == name })
        let bytes = try Data(contentsOf: file)
        for length in [0, 1, bytes.count / 2] {
            try bytes.prefix(length).write(to: file)
            let client = bed.launch()
            await client.identify("a")
            #expect(client.logEvent("after"))
            await client.close()
        }
    }

    @Test("belong to one client: a second one works in memory, says so, and harms nothing")
    func lock() async throws {
        try await filled()
        let first = bed.launch()
        #expect(first.feed.count == 1)
        let reports = Collected<Diagnostic>()
        let second = bed.launch { $0.log = { reports.add($0) } }
        #expect(second.feed.count == 0)
        #expect(reports.all == [.storageUnavailable(reason: "another client uses the same directory")])
        await second.identify("a")
        #expect(second.logEvent("in memory"))
        await second.close()
        await first.close()
        let third = bed.launch()
        #expect(third.feed.count == 1)
    }

    @Test("are free for the next client also while a process that is just being made has the first one's descriptors")
    func inherited() throws {
        let path = bed.directory.appendingPathComponent("lock").path
        try FileManager.default.createDirectory(at: bed.directory, withIntermediateDirectories: true)
        let first = try DirectoryLock(path: path)
        // What a new process has before it begins its program: another descriptor of the same open file.
        let copies = descriptors(of: path).map { dup($0) }
        defer { for copy in copies { close(copy) } }
        #expect(copies.count == 1)
        #expect(throws: FileError.self) { try DirectoryLock(path: path) }
        first.release()
        let second = try DirectoryLock(path: path)
        second.release()
    }

    /// The descriptors of this process that are of a file.
    private func descriptors(of path: String) -> [Int32] {
        var (file, other) = (stat(), stat())
        guard stat(path, &file) == 0 else { return [] }
        return (0..<Int32(4_096)).filter {
            fstat($0, &other) == 0 && other.st_ino == file.st_ino && other.st_dev == file.st_dev
        }
    }

    #if canImport(Darwin)
    @Test("are left out of backups, so that a restored copy of the device does not have its id")
    func backups() async throws {
        try await filled()
        let device = try #require(bed.files(named: "device").first)
        let values = try device.deletingLastPathComponent().resourceValues(forKeys: [.isExcludedFromBackupKey])
        #expect(values.isExcludedFromBackup == true)
    }
    #endif

    @Test("do not mix keys or servers in one directory")
    func otherKey() async throws {
        try await filled()
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .directory(bed.directory)
        configuration.transport = bed.transport
        configuration.clock = bed.clock
        configuration.log = { _ in }
        let other = ContentCardsClient(endpoint: TestBed.endpoint, key: "pk_other", configuration: configuration)
        #expect(other.feed.userID == nil)
        #expect(other.pendingEventCount == 0)
    }

    @Test("are gone after a wipe, with user, events and device id; an empty feed is published")
    func wipe() async throws {
        try await filled()
        let client = bed.launch()
        _ = client.feed
        let before = try Data(contentsOf: #require(bed.files(named: "device").first))
        var updates = client.updates.makeAsyncIterator()
        #expect(await updates.next()?.count == 1)
        await client.wipe()
        let last = try #require(await updates.next())
        #expect(last.cards.isEmpty && last.userID == nil)
        #expect(client.pendingEventCount == 0)
        #expect(try Data(contentsOf: #require(bed.files(named: "device").first)) != before)
        #expect(bed.files(named: "feed").isEmpty && bed.files(named: "events").isEmpty)
        let error = await #expect(throws: ContentCardsError.self) { try await client.refresh() }
        #expect(error?.code == .noUser)
    }

    @Test("hold no images of cards after a wipe, and none while the client is disabled")
    func images() async throws {
        try await filled()
        let client = bed.launch()
        for delete in [ContentCardsClient.disable, ContentCardsClient.wipe] {
            try FileManager.default.createDirectory(at: bed.images, withIntermediateDirectories: true)
            try Data("picture".utf8).write(to: bed.images.appendingPathComponent("a"))
            let removals = ImageRemovals.of(bed.images).count
            await delete(client)()
            #expect(ImageRemovals.of(bed.images).count == removals + 1)
            #expect(!FileManager.default.fileExists(atPath: bed.images.path))
            await client.enable()
        }
    }

    @Test("hold no cards while the client is disabled, which lasts over launches; nothing is sent or logged")
    func disable() async throws {
        try await filled()
        let client = bed.launch()
        var updates = client.updates.makeAsyncIterator()
        #expect(await updates.next()?.count == 1)
        await client.disable()
        #expect(await updates.next()?.count == 0)
        await client.close()
        let requests = bed.transport.requests.count
        let again = bed.launch(sessions: .automatic)
        #expect(again.feed.cards.isEmpty)
        #expect(!again.logEvent("refused"))
        let error = await #expect(throws: ContentCardsError.self) { try await again.refresh() }
        #expect(error?.code == .disabled)
        #expect(bed.transport.requests.count == requests)
        await again.enable()
        try await again.flush()
        // The first client may have begun to send it before it was disabled; then it comes again under its id.
        #expect(Set(bed.sentEvents.compactMap(\.name)) == ["kept"])
        #expect(Set(bed.sentEvents.filter { $0.name == "kept" }.map(\.id)).count == 1)
        #expect(await again.updates.first { $0.count == 1 } != nil)
    }

    /// Puts in the place of a file what no process can read, and returns what brings it back.
    private func hide(_ name: String) throws -> () throws -> Void {
        let file = try #require(bed.files(named: name).first { $0.lastPathComponent == name })
        let hidden = file.appendingPathExtension("hidden")
        try FileManager.default.moveItem(at: file, to: hidden)
        // A link that leads to itself is there, and can't be opened, not even by root.
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: file.path)
        // In one step: a client that looked in between would find no record at all.
        return { try #require(rename(hidden.path, file.path) == 0) }
    }

    @Test("that can't be read for now are left as they are: content cards are off until the record can be read")
    func unreadableDevice() async throws {
        try await filled()
        let device = try Data(contentsOf: #require(bed.files(named: "device").first))
        let bringBack = try hide("device")
        let requests = bed.transport.requests.count
        let reports = Collected<Diagnostic>()
        let client = bed.launch(sessions: .automatic) { $0.log = { reports.add($0) } }
        await client.identify("a")
        #expect(!client.logEvent("unheard"), "The user may have disabled content cards.")
        await client.close()
        #expect(bed.transport.requests.count == requests)
        let reason = reports.all.compactMap { if case .storageUnavailable(let reason) = $0 { reason } else { nil } }
        #expect(reason.first?.contains("until it can be read") == true)
        try bringBack()
        #expect(try Data(contentsOf: #require(bed.files(named: "device").first)) == device)
        let again = bed.launch()
        #expect(again.feed.userID == "a" && again.feed.count == 1)
        #expect(bed.files(named: "device.corrupt-").isEmpty)
    }

    @Test("that can be read after the launch are taken up then, for the user that was named by then, with their token")
    func readableLater() async throws {
        try await filled()
        let device = try #require(bed.transport.requests(to: "v1/sync").first.map(SentBody.init)).device
        let bringBack = try hide("device")
        let client = bed.launch()
        await client.identify("b", token: "of b")
        #expect(!client.logEvent("unheard") && client.feed.cards.isEmpty)
        let count = bed.transport.requests.count
        try bringBack()
        #expect(client.feed.userID == "b")
        #expect(await client.updates.first { $0.lastSync != nil && $0.count == 1 } != nil)
        #expect(client.logEvent("heard"))
        try await client.flush()
        let later = bed.transport.requests.dropFirst(count)
        #expect(later.map(SentBody.init).allSatisfy { $0.device == device })
        #expect(later.filter { SentBody($0).user == "b" }.allSatisfy { $0.headers["Placard-User-Token"] == "of b" })
        #expect(bed.sentEvents.contains { $0.name == "heard" } && !bed.sentEvents.contains { $0.name == "unheard" })
        await client.close()
        // The user of before has what was theirs.
        let again = bed.launch()
        #expect(again.feed.userID == "b" && again.feed.count == 1)
        bed.transport.answer("v1/sync") { _ in throw TransportError.unreachable("offline") }
        await again.identify("a")
        #expect(again.feed.count == 1)
        await again.close()
    }

    @Test("that can be read after the launch have the user of before, but for one who only is the device")
    func readableLaterForNobody() async throws {
        try await filled()
        for isAnonymous in [false, true] {
            let bringBack = try hide("device")
            let client = bed.launch()
            if isAnonymous { await client.identifyAnonymously() }
            #expect(client.feed.cards.isEmpty)
            try bringBack()
            #expect(client.feed.userID == "a" && client.feed.count == 1)
            #expect(client.logEvent("heard"))
            await client.close()
        }
    }

    @Test("that can be read after the launch say that content cards are disabled, or what the app has said since")
    func disabledLater() async throws {
        try await filled()
        let first = bed.launch()
        await first.disable()
        await first.close()
        for (isEnabled, heard) in [(false, false), (true, true)] {
            let bringBack = try hide("device")
            let client = bed.launch()
            #expect(client.feed.cards.isEmpty)
            if isEnabled { await client.enable() }
            try bringBack()
            #expect(client.logEvent("x") == heard && client.userID == "a")
            await client.close()
        }
    }

    @Test("that can be read after a wipe are deleted then, and the device has another id")
    func wipedBefore() async throws {
        try await filled()
        let bringBack = try hide("device")
        let client = bed.launch()
        await client.wipe()
        let device = client.deviceID
        try bringBack()
        #expect(client.userID == nil && client.feed.cards.isEmpty && client.deviceID == device)
        #expect(bed.files(named: "feed").isEmpty && bed.files(named: "events").isEmpty)
        await client.identify("a")
        #expect(client.logEvent("heard"))
        await client.close()
        #expect(bed.launch().deviceID == device)
    }

    @Test("have events that were logged while they could not be read behind those that they had")
    func addedLater() throws {
        let file = try JournalFile()
        var journal = file.open()
        try journal.append(LoggedEvent(sequence: 1, id: "old", type: "custom", time: 1, members: ""), dropping: 0)
        let queue = EventQueue(journals: [], limit: 10, report: { _ in }, opener: { Journal(inMemoryFor: $0) })
        for (id, user) in [("1", "u"), ("2", "u"), ("3", "v")] {
            #expect(queue.append(.custom("x", [:]), id: id, at: 0, user: user))
        }
        queue.reopen([file.open()])
        #expect(queue.pending(user: "u").map(\.id) == ["old", "1", "2"])
        #expect(file.open().pending == queue.pending(user: "u"))
        #expect(queue.pending(user: "v").map(\.id) == ["3"])
    }

    @Test("of a feed or of events that can't be read for now lose nothing", arguments: ["feed", "events"])
    func unreadable(name: String) async throws {
        bed.serve([.fixture("a")])
        let first = bed.launch()
        await first.identify("a")
        _ = await first.updates.first { $0.lastSync != nil }
        bed.transport.answer { _ in throw TransportError.unreachable("offline") }
        first.logEvent("kept")
        await first.close()
        let file = try #require(bed.files(named: name).first { $0.lastPathComponent == name })
        let bytes = try Data(contentsOf: file)
        let bringBack = try hide(name)
        let reports = Collected<Diagnostic>()
        let client = bed.launch { $0.log = { reports.add($0) } }
        #expect(client.logEvent("in memory"))
        // The folder of a user who is forgotten is removed, unless what it has can't be seen.
        for number in 0..<20 { await client.identify("other-\(number)") }
        await client.close()
        #expect(reports.all.contains { if case .storageUnavailable = $0 { true } else { false } })
        try bringBack()
        #expect(try Data(contentsOf: file) == bytes)
        #expect(bed.files(named: "\(name).corrupt-").isEmpty)
        let again = bed.launch()
        #expect(again.pendingEventCount >= 1)
    }

    @Test("that cannot be written are reported, and the client works on in memory")
    func unwritable() async throws {
        bed.serve([.fixture("a")])
        let reports = Collected<Diagnostic>()
        try Data().write(to: bed.directory)
        let client = bed.launch { $0.log = { reports.add($0) } }
        await client.identify("a")
        #expect(await client.updates.first { $0.count == 1 } != nil)
        #expect(client.logImpression(cardID: "a"))
        try await client.flush()
        #expect(bed.sentEvents.map(\.type) == ["impression"])
        #expect(reports.all.contains { if case .storageUnavailable = $0 { true } else { false } })
    }
}
