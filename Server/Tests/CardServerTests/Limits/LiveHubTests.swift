import CardModel
import CardStore
import Testing

@testable import CardServer

@Suite("Limits of live streams")
struct LiveHubTests {
    private static let ann = UserID(rawValue: "ann")

    private func client(_ text: String) throws -> ClientKey { ClientKey(try #require(IPAddress(text))) }

    private func limits(perUser: Int = 100, perAddress: Int = 100, total: Int = 100) -> LiveHub.LiveLimits {
        LiveHub.LiveLimits(perUser: perUser, perAddress: perAddress, total: total)
    }

    @Test("A user, an address and the server have so many streams, and one that ends makes room")
    func bounds() throws {
        let hub = LiveHub()
        let home = try client("192.0.2.1")
        func open(
            _ user: String,
            _ client: ClientKey,
            _ limits: LiveHub.LiveLimits
        ) throws(LiveHub.LiveError) -> LiveSubscription {
            try hub.open(for: UserID(rawValue: user), device: nil, client: client, within: limits)
        }
        let first = try open("ann", home, limits(perUser: 2))
        let second = try open("ann", home, limits(perUser: 2))
        #expect(throws: LiveHub.LiveError.user) { try open("ann", home, limits(perUser: 2)) }
        #expect(throws: LiveHub.LiveError.address) { try open("bob", home, limits(perAddress: 2)) }
        #expect(throws: LiveHub.LiveError.full) { try open("bob", try client("192.0.2.2"), limits(total: 2)) }
        #expect(hub.count == 2)

        first.end()
        #expect(hub.count == 1)
        let third = try open("ann", home, limits(perUser: 2, perAddress: 2, total: 2))
        #expect(hub.count == 2)
        second.end()
        third.end()
        #expect(hub.count == 0)
        // Nothing is left of an address that has gone.
        _ = try open("ann", home, limits(perAddress: 1))
    }

    @Test("A device that comes back takes the place of its own stream, where the limit is reached too")
    func replaces() async throws {
        let hub = LiveHub()
        let home = try client("192.0.2.1")
        let tight = limits(perUser: 1, perAddress: 1, total: 1)
        let old = try hub.open(for: Self.ann, device: "phone", client: home, within: tight)
        let new = try hub.open(for: Self.ann, device: "phone", client: home, within: tight)
        #expect(hub.count == 1)
        var signals: [LiveSubscription.Signal] = []
        while let signal = await old.nextSignal() { signals.append(signal) }
        #expect(signals.count <= 1)
        // Another user's device of that name is another device.
        #expect(throws: LiveHub.LiveError.full) {
            try hub.open(for: UserID(rawValue: "bob"), device: "phone", client: home, within: tight)
        }
        new.end()
        #expect(hub.count == 0)
    }

    @Test("A device whose new address is full keeps the stream that it has")
    func keepsOld() throws {
        let hub = LiveHub()
        let (home, office) = (try client("192.0.2.1"), try client("192.0.2.2"))
        _ = try hub.open(for: UserID(rawValue: "bob"), device: nil, client: office, within: limits())
        let old = try hub.open(for: Self.ann, device: "phone", client: home, within: limits())
        #expect(throws: LiveHub.LiveError.address) {
            try hub.open(for: Self.ann, device: "phone", client: office, within: limits(perAddress: 1))
        }
        #expect(hub.count == 2)
        old.end()
        #expect(hub.count == 1)
    }

    @Test("Of a change of campaigns every device is told once more, since its sync may have met a node that was late")
    func echo() async throws {
        let hub = LiveHub()
        let stream = try hub.open(for: Self.ann, device: nil)
        let other = try hub.open(for: Self.ann, device: nil)
        for isEcho in [false, true] {
            hub.publishToAll(echoes: isEcho)
            #expect(await stream.nextSignal() == .changed)
            #expect(await other.nextSignal() == .changed)
            // The turns of the first pass before a change is told once more.
            for signals: [LiveSubscription.Signal] in isEcho
                ? [[.heartbeat, .changed], [.changed, .heartbeat], [.heartbeat, .heartbeat]]
                : [[.heartbeat, .heartbeat]]
            {
                for turn in 0..<LiveHub.heartbeatInterval { hub.beat(turn) }
                #expect(await stream.nextSignal() == signals[0])
                #expect(await other.nextSignal() == signals[1])
            }
        }
        stream.end()
        other.end()
    }

    @Test("A place that nobody uses is free again")
    func place() throws {
        let hub = LiveHub()
        do {
            let place = LivePlace(try hub.open(for: Self.ann, device: nil))
            #expect(hub.count == 1)
            _ = place
        }
        #expect(hub.count == 0)
    }

    @Test("The eleventh stream of a user and the stream beyond an address's are told to wait")
    func overHTTP() async throws {
        var limits = DeviceLimits.unlimited
        limits.liveStreamsPerUser = 2
        try await Workspace.run(realTime: true, limits: limits) { workspace in
            let request = "GET /v1/live?user_id=ann HTTP/1.1\r\nHost: placard\r\nAuthorization: Bearer "
            let text = request + workspace.publishable + "\r\n\r\n"
            var streams: [OpenConnection] = []
            for _ in 0..<2 {
                let stream = try await OpenConnection.open(to: workspace.endpoint)
                await stream.send(text)
                #expect(await stream.read(until: "event: changed").contains("200 OK"))
                streams.append(stream)
            }
            let refused = try await workspace.send(.get, "/v1/live?user_id=ann", raw: nil, key: workspace.publishable)
            #expect((refused.status, refused.code) == (429, "rate_limited"))
            #expect(refused.headers[.retryAfter] == "60")
            for stream in streams { await stream.close() }
        }
    }

    @Test("A request for the head of a stream ends no other stream of its device, and takes no place")
    func head() async throws {
        var limits = DeviceLimits.unlimited
        limits.liveStreamsPerUser = 1
        try await Workspace.run(limits: limits) { workspace in
            let key = "Host: placard\r\nAuthorization: Bearer \(workspace.publishable)\r\n\r\n"
            let stream = try await OpenConnection.open(to: workspace.endpoint)
            await stream.send("GET /v1/live?user_id=ann&device_id=phone HTTP/1.1\r\n\(key)")
            #expect(await stream.read(until: "event: changed").contains("200 OK"))

            for device in ["phone", "tablet"] {
                let asking = try await OpenConnection.open(to: workspace.endpoint)
                await asking.send("HEAD /v1/live?user_id=ann&device_id=\(device) HTTP/1.1\r\n\(key)")
                let head = await asking.readToEnd()
                #expect(head.hasPrefix("HTTP/1.1 200") && head.contains("text/event-stream"))
            }
            let refused = try await workspace.send(.head, "/v1/live?user_id=ann", raw: nil, key: "none")
            #expect(refused.status == 401)

            // The stream hears of what comes after.
            let ann = UserUpdate(id: Self.ann, custom: ["n": 1])
            try await workspace.store.updateUsers([ann], at: 0)
            #expect(await stream.read(until: "event: changed").contains("event: changed"))
            await stream.close()
        }
    }
}
