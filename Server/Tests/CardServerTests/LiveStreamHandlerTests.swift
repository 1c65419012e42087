import CardModel
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

@testable import CardServer

@Suite("Live streams on their event loops")
struct LiveStreamHandlerTests {
    @Test("A signal is written at once, and one that came before the stream was written comes first")
    func order() throws {
        let stream = LiveSubscription(device: nil)
        stream.signal(.changed)
        let live = try LiveChannel(stream)
        defer { live.close() }
        #expect(try live.written() == ["changed"])
        live.stream.signal(.heartbeat)
        #expect(try live.written() == ["heartbeat"])
        live.stream.signal(.heartbeat)
        live.stream.signal(.changed)
        #expect(try live.written() == ["changed"], "A change stands for a heartbeat")
        #expect(try live.written() == [])
    }

    @Test("While the client reads nothing, one signal waits for it, and is written once it reads")
    func slowReader() throws {
        let live = try LiveChannel()
        defer { live.close() }
        live.channel.isWritable = false
        for _ in 0..<1_000 { live.stream.signal(.changed) }
        #expect(try live.written() == [])
        live.stream.signal(.heartbeat)
        #expect(try live.written() == [])
        live.channel.isWritable = true
        live.channel.pipeline.fireChannelWritabilityChanged()
        #expect(try live.written() == ["changed"])
        live.stream.signal(.changed)
        #expect(try live.written() == ["changed"])
    }

    @Test("A stream that is told to reconnect, or ends, writes what waits and no more", arguments: [true, false])
    func ends(isReconnect: Bool) throws {
        let live = try LiveChannel()
        defer { live.close() }
        live.stream.signal(.changed)
        if isReconnect { live.stream.signal(.reconnect) } else { live.stream.end() }
        #expect(try live.written() == [isReconnect ? "reconnect" : "changed"])
        #expect(live.stream.takeNext() == .end)
        try live.end.futureResult.wait()
        live.stream.signal(.changed)
        #expect(try live.written() == [])
    }

    @Test("A stream whose client has gone ends, and gives its place back", arguments: [true, false])
    func clientGoes(isClosed: Bool) throws {
        let hub = LiveHub()
        let live = try LiveChannel(try hub.open(for: UserID(rawValue: "ann"), device: nil))
        #expect(hub.count == 1)
        if isClosed {
            _ = try live.channel.finish(acceptAlreadyClosed: true)
        } else {
            live.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        #expect(hub.count == 0)
        try live.end.futureResult.wait()
    }

    @Test("Nothing is kept of a stream whose client has gone, or which goes on elsewhere", arguments: [true, false])
    func leavesNothing(isReconnect: Bool) throws {
        weak var gone: LiveSubscription?
        try { () throws in
            let live = try LiveChannel()
            gone = live.stream
            if isReconnect {
                live.stream.signal(.reconnect)
                #expect(try live.written() == ["reconnect"])
            }
            live.close()
            try live.end.futureResult.wait()
        }()
        #expect(gone == nil)
    }

    @Test("A stream that is open doesn't hold up a server that stops", .timeLimit(.minutes(10)))
    func stop() async throws {
        var limits = ServerLimits.patient
        limits.shutdownSeconds = 3_600
        try await Workspace.run(realTime: true, server: limits) { workspace in
            let stream = try await OpenConnection.open(to: workspace.endpoint)
            await stream.send(
                "GET /v1/live?user_id=ann HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(workspace.publishable)\r\n\r\n"
            )
            #expect(await stream.read(until: "event: changed").contains("200 OK"))
        }
    }

    @Test("A stream that ended before it could be written ends as soon as it is")
    func endedBefore() throws {
        let stream = LiveSubscription(device: nil)
        stream.end()
        let live = try LiveChannel(stream)
        #expect(try live.written() == [])
        try live.end.futureResult.wait()
    }

    @Test("What is to be done at the end is done once, at once where a stream has ended already")
    func onEnd() {
        let count = Mutex(0)
        let ended = LiveSubscription(device: nil)
        ended.end()
        ended.onEnd { count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 1)
        let open = LiveSubscription(device: nil)
        open.onEnd { count.withLock { $0 += 1 } }
        open.end()
        open.end()
        #expect(count.withLock { $0 } == 2)
    }
}

/// A connection that has a live stream.
private struct LiveChannel {
    let channel = EmbeddedChannel()
    let stream: LiveSubscription
    let end: EventLoopPromise<Void>

    init(_ stream: LiveSubscription = LiveSubscription(device: nil)) throws {
        self.stream = stream
        end = channel.eventLoop.makePromise()
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let handler = LiveStreamHandler(stream, { ByteBuffer(string: "\($0)") }, end: end)
        try channel.pipeline.syncOperations.addHandler(handler)
    }

    /// What was written since the last call.
    func written() throws -> [String] {
        channel.embeddedEventLoop.run()
        var texts: [String] = []
        while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
            if case .body(let buffer) = part { texts.append(String(buffer: buffer)) }
        }
        return texts
    }

    /// Closes the connection where it is open.
    func close() { _ = try? channel.finish(acceptAlreadyClosed: true) }
}
