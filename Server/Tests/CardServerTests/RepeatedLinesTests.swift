import Testing

@testable import CardServer

struct RepeatedLinesTests {
    @Test func `Like lines are limited in a window, and the next one says how many were left out`() {
        var lines = RepeatedLines()
        let decisions = (0..<100).map { _ in lines.decide("a", of: "a", at: 5) }
        #expect(decisions == Array(repeating: .write(omitted: 0), count: 10) + Array(repeating: .omit, count: 90))
        #expect(lines.decide("b", of: "b", at: 5) == .write(omitted: 0))
        #expect(lines.decide("a", of: "a", at: 16) == .write(omitted: 90))
        #expect(lines.decide("a", of: "a", at: 16) == .write(omitted: 0))
    }

    @Test func `Lines of one kind are limited together, whatever else is in them`() {
        var lines = RepeatedLines()
        let first = (0..<10_000).map { lines.decide("from \($0)", of: "from …", at: 5) }
        #expect(first.count { $0 != .omit } == RepeatedLines.kindBurst)
        #expect(lines.decide("other", of: "other", at: 6) == .write(omitted: 0))
        let second = (0..<10_000).map { lines.decide("from \($0)", of: "from …", at: 16) }
        #expect(second.first == .write(omitted: 9_700))
        #expect(second.count { $0 != .omit } == RepeatedLines.kindBurst)
    }

    @Test func `A flood of different lines makes no room for repeats of another`() {
        var lines = RepeatedLines()
        let own = (0..<20).map { _ in lines.decide("failed", of: "failed", at: 6) }
        #expect(own.count { $0 != .omit } == RepeatedLines.burst)
        var written = 0
        for kind in 0..<1_000 {
            for number in 0..<100 where lines.decide("\(kind) \(number)", of: "kind \(kind)", at: 6) != .omit {
                written += 1
            }
        }
        #expect(written == 63 * 100 + RepeatedLines.kindBurst)
        #expect(lines.decide("failed", of: "failed", at: 6) == .omit)
    }

    @Test func `A flood of different lines looks through those that are remembered once a second at most`() {
        var lines = RepeatedLines()
        for number in 0..<10_000 {
            // safe: small numbers
            _ = lines.decide("line \(number)", of: "kind \(number % 30)", at: 5 + Double(number) / 10_000)
        }
        #expect(lines.searches == 1)
        _ = lines.decide("one more", of: "one more", at: 30)
        #expect(lines.searches == 2)
        let other = (0..<20).map { _ in lines.decide("other", of: "other", at: 30) }
        #expect(other.count { $0 != .omit } == RepeatedLines.burst)
    }

    @Test func `How often a line was left out is told, also where others took its place in the meantime`() {
        var lines = RepeatedLines()
        for _ in 0..<15 { _ = lines.decide("failed", of: "failed", at: 5) }
        for number in 0..<3_000 { _ = lines.decide("line \(number)", of: "kind \(number % 30)", at: 6) }
        _ = lines.decide("one more", of: "one more", at: 20)
        #expect(lines.decide("failed", of: "failed", at: 20) == .write(omitted: 5))
    }

    @Test(arguments: [
        ("notice Failed sign-in from 203.0.113.9", "notice Failed sign-in from …"),
        ("notice Failed sign-in from ::ffff", "notice Failed sign-in from …"),
        ("notice Failed sign-in from unknown", "notice Failed sign-in from unknown"),
        ("info Server started and listening on /run/placard.socket", "info Server started and listening on …"),
    ])
    func `A kind is what a line says without addresses, numbers and files`(line: String, kind: String) {
        #expect(LineLogHandler.kind(of: line) == kind)
    }
}
