import CardModel
import LiveTesting
import Logging
import NIOCore
import Synchronization
import Testing

@testable import CardServer

@Suite("The table of connections", .timeLimit(.minutes(20)))
struct ConnectionTableTests {
    private final class Closed: Sendable {
        private let names = Mutex<[String]>([])

        var all: [String] { names.withLock { $0 } }

        func note(_ name: String) { names.withLock { $0.append(name) } }
    }

    private let closed = Closed()

    private func client(_ text: String) throws -> ClientKey { ClientKey(try #require(IPAddress(text))) }

    private func entry(_ name: String, _ client: ClientKey?, at milliseconds: Int64) -> ConnectionTable.Entry {
        let closed = closed
        return ConnectionTable.Entry(client, at: .uptimeNanoseconds(UInt64(milliseconds) * 1_000_000)) {
            closed.note(name)
        }
    }

    @Test("An address that is full loses the connection that has been idle for the longest time")
    func perAddress() throws {
        let table = ConnectionTable(total: 100, perAddress: 3)
        let home = try client("192.0.2.1")
        let entries = (0..<3).map { entry("home-\($0)", home, at: Int64($0)) }
        for entry in entries { #expect(table.add(entry)) }
        entries[0].becomeBusy()
        #expect(table.add(entry("office", try client("192.0.2.2"), at: 9)))
        #expect(table.add(entry("home-3", home, at: 10)))
        #expect(closed.all == ["home-1"])
        entries[2].becomeBusy()
        #expect(table.add(entry("home-4", home, at: 11)))
        #expect(closed.all == ["home-1", "home-3"])
        #expect(table.count == 4)
    }

    @Test("An address whose connections are all busy gets no more, until one closes")
    func busy() throws {
        let table = ConnectionTable(total: 100, perAddress: 2)
        let home = try client("192.0.2.1")
        let entries = (0..<2).map { entry("\($0)", home, at: 0) }
        for entry in entries {
            #expect(table.add(entry))
            entry.becomeBusy()
        }
        #expect(!table.add(entry("2", home, at: 1)))
        #expect(closed.all.isEmpty)
        table.remove(entries[0])
        table.remove(entries[0])
        #expect(table.add(entry("3", home, at: 2)))
        #expect(table.count == 2)
    }

    @Test("Each connection that goes for another is counted and logged with the limit that was reached")
    func evictions() throws {
        let (metrics, log) = (ServerMetrics(), RecordedLog())
        let logger = log.logger()
        func reasons() -> [String] { log.events.map { event in event.metadata?["reason"].map { "\($0)" } ?? "" } }
        let table = ConnectionTable(total: 3, perAddress: 2) { metrics.noteEviction($0, in: logger) }
        let home = try client("192.0.2.1")
        for number in 0..<3 { #expect(table.add(entry("home-\(number)", home, at: Int64(number)))) }
        #expect(reasons() == ["address_limit"])
        for number in 3..<6 { #expect(table.add(entry("\(number)", nil, at: Int64(number)))) }
        #expect(reasons() == ["address_limit", "connection_limit", "connection_limit"])
        #expect(closed.all == ["home-0", "home-1", "home-2"])
        let text = metrics.arrivalLines(nil)
        #expect(text.contains(#"placard_evicted_connections_total{reason="address_limit"} 1"#))
        #expect(text.contains(#"placard_evicted_connections_total{reason="connection_limit"} 2"#))
    }

    @Test("A server that is full makes room too, and proxies are only counted in all")
    func total() {
        let table = ConnectionTable(total: 2, perAddress: 1)
        #expect(table.add(entry("a", nil, at: 5)))
        #expect(table.add(entry("b", nil, at: 1)))
        #expect(table.add(entry("c", nil, at: 9)))
        #expect(closed.all == ["b"])
        #expect(table.count == 2)
    }

    @Test("Nothing is lost however connections come and go")
    func comeAndGo() throws {
        var random = SystemRandomNumberGenerator()
        let table = ConnectionTable(total: 50, perAddress: 20)
        let clients = try (1...5).map { try client("192.0.2.\($0)") }
        var open: [ConnectionTable.Entry] = []
        for step in 0..<5_000 {
            if Bool.random(using: &random) || open.isEmpty {
                let entry = entry("\(step)", clients.randomElement(using: &random), at: Int64(step))
                entry.becomeBusy()
                let room = open.count < 50 && open.count(where: { $0.client == entry.client }) < 20
                #expect(table.add(entry) == room)
                if room { open.append(entry) }
            } else {
                table.remove(open.remove(at: Int.random(in: 0..<open.count, using: &random)))
            }
            #expect(table.count == open.count)
        }
        for entry in open { table.remove(entry) }
        #expect(table.count == 0)
        #expect(closed.all.isEmpty)
    }

    @Test("More idle connections of an address than it may have push each other out, and requests go on")
    func idleFlood() async throws {
        var limits = ServerLimits()
        limits.connectionsPerAddress = 10
        try await Workspace.run(server: limits) { workspace in
            var flood: [OpenConnection] = []
            for _ in 0..<40 { flood.append(try await OpenConnection.open(to: workspace.endpoint)) }
            // Without the limit, these would stay open, and the test would hang.
            for connection in flood.prefix(20) { await connection.closed() }
            let asked = try await OpenConnection.open(to: workspace.endpoint)
            await asked.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await asked.read(until: "}").hasPrefix("HTTP/1.1 200"))
            for connection in flood { await connection.close() }
        }
    }

    @Test("Limits fit what the process may have open", arguments: [(64, 64), (1_024, 896), (1 << 20, 32_768)])
    func files(open: Int, connections: Int) {
        var limits = ServerLimits()
        limits.fit(openFiles: UInt64(open))
        #expect(limits.connections == connections)
        #expect(limits.liveStreams < limits.connections)
    }
}
