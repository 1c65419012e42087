import CardModel
import CardStore
import Synchronization
import Testing

@testable import CardServer

@Suite("Live streams of pages")
struct PageStreamsTests {
    private let member = TeamMember(email: "ann@example.com", role: .viewer, passwordHash: "", createdAt: 0)

    private func client(_ text: String = "192.0.2.1") throws -> ClientKey { ClientKey(try #require(IPAddress(text))) }

    private static func session(_ number: UInt8) -> Session {
        Session(hash: [number], email: "ann@example.com", formKey: [], createdAt: 0, expiresAt: .infinity)
    }

    @Test("A session, an address and the server have so many streams, and one that ends makes room")
    func bounds() throws {
        func streams(perAddress: Int = 100, total: Int = 100, withDevices: Int = 100) -> PageStreams {
            PageStreams(
                PageStreams.PageStreamLimits(
                    perSession: 2,
                    perAddress: perAddress,
                    total: total,
                    withDevices: withDevices
                ),
                PageStreams.StreamSource(deviceStreams: { 10 })
            )
        }
        func fill(_ streams: PageStreams, _ count: UInt8) throws -> [LivePlace] {
            try (0..<count).map { try streams.open(for: [$0], client: client(), while: { _, _ in true }) }
        }
        let one = streams()
        var places = try fill(one, 1) + fill(one, 1)
        #expect(throws: PageStreams.PageStreamError.session) { try fill(one, 1) }
        #expect(one.count == 2)
        places.removeLast()
        #expect(one.count == 1)
        places += try fill(one, 1)
        places[0].stream.end()
        #expect(one.count == 1)

        for (streams, refusal) in [
            (streams(perAddress: 3), PageStreams.PageStreamError.address), (streams(total: 3), .full),
            (streams(withDevices: 13), .full),
        ] {
            var places = try fill(streams, 3)
            #expect(throws: refusal) { try streams.open(for: [9], client: client(), while: { _, _ in true }) }
            places.removeLast()
            places.append(try streams.open(for: [9], client: client(), while: { _, _ in true }))
            #expect(streams.count == places.count)
        }
    }

    @Test("The store is asked once for all streams, once for a session, and not at all without streams")
    func asksOnce() async throws {
        let asked = Mutex<[String: Int]>.Box([:])
        let mark = Mutex<StoreMark>.Box(StoreMark())
        let streams = PageStreams(
            PageStreams.PageStreamLimits(),
            PageStreams.StreamSource(
                mark: {
                    asked.withLock { $0["mark", default: 0] += 1 }
                    return mark.withLock { $0 }
                },
                session: { [member] hash in
                    asked.withLock { $0["session", default: 0] += 1 }
                    return (Self.session(hash[0]), member)
                }
            )
        )
        await streams.look(0)
        #expect(asked.withLock { $0 }.isEmpty)

        let places = try (0..<30).map { number in
            try streams.open(for: [UInt8(number % 3)], client: client(), while: { _, _ in true })
        }
        await streams.look(0)
        #expect(asked.withLock { $0 } == ["mark": 1, "session": 3])
        for place in places { #expect(await place.stream.nextSignal() == .changed) }
        mark.withLock { $0.event = 1 }
        await streams.look(0)
        for place in places { #expect(await place.stream.nextSignal() == .changed) }
        // Nothing is new: each hears something within the interval.
        for turn in 0..<PageStreams.heartbeatInterval { await streams.look(turn) }
        for place in places { #expect(await place.stream.nextSignal() == .heartbeat) }
        #expect(asked.withLock { $0["mark"] } == 2 + Int(PageStreams.heartbeatInterval))
    }

    @Test("A stream ends with its session, and where its member may see less or nobody can say")
    func ends() async throws {
        struct Unknown: Error {}
        let streams = PageStreams(
            PageStreams.PageStreamLimits(),
            PageStreams.StreamSource(
                session: { [member] hash in
                    if hash == [1] { return nil }
                    if hash == [2] { throw Unknown() }
                    return (Self.session(hash[0]), member)
                }
            )
        )
        let places = try (UInt8(0)..<4).map { number in
            try streams.open(for: [number], client: nil, while: { session, _ in session.hash != [3] })
        }
        await streams.look(0)
        #expect(streams.count == 1)
        #expect(await places[0].stream.nextSignal() == .changed)
        for place in places.dropFirst() { #expect(await place.stream.nextSignal() == nil) }
    }
}
