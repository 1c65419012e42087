import ContentCards
import Foundation

/// Measures the SDK as an app would feel it: from `init` to the first cached feed, a log call, and memory.
///
/// Beside each stands what no implementation could be quicker than on the same machine in the same run.
@main
struct SDKBenchmark {
    static let cardCount = 250
    static let starts = 30
    static let logCalls = 5_000

    static func main() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "placard-sdk-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let reply = CannedServer.feed(of: cardCount)
        try await fillCache(in: directory, from: reply)

        let memoryBefore = residentMemory()
        let coldStarts = try await measureStarts(in: directory)
        let memoryAfter = residentMemory()
        row("init → first cached feed of \(cardCount) cards", coldStarts, unit: "ms", scale: 1e3)
        row("  reading those bytes from the disk", measureReading(reply, in: directory), unit: "ms", scale: 1e3)

        let client = makeClient(directory, Data())
        let card = try await firstCard(of: client)
        let calls = measure(logCalls) { client.logImpression(card) }
        row("a log call (durable against kill -9)", calls, unit: "µs", scale: 1e6)
        row("  appending those bytes with write(2)", try measureAppending(in: directory), unit: "µs", scale: 1e6)
        await client.close()
        print("resident memory: \(memoryBefore / 1024) KiB before, \(memoryAfter / 1024) KiB after \(starts) starts")
    }

    // MARK: Client

    static func makeClient(_ directory: URL, _ reply: Data) -> ContentCardsClient {
        var configuration = ContentCardsClient.Configuration()
        configuration.storage = .directory(directory.appending(path: "client"))
        configuration.transport = CannedServer(body: reply)
        configuration.isLiveEnabled = false
        configuration.flushDelay = 3600
        configuration.log = { _ in }
        return ContentCardsClient(endpoint: CannedServer.endpoint, key: "pk_bench", configuration: configuration)
    }

    static func fillCache(in directory: URL, from reply: Data) async throws {
        let client = makeClient(directory, reply)
        await client.identify("bench")
        _ = try await firstCard(of: client)
        await client.close()
    }

    static func firstCard(of client: ContentCardsClient) async throws -> ContentCard {
        for await feed in client.updates {
            if let card = feed.cards.first, feed.count == cardCount { return card }
        }
        throw CancellationError()
    }

    static func measureStarts(in directory: URL) async throws -> [Double] {
        var times: [Double] = []
        for _ in 0..<starts {
            let start = ContinuousClock.now
            let client = makeClient(directory, Data())
            _ = try await firstCard(of: client)
            times.append(start.duration(to: .now) / .seconds(1))
            await client.close()
        }
        return times
    }

    // MARK: What they are compared with

    static func measureReading(_ reply: Data, in directory: URL) -> [Double] {
        let file = directory.appending(path: "plain.json")
        try? reply.write(to: file)
        return measure(starts) { _ = try? Data(contentsOf: file) }
    }

    static func measureAppending(in directory: URL) throws -> [Double] {
        let path = directory.appending(path: "plain.log").path
        let descriptor = open(path, O_CREAT | O_WRONLY | O_APPEND, 0o600)
        defer { close(descriptor) }
        let record = [UInt8](repeating: UInt8(ascii: "x"), count: 160)
        return measure(logCalls) { _ = write(descriptor, record, record.count) }
    }

    static func measure(_ count: Int, _ body: () -> Void) -> [Double] {
        (0..<count).map { _ in
            let start = ContinuousClock.now
            body()
            return start.duration(to: .now) / .seconds(1)
        }
    }

    // MARK: Printing

    static func row(_ title: String, _ times: [Double], unit: String, scale: Double) {
        let sorted = times.sorted().map { $0 * scale }
        func at(_ share: Double) -> String {
            sorted[Int(Double(sorted.count - 1) * share)].formatted(.number.precision(.fractionLength(2)))
        }
        let title = title.padding(toLength: 48, withPad: " ", startingAt: 0)
        print("\(title) median \(at(0.5)) \(unit)   p99 \(at(0.99)) \(unit)")
    }

    /// The bytes of this process in memory, or 0 where the system does not say.
    static func residentMemory() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return pages * 4096
    }
}
