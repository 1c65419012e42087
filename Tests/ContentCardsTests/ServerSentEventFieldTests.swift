import Testing

@testable import ContentCards

@Suite("Fields of server-sent events")
struct ServerSentEventFieldTests {
    private func read(_ text: String) -> [ServerSentEvents.Event] {
        var parser = ServerSentEvents()
        return parser.read(text.utf8)
    }

    @Test(
        "are divided at the first colon and lose one space, by their bytes",
        arguments: [
            ("data:a", "a"), ("data: a", "a"), ("data:  a", " a"), ("data:a:b", "a:b"), ("data::", ":"), ("data:", ""),
            ("data", ""), ("data: ", ""), ("data:\t", "\t"), ("data:\u{301}a", "\u{301}a"),
            ("data: \u{301}", "\u{301}"), ("data: \u{FE0F}{}", "\u{FE0F}{}"), ("data:\u{A0}", "\u{A0}"),
            ("data:\u{2028}", "\u{2028}"), ("data:\u{0}", "\u{0}"),
        ]
    )
    func values(line: String, data: String) {
        let events = read("event:x\n\(line)\n\n")
        #expect(events.map(\.name) == ["x"])
        #expect(events.first?.data.hasSameBytes(as: data) == true)
    }

    @Test(
        "of another name say nothing, and neither do comments, whatever follows the colon",
        arguments: [
            ":data: x", ": x", ":", ":\u{301}", "id: 1", "retry: 5", "Data: x", "data : x", " data: x",
            "\u{FEFF}data: x", "d\u{301}ata: x", "datа: x",
        ]
    )
    func others(line: String) {
        #expect(read("\(line)\n\n").isEmpty)
        let events = read("\(line)\ndata: a\n\(line)\ndata: b\n\n")
        #expect(events == [ServerSentEvents.Event(name: "message", data: "a\nb")])
    }

    @Test("belong to one event: the next one has neither its name nor its data")
    func separation() {
        let events = read("event: a\nevent: b\ndata: 1\n\ndata: 2\n\nevent: c\n\n\n\ndata: lost")
        let expected = [("b", "1"), ("message", "2"), ("c", "")]
        #expect(events == expected.map { ServerSentEvents.Event(name: $0.0, data: $0.1) })
    }

    @Test("are as long as 64 KiB, each line and all data of an event, and not a byte longer")
    func limits() {
        func isOverflown(_ lines: [String]) -> Bool {
            var parser = ServerSentEvents()
            _ = parser.read(lines.map { $0 + "\n" }.joined().utf8)
            return parser.isOverflown
        }
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        #expect(!isOverflown([text(65_536)]) && isOverflown([text(65_537)]))
        #expect(!isOverflown(["data:" + text(65_531)]) && isOverflown(["data:" + text(65_532)]))
        // A line of data takes a byte more than it has.
        #expect(!isOverflown(["data:" + text(32_767), "data:" + text(32_767)]))
        #expect(isOverflown(["data:" + text(32_767), "data:" + text(32_768)]))
        #expect(!isOverflown(["data:" + text(60_000), "", "data:" + text(60_000)]))
    }

    @Test("in random pieces are the same as in one, also where a piece ends within a letter", arguments: 1...6)
    func pieces(seed: Int) {
        var dice = Dice(state: UInt64(seed))
        let parts = [
            "data: é", "data:日本", "event: changed", ": ping", "", "", "\r", "\r\n", "\n", "data", "x: \u{1F600}",
        ]
        for _ in 0..<100 {
            var text = ""
            for _ in 0..<Int.random(in: 1...20, using: &dice) {
                text += parts[Int.random(in: 0..<parts.count, using: &dice)]
                text += ["\n", "\r\n", "\r"][Int.random(in: 0..<3, using: &dice)]
            }
            var parser = ServerSentEvents()
            var (events, rest): ([ServerSentEvents.Event], ArraySlice<UInt8>) = ([], Array(text.utf8)[...])
            while !rest.isEmpty {
                let size = Int.random(in: 1...4, using: &dice)
                events += parser.read(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(events == read(text))
        }
    }
}
