import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("A reply of a hostile or broken server", .timeLimit(.minutes(20)))
struct HostileReplyTests {
    let bed = TestBed()
    private let reports = Collected<Diagnostic>()

    /// A client of a user who has one card.
    private func launched() async throws -> ContentCardsClient {
        bed.serve([.fixture("kept")])
        let client = bed.launch { [reports] in $0.log = { reports.add($0) } }
        await client.identify("a")
        _ = try #require(await client.updates.first { $0.lastSync != nil && $0.userID == "a" })
        return client
    }

    /// Answers the next syncs with a text.
    private func serve(_ text: String, status: Int = 200) {
        bed.transport.answer("v1/sync") { _ in .json(text, status: status) }
    }

    @Test(
        "that isn't one leaves feed, time and cursor as they were, and fails the refresh",
        arguments: [
            "", "null", "[]", "42", "\"cards\"", "{", "<html>captive portal</html>", "{}", #"{"cards":null}"#,
            #"{"cards":{}}"#, #"{"cards":"none"}"#, #"{"cards":[],"cursor":7}"#, #"{"cards":[],"removed":"kept"}"#,
            #"{"cards":[],"events":[]}"#, #"{"cards":[],"replace":true,"events":{"rejected":[{"id":1,"code":"x"}]}}"#,
            #"{"cards":"# + String(repeating: "[", count: 100_000),
        ]
    )
    func nonsense(text: String) async throws {
        let client = try await launched()
        let before = client.feed
        bed.clock.advance(by: 100)
        serve(text)
        let error = await #expect(throws: ContentCardsError.self) { try await client.refresh() }
        #expect(error?.code == .invalidReply)
        #expect(client.feed == before && client.feed.cards.map(\.id) == ["kept"])
        bed.serve([.fixture("new")], cursor: "2")
        try await client.refresh()
        #expect(bed.transport.requests(to: "v1/sync").map { SentBody($0).cursor } == [nil, "1", "1"])
        #expect(client.feed.cards.map(\.id) == ["new"])
        await client.close()
    }

    @Test(
        "with a status that says otherwise is no feed, however good its body is",
        arguments: [
            (0, .rejected), (101, .rejected), (301, .rejected), (304, .rejected), (401, .unauthorized),
            (403, .forbidden), (404, .rejected), (418, .rejected), (429, .rateLimited), (500, .serverUnavailable),
            (503, .serverUnavailable), (999, .serverUnavailable),
        ] as [(Int, ContentCardsError.Code)]
    )
    func smuggled(status: Int, code: ContentCardsError.Code) async throws {
        let client = try await launched()
        serve(#"{"cursor":"9","replace":true,"cards":[{"id":"smuggled","type":"classic"}]}"#, status: status)
        let error = await #expect(throws: ContentCardsError.self) { try await client.refresh() }
        #expect(error?.code == code && error?.serverCode == nil)
        #expect(client.feed.cards.map(\.id) == ["kept"])
        #expect(client.core.feed.cursor(generation: client.core.feed.current.generation) == "1")
        await client.close()
    }

    @Test(
        "that refuses says why where it can, and is a refusal where it can't",
        arguments: [
            (#"{"error":{"code":"user_blocked","message":"No."}}"#, "user_blocked"),
            (#"{"error":{"code":"user_blocked"}}"#, "user_blocked"), (#"{"error":{"code":7}}"#, nil),
            (#"{"error":"user_blocked"}"#, nil), ("nope", nil), ("", nil),
        ] as [(String, String?)]
    )
    func refusal(text: String, serverCode: String?) async throws {
        let client = try await launched()
        serve(text, status: 403)
        let error = await #expect(throws: ContentCardsError.self) { try await client.refresh() }
        #expect(error?.code == .forbidden && error?.serverCode == serverCode)
        #expect(error?.message.hasPrefix("The server answered 403") == true)
        await client.close()
    }

    @Test("that counts events wrongly settles those of its request and no others")
    func counts() async throws {
        let gate = Gate()
        bed.transport.answer("v1/events") { _ in
            await gate.pass()
            return .json(#"{"events":{"accepted":100000,"duplicate":-7,"rejected":[]}}"#)
        }
        let client = try await launched()
        client.logEvent("one")
        let flush = Task { try await client.flush() }
        await gate.arrival()
        client.logEvent("two")
        #expect(client.pendingEventCount == 2)
        await gate.open()
        try await flush.value
        #expect(bed.transport.requests(to: "v1/events").map { SentBody($0).events.map(\.name) } == [["one"], ["two"]])
        #expect(client.pendingEventCount == 0)
        await client.close()
    }

    @Test("that rejects events nobody sent says so, once each, and harms none that were")
    func rejections() async throws {
        let client = try await launched()
        bed.transport.answer("v1/events") { _ in
            .json(#"{"events":{"rejected":[{"id":"nobody","code":"x"},{"id":"","code":"","message":null}]}}"#)
        }
        client.logEvent("one")
        try await client.flush()
        let rejected = reports.all.filter { if case .eventRejected = $0 { true } else { false } }
        #expect(rejected == [.eventRejected(id: "nobody", code: "x"), .eventRejected(id: "", code: "")])
        #expect(client.pendingEventCount == 0)
        await client.close()
    }

    @Test("with a card twice, gone and there, or of an id that no event can name, is taken as far as it goes")
    func contradictions() async throws {
        let client = try await launched()
        bed.transport.answer("v1/events") { _ in throw TransportError.unreachable("scripted") }
        let long = String(repeating: "x", count: 20_000)
        serve(
            """
            {"cursor":"2","removed":["both","nobody",7,null,"kept"],"cards":[
              {"id":"twice","type":"classic","title":"first"},{"id":"both","type":"classic"},
              {"id":"twice","type":"classic","title":"last"},{"id":"\(long)","type":"classic"}]}
            """
        )
        try await client.refresh()
        #expect(client.feed.cards.map(\.id) == ["twice", long])
        #expect(client.feed.card(id: "twice")?.title == "last")
        #expect(!client.logImpression(cardID: long))
        #expect(reports.all.last == .eventRefused(type: "impression", reason: "it is larger than 16 KiB"))
        #expect(client.pendingEventCount == 0)
        #expect(client.logImpression(cardID: "twice"))
        #expect(client.pendingEventCount == 1)
        await client.close()
    }

    @Test(
        "whose limit of refreshes is none is a feed all the same, and the limit stays",
        arguments: [
            "null", "5", "\"often\"", "[]", "{}", #"{"burst":"5","seconds":1}"#, #"{"burst":0,"seconds":1}"#,
            #"{"burst":-1,"seconds":1}"#, #"{"burst":2,"seconds":-1}"#, #"{"burst":2.5,"seconds":1}"#,
            #"{"burst":9223372036854775807,"seconds":1}"#, #"{"burst":2,"seconds":1e300}"#,
        ]
    )
    func refreshLimit(text: String) async throws {
        let client = try await launched()
        serve(#"{"cursor":"2","cards":[{"id":"new","type":"classic"}],"refresh":\#(text)}"#)
        try await client.refresh()
        #expect(client.feed.count == 2)
        #expect(client.core.feed.device.budget?.limit == .standard)
        await client.close()
    }
}

@Suite("A card with fields of wrong types")
struct WrongTypeTests {
    private func decode(_ members: String) throws -> ContentCard {
        try JSONDecoder().decode(ContentCard.self, from: Data(#"{"id":"a","type":"classic",\#(members)}"#.utf8))
    }

    @Test("is kept, and has what can be meant by them or nothing")
    func wrong() throws {
        let cases: [(members: String, isRight: (ContentCard) -> Bool)] = [
            (#""title":5,"description":{"a":1}"#, { $0.title == "5" && $0.description == #"{"a":1}"# }),
            (#""pinned":"maybe","dismissible":[],"test":{}"#, { !$0.isPinned && $0.isDismissible && !$0.isTest }),
            (#""pinned":"YES","dismissible":"off","viewed":2"#, { $0.isPinned && !$0.isDismissible && $0.isViewed }),
            (#""priority":1e300"#, { $0.priority == .max }), (#""priority":"-1e300""#, { $0.priority == .min }),
            (#""priority":-2.9"#, { $0.priority == -2 }), (#""priority":"high""#, { $0.priority == 0 }),
            (#""created_at":{}"#, { $0.createdAt == Date(timeIntervalSince1970: 0) }),
            (#""expires_at":"soon""#, { $0.expiresAt == nil }), (#""expires_at":[1]"#, { $0.expiresAt == nil }),
            (#""expires_at":0"#, { $0.isExpired(at: Date(timeIntervalSince1970: 0)) }),
            (#""extras":[1,2]"#, { $0.extras.isEmpty }), (#""extras":"a=b""#, { $0.extras.isEmpty }),
            (#""image_aspect_ratio":true"#, { $0.imageAspectRatio == nil }),
            (#""url":7,"image":false"#, { $0.urlString == "7" && $0.image == "false" }),
            (#""campaign_id":1,"language":null"#, { $0.campaignID == "1" && $0.language == nil }),
        ]
        for (members, isRight) in cases {
            let card = try decode(members)
            #expect(isRight(card), "\(members)")
        }
    }

    @Test("has an id of its own where that is a number, and a kind that shows nothing where that is one")
    func ids() throws {
        let card = try JSONDecoder().decode(ContentCard.self, from: Data(#"{"id":7,"type":3}"#.utf8))
        #expect(card.id == "7" && card.kind == .unknown("3") && !card.isPresentable && !card.isControl)
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(ContentCard.self, from: Data(#"{"id":null,"type":"classic"}"#.utf8))
        }
    }

    @Test("with the largest and smallest values is the same after a launch, and in the same place")
    func extremes() throws {
        let cards = [
            try decode(#""priority":1e300,"created_at":1e300,"expires_at":1e308"#),
            ContentCard.fixture("b") { ($0.priority, $0.createdAt) = (.min, Date(timeIntervalSince1970: -1e300)) },
            ContentCard.fixture("") { $0.extras = ["": "", "\0": "\u{10FFFF}"] },
        ]
        var state = FeedState()
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        state.merge(SyncReply(cursor: "", replaces: true, cards: cards), at: now)
        #expect(state.visible(at: now).map(\.id) == ["a", "", "b"])
        let sealed = Envelope.seal(CachedFeed(user: "u", state: state).bytes)
        let read = try #require(Envelope.open(sealed, CachedFeed.init))
        #expect(read.state == state && read.state.cursor == "")
        #expect(read.state.nextExpiry(after: now) == Date(timeIntervalSince1970: 1e308))
    }
}
