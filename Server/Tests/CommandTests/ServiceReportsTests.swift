import CommandSettings
import Foundation
import Synchronization
import Testing

@testable import PlacardCommands

/// A clock on which nobody waits, and on which waiting fails after so many times.
private final class EndingClock: Clock {
    private let left: Mutex<Int>
    let now = ContinuousClock.now
    let minimumResolution = Duration.zero

    init(_ count: Int) { left = Mutex(count) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try left.withLock { left in
            guard left > 0 else { throw CancellationError() }
            left -= 1
        }
    }
}

@Suite("A service manager")
struct ServiceReportsTests {
    private let messages = Messages()

    private final class Messages: Sendable {
        private let all = Mutex<[String]>([])

        var texts: [String] { all.withLock { $0 } }
        func add(_ text: String) { all.withLock { $0.append(text) } }
    }

    private func reports(looks: Int) -> ServiceReports {
        ServiceReports(
            ServiceManager(environment: ["NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": "2000000"], processID: 1),
            notifier: ServiceNotifier { [messages] text in messages.add(text) },
            clock: EndingClock(looks)
        )
    }

    /// What was said beside signs of life.
    private var said: [String] { messages.texts.filter { $0 != "WATCHDOG=1" } }

    @Test("hears that a server is ready when it is, and gives it the time until then")
    func ready() async {
        let answers = Mutex<[String?]>([nil, "disk:\nfull", "disk:\nfull", nil, nil])
        await reports(looks: 4).watch(address: "A", beat: {}, failure: { answers.withLock { $0.popLast() ?? nil } })
        #expect(
            said == [
                "READY=1\nSTATUS=Listening on A", "STATUS=Not ready: disk: full", "STATUS=Listening on A",
            ]
        )
        #expect(messages.texts.count { $0 == "WATCHDOG=1" } == 5)
    }

    @Test("waits no longer than half a minute for a server that isn't ready")
    func neverReady() async {
        await reports(looks: 40).watch(address: "A", beat: {}, failure: { "disk: full" })
        #expect(said.count == 30)
        #expect(said.dropLast().allSatisfy { $0 == "STATUS=Not ready: disk: full\nEXTEND_TIMEOUT_USEC=60000000" })
        #expect(said.last == "READY=1\nSTATUS=Not ready: disk: full")
    }

    @Test("gets no sign of life of a server of which a thread is stuck")
    func stuck() async {
        let reports = reports(looks: 4)
        let (beats, beat) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let watching = Task {
            await reports.watch(
                address: "A",
                beat: { [messages] in
                    guard messages.texts.count(where: { $0 == "WATCHDOG=1" }) == 2 else { return }
                    beat.finish()
                    for await _ in ends {}
                },
                failure: { nil }
            )
        }
        for await _ in beats {}
        #expect(messages.texts.count { $0 == "WATCHDOG=1" } == 2)
        end.finish()
        await watching.value
        #expect(messages.texts.count { $0 == "WATCHDOG=1" } == 5)
    }

    @Test("hears that settings are read again, and then how the server is")
    func reload() async {
        let reports = reports(looks: 1)
        reports.reload {}
        #expect(said.isEmpty)
        let answers = Mutex<[String?]>(["disk: full", nil])
        await reports.watch(address: "A", beat: {}, failure: { answers.withLock { $0.popLast() ?? nil } })
        reports.reload { messages.add("body") }
        #expect(said.suffix(3).first?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true)
        #expect(said.suffix(2) == ["body", "READY=1\nSTATUS=Not ready: disk: full"])
    }

    @Test("hears nothing more of a server that stops but that it lives")
    func stopping() async {
        let reports = reports(looks: 3)
        reports.stop()
        await reports.start()
        await reports.watch(address: "A", beat: {}, failure: { nil })
        reports.reload {}
        #expect(said == ["STOPPING=1\nSTATUS=Stopping: requests that came are answered"])
        #expect(messages.texts.count > 1)
    }

    @Test("gets messages at a path and at a name that isn't in the file system", arguments: [true, false])
    func socket(isPath: Bool) throws {
        let folder = isPath ? FileManager.default.temporaryDirectory.path + "/" : "@"
        let name = folder + "placard-\(UUID().uuidString.prefix(8))"
        defer { unlink(name) }
        let receiver = try #require(DatagramSocket(name))
        ServiceNotifier(ServiceManager(environment: ["NOTIFY_SOCKET": name], processID: 1)).ready("A")
        #expect(receiver.receive() == "READY=1\nSTATUS=A")
        // One that isn't there is no failure.
        ServiceNotifier(ServiceManager(environment: ["NOTIFY_SOCKET": name + "x"], processID: 1)).ready("A")
    }
}

/// A socket that takes messages.
private final class DatagramSocket {
    private let descriptor: Int32

    init?(_ name: String) {
        #if canImport(Darwin)
        let kind = SOCK_DGRAM
        #else
        let kind = Int32(SOCK_DGRAM.rawValue)
        #endif
        descriptor = Foundation.socket(AF_UNIX, kind, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(name.utf8)
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + path.count } ?? 0)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
        guard isBound else { return nil }
    }

    deinit { close(descriptor) }

    func receive() -> String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
