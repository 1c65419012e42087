import CardStore
import PostgresTesting
import Synchronization
import Testing

@testable import PostgresCardStore

@Suite("PostgreSQL: pauses between attempts to connect", .timeLimit(.minutes(20)))
struct ConnectionPauseTests {
    @Test("Each pause is twice the one before it, up to two seconds")
    func growth() {
        var pause = ConnectionPause()
        var lengths: [Duration] = []
        for _ in 0..<9 {
            pause.grow(at: .now, by: 1)
            lengths.append(pause.length)
        }
        let milliseconds = [50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]
        #expect(lengths == milliseconds.map { .milliseconds($0) })
    }

    @Test("A pause lasts as long as its part of the length, and none is begun without an attempt that failed")
    func end() {
        let start = ContinuousClock.now
        var pause = ConnectionPause()
        #expect(pause.isOver(at: start))
        pause.grow(at: start, by: 0.75)
        #expect(!pause.isOver(at: start))
        #expect(!pause.isOver(at: start + .microseconds(37_499)))
        #expect(pause.isOver(at: start + .microseconds(37_501)))
        pause.grow(at: start + .seconds(1), by: 1.25)
        #expect(!pause.isOver(at: start + .seconds(1) + .microseconds(124_999)))
        #expect(pause.isOver(at: start + .seconds(1) + .microseconds(125_001)))
        // The part is of this pause alone, so that pauses don't drift away.
        #expect(pause.length == .milliseconds(100))
    }

    /// A clock that a test moves.
    private final class TestClock: Sendable {
        private let moment = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { moment.withLock { $0 } }

        func advance(by duration: Duration) { moment.withLock { $0 += duration } }
    }

    /// The reason why an attempt fails, or `nil` where it doesn't.
    private func failure(of source: inout ConnectionSource) -> PostgresError? {
        do {
            _ = try source.connect()
            return nil
        } catch {
            return error
        }
    }

    @Test("Within a pause the reason of the last attempt is given, and nobody is asked")
    func remembered() throws {
        let clock = TestClock()
        let server = try RefusingServer(state: "28P01", message: "no")
        var source = ConnectionSource(ConnectionSettings(url: "postgresql://app@/app?host=\(server.folder)")) { _ in }
        source.now = { clock.now }
        let first = failure(of: &source)
        #expect(first?.problem?.kind == .password)
        server.close()
        for _ in 0..<3 {
            let next = failure(of: &source)
            #expect(next == first)
        }
        // Longer than the first pause can be.
        clock.advance(by: .milliseconds(63))
        let later = failure(of: &source)
        #expect(later?.problem?.kind == .unreachable)
        let still = failure(of: &source)
        #expect(still == later)
    }

    @Test("A server that is back is found after the pause, and the next pause is short again")
    func back() async throws {
        let clock = TestClock()
        let name = "late_\(UInt32.random(in: 0 ... .max))"
        let cluster = try await PostgresCluster.shared()
        let connected = Atomic<Int>(0)
        var source = ConnectionSource(ConnectionSettings(url: cluster.url(of: name))) { _ in
            connected.add(1, ordering: .relaxed)
        }
        source.now = { clock.now }
        for _ in 0..<6 {
            let early = failure(of: &source)
            #expect(early?.problem?.kind == .database)
            clock.advance(by: .seconds(3))
        }
        #expect(connected.load(ordering: .relaxed) == 0)
        try await cluster.execute("CREATE DATABASE \(name)")
        do {
            let connection = try source.connect()
            #expect(connection.isOpen)
        }
        #expect(connected.load(ordering: .relaxed) == 1)
        try await cluster.execute("DROP DATABASE \(name) WITH (FORCE)")
        let gone = failure(of: &source)
        #expect(gone?.problem?.kind == .database)
        clock.advance(by: .milliseconds(63))
        let still = failure(of: &source)
        #expect(still?.problem?.kind == .database)
        #expect(connected.load(ordering: .relaxed) == 1)
    }

    @Test("A copy of a source has pauses of its own, so that one connection's keeps no other from being made")
    func copies() throws {
        let clock = TestClock()
        let server = try RefusingServer(state: "28P01", message: "no")
        var source = ConnectionSource(ConnectionSettings(url: "postgresql://app@/app?host=\(server.folder)")) { _ in }
        source.now = { clock.now }
        var other = source
        let first = failure(of: &source)
        server.close()
        let second = failure(of: &other)
        #expect(first?.problem?.kind == .password && second?.problem?.kind == .unreachable)
    }
}
