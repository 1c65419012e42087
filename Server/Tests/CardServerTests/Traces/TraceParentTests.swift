import Testing

@testable import CardServer

@Suite("What other programs say of a trace")
struct TraceParentTests {
    private static let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test("A parent is read and written again")
    func reads() throws {
        let parent = try #require(TraceParent(Self.good))
        #expect(parent.isSampled && parent.trace.text == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(parent.text == Self.good)
        let quiet = try #require(TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-fe"))
        #expect(!quiet.isSampled)
        // A later version may have more behind it.
        let later = try #require(TraceParent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what"))
        #expect(later.trace == parent.trace)
        #expect(TraceParent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")?.span == parent.span)
    }

    @Test(
        "What isn't one is passed over",
        arguments: [
            "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 ",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "FE-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
            "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01x",
            "00-4bf92f3577b34da6a3ce929d0e0e47é-00f067aa0ba902b7-01",
            "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-" + String(repeating: "x", count: 500),
        ]
    )
    func refuses(_ text: String) {
        #expect(TraceParent(text) == nil)
    }

    @Test("A state is passed on as it came, or not at all")
    func state() {
        #expect(TraceState(["a=1,b@c=x y"])?.text == "a=1,b@c=x y")
        #expect(TraceState(["a=1", "b=2"])?.text == "a=1,b=2")
        let bad = [
            [], [""], ["a"], ["a="], ["=1"], ["A=1"], ["a=1,"], ["a=1,a=2"], ["a=1\n"], ["a=é"], ["a=1=2"], ["a=1 "],
            [String(repeating: "a=1,", count: 40)], ["a=" + String(repeating: "x", count: 257)],
            (0..<33).map { "a\($0)=1" },
        ]
        for values in bad { #expect(TraceState(values) == nil, "\(values)") }
    }

    @Test("A sampler traces the share that it is asked for, and always the same traces", arguments: [0, 0.01, 0.5, 1])
    func ratio(_ ratio: Double) {
        let (sampler, ids) = (TraceSampler(ratio: ratio), TraceIDSource())
        let traces = (0..<20_000).map { _ in ids.trace() }
        let count = traces.count { sampler.samples($0) }
        #expect(abs(Double(count) / 20_000 - ratio) < 0.03)
        #expect(ratio > 0 || count == 0)
        #expect(ratio < 1 || count == 20_000)
        #expect(Set(traces).count == 20_000)
        // A smaller share is a part of a larger one.
        let larger = TraceSampler(ratio: min(1, ratio * 2))
        #expect(traces.allSatisfy { !sampler.samples($0) || larger.samples($0) })
    }

    @Test("A share that makes no sense is none, or all", arguments: [(-1.0, false), (Double.nan, false), (7, true)])
    func odd(_ ratio: Double, _ all: Bool) {
        #expect(TraceSampler(ratio: ratio).samples(TraceIDSource().trace()) == all)
    }
}
