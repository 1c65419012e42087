import Foundation
import Terminal

@testable import ContentCards

extension FuzzTarget {
    /// What a server answers an app.
    static let reply = FuzzTarget("reply") { input in
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let response = TransportResponse(status: 200, headers: [:], body: Data(input))
        let failure = TransportResponse(status: 429, headers: [:], body: response.body)
        try? ReplyReader.check(failure, at: now)
        guard let reply = try? ReplyReader.read(response, as: SyncReply.self, at: now) else { return }
        var state = FeedState()
        state.merge(reply, at: now)
        state.merge(reply, at: now)
        for card in state.ordered { state.mark(.dismissal, id: card.id) }
        _ = (state.visible(at: now), state.nextExpiry(after: now))
        try keep(state)
        if let limit = reply.refresh { try refresh(by: limit, at: now) }
        // One is enough: cards are read one like the other, and JSON of Foundation takes long.
        if let card = reply.cards.first {
            let again = try JSONDecoder().decode(ContentCard.self, from: JSONEncoder().encode(card))
            try requireSame(again.id, card.id, "A card is read back")
        }
    }

    private static func keep(_ state: FeedState) throws {
        let cached = CachedFeed(user: "u", state: state)
        let again = try cached.bytes.withUnsafeBytes { try CachedFeed(bytes: $0) }
        try requireSame(again.bytes.count, cached.bytes.count, "A feed is read back")
        try requireSame(again.state.ordered.map(\.id), state.ordered.map(\.id), "The cards are read back")
    }

    private static func refresh(by limit: RefreshLimit, at now: Date) throws {
        var budget = RefreshBudget(at: now)
        budget.adopt(limit, at: now)
        for step in 0..<4 { _ = budget.take(at: now.addingTimeInterval(Double(step) * 1_000)) }
        budget.giveBack()
        budget.adopt(.standard, at: now)
        let again = try JSONDecoder().decode(RefreshBudget.self, from: JSONEncoder().encode(budget))
        try requireSame(again, budget, "A budget is read back")
    }

    /// The header `Retry-After`, and after a zero byte the header `Date`.
    static let retryAfter = FuzzTarget("retry-after", maximumLength: 128, slowness: 10) { input in
        let parts = Parts(input, count: 2)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        guard let wait = RetryAfter.seconds(parts.text(0), date: parts.text(1), at: now) else { return }
        try require((0...RetryAfter.longest).contains(wait), "A wait is bounded: \(wait)")
        let spread = RetryAfter.spread(wait, random: 1)
        try require(spread >= wait && spread <= wait + 300, "A wait is spread a little: \(spread)")
        let rest = RequestPause(seconds: spread, at: now).rest(at: now.addingTimeInterval(-1e9))
        try require(rest <= spread, "A clock that is set back makes no pause longer: \(rest)")
    }

    /// A live stream, whose first byte says how large the pieces are in which it arrives.
    static let stream = FuzzTarget("stream", maximumLength: 1_024) { input in
        guard let first = input.first else { return }
        let bytes = input.dropFirst()
        var whole = ServerSentEvents()
        let events = whole.read(bytes)
        var pieces = ServerSentEvents()
        var found: [ServerSentEvents.Event] = []
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 1 + Int(first)) {
            found += pieces.read(bytes[start...].prefix(1 + Int(first)))
        }
        try requireSame(found, events, "A stream says the same in pieces")
    }

    /// The file of a feed, as its checksum has already let it pass, and the record of the device.
    static let feedFile = FuzzTarget("feed-file") { input in
        if let feed = try? input.withUnsafeBytes({ try CachedFeed(bytes: $0) }) {
            let again = try feed.bytes.withUnsafeBytes { try CachedFeed(bytes: $0) }
            try requireSame(again.cards.map(\.id), feed.cards.map(\.id), "A feed is read back")
            let now = Date(timeIntervalSince1970: 1_800_000_000)
            _ = (feed.state.visible(at: now), feed.state.nextExpiry(after: now))
        }
        _ = Envelope.open(Data(input)) { Array($0) }
        _ = Envelope.open(Envelope.seal(input)) { Array($0) }
        guard let device = try? JSONDecoder().decode(DeviceRecord.self, from: Data(input)) else { return }
        guard var budget = device.budget else { return }
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        _ = budget.take(at: now)
        budget.giveBack()
        budget.adopt(RefreshLimit(burst: 3, seconds: 60), at: now)
        budget.adopt(.standard, at: now)
    }

    /// The log of a user's events: lines whose checksums are put right before they are read.
    static let journal = FuzzTarget("journal") { input in
        _ = JournalContents(text: String(decoding: input, as: UTF8.self))
        let lines = input.split(separator: UInt8(ascii: "\n")).map { line -> String in
            let content = String(decoding: line, as: UTF8.self)
            return CRC32.text(content.utf8) + " " + content + "\n"
        }
        let contents = JournalContents(text: lines.joined())
        for event in contents.pending {
            _ = (event.json(sentAt: 1_800_000_000), event.cardAction, event.size)
            let line = JournalRecord.event(event).line
            // A carriage return and the line feed after it are one character.
            let record = JournalRecord(line: Substring(line).utf8.dropLast())
            if event.time.isFinite { try requireSame(record, .event(event), "An event is read back") }
        }
    }

    private struct Coupon: Decodable {
        var count: Int
        var small: UInt8?
        var discount: Decimal?
        var link: URL?
        var until: Date?
        var isNew: Bool?
        var names: [String]?
        var ratio: Double?
    }

    /// The extras of a card, decoded to an app's own type.
    static let extras = FuzzTarget("extras", maximumLength: 1_024) { input in
        let texts = String(decoding: input, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false)
        let names = ["count", "small", "discount", "link", "until", "is_new", "names", "ratio"]
        var card = ContentCard(id: "c", kind: .classic)
        for (name, text) in zip(names, texts) { card.extras[name] = String(text) }
        _ = try? ExtrasDecoder.decode(Coupon.self, from: card)
    }

    /// What a terminal sends, and texts that are shown in it.
    static let terminal = FuzzTarget("terminal", maximumLength: 512) { input in
        var decoder = KeyDecoder()
        for byte in input { _ = decoder.take(byte) }
        _ = decoder.finish()
        let text = String(decoding: input, as: UTF8.self)
        let columns = Int(input.first ?? 0) % 40
        for line in TextWrapping.lines(of: text, columns: columns) where columns > 1 {
            try require(DisplayWidth.of(line) <= max(columns, 2), "A line fits: \(DisplayWidth.of(line)) of \(columns)")
        }
        _ = (text.truncated(toColumns: columns), text.padded(toColumns: columns), text.rightAligned(toColumns: columns))
    }
}
