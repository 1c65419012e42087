import Testing
import WireJSON

@testable import Simulation

/// What processes count, and what is made of it.
struct KeptStatisticsTests {
    private func statistics(_ milliseconds: [Double], faults: [String: Int] = [:]) -> RunStatistics {
        var statistics = RunStatistics()
        for value in milliseconds { statistics.note(milliseconds: value) }
        (statistics.requests, statistics.events, statistics.faults) = (milliseconds.count, 7, faults)
        return statistics
    }

    @Test func `What is kept is read as it was, and what a kill has torn is none`() throws {
        let kept = statistics([0, 1, 250, 1e9], faults: ["late": 2, "answer lost": 1])
        #expect(RunStatistics(json: kept.json) == kept)
        #expect(RunStatistics(json: try JSONValue(parsing: kept.json.text)) == kept)
        #expect(RunStatistics(json: RunStatistics().json) == RunStatistics())
        for name in ["events", "requests", "failures", "faults", "latencies"] {
            var members = try #require(kept.json.object)
            members[name] = nil
            #expect(RunStatistics(json: .object(members)) == nil, "\(name)")
        }
        var short = try #require(kept.json.object)
        short["latencies"] = [1, 2, 3]
        #expect(RunStatistics(json: .object(short)) == nil)
    }

    @Test func `Sums of processes are those of one process that did it all`() {
        var sum = statistics([1, 2, 3], faults: ["late": 1])
        sum += statistics([40, 50], faults: ["late": 2, "sent twice": 4])
        var one = statistics([1, 2, 3, 40, 50], faults: ["late": 3, "sent twice": 4])
        one.events = 14
        #expect(sum == one)
        sum += RunStatistics()
        #expect(sum == one)
    }

    @Test(
        "A latency is told within a tenth, and never too low",
        arguments: [0.05, 0.1, 0.5, 1, 9.99, 123.4, 5_000]
    )
    func latencies(_ milliseconds: Double) throws {
        let told = try #require(statistics([milliseconds]).latency(0.5))
        #expect(told >= milliseconds && told <= max(0.1, milliseconds * 1.1001))
    }

    @Test func `Parts of latencies are in order, and what is beyond the last bound has no number`() throws {
        let many = statistics((1...1_000).map(Double.init))
        let parts = try [0.01, 0.5, 0.95, 0.99, 1].map { try #require(many.latency($0)) }
        #expect(parts == parts.sorted() && (500...551).contains(parts[1]) && (950...1_046).contains(parts[2]))
        #expect(statistics([]).latency(0.5) == nil)
        #expect(statistics([1, 1e9]).latency(1) == .infinity)
    }

    @Test func `Random numbers are those of the seed and its purpose`() {
        func numbers(_ seed: UInt64, _ purpose: String) -> [UInt64] {
            var random = SeededRandom(seed: seed, purpose)
            return (0..<20).map { _ in random.next() }
        }
        #expect(numbers(1, "a") == numbers(1, "a"))
        #expect(
            Set([numbers(1, "a"), numbers(2, "a"), numbers(1, "b"), numbers(0, ""), numbers(.max, "a")]).count == 5
        )
        #expect(Set(numbers(0, "")).count == 20)
    }
}
