import Liquid
import Testing

@Suite("Limits")
struct LimitTests {
    private func failure(
        _ source: String,
        _ limits: LiquidLimits,
        partials: [String: String] = [:]
    ) -> LiquidError.Code? {
        let environment = LiquidEnvironment(limits: limits)
        var context = LiquidContext(data: shop)
        context.partials = LiquidLibrary(partials, environment: environment)
        context.contentBlocks = context.partials
        return LiquidTests.failure(source, in: environment, context: context)?.code
    }

    /// Limits under which a render never runs out of time, however slow the machine.
    private let patient = LiquidLimits(duration: .seconds(600))

    @Test("stop a render whose time is over, by the clock that it is given")
    func time() {
        let clock = SteppingClock()
        var context = LiquidContext(data: shop)
        context.elapsed = { clock.next() }
        let template = try? standard.compile("{% for i in (1..90000) %}{{ i }}{% endfor %}")
        #expect(throws: LiquidError.self) { try template?.render(context) }
        context.elapsed = { .zero }
        #expect(throws: Never.self) { try template?.render(context) }
    }

    @Test("stop output that grows too long")
    func output() {
        var limits = patient
        limits.outputBytes = 1_000
        #expect(failure("{% for i in (1..2000) %}x{% endfor %}", limits) == .outputLimit)
        #expect(failure("{% for i in (1..1000) %}x{% endfor %}", limits) == nil)
        #expect(failure("{% for i in (1..1001) %}x{% endfor %}", limits) == .outputLimit)
    }

    @Test("stop loops that take too many turns, all counted together")
    func loops() {
        var limits = patient
        limits.loopTurns = 100
        #expect(failure("{% for i in (1..100) %}{% endfor %}", limits) == nil)
        #expect(failure("{% for i in (1..101) %}{% endfor %}", limits) == .loopLimit)
        #expect(failure("{% for i in (1..11) %}{% for j in (1..11) %}{% endfor %}{% endfor %}", limits) == .loopLimit)
        #expect(failure("{% tablerow i in (1..101) %}{% endtablerow %}", limits) == .loopLimit)
        #expect(failure("{{ (1..9000000000) | join }}", limits) == .loopLimit)
        #expect(failure("{% for i in (1..9223372036854775807) %}{% endfor %}", limits) == .loopLimit)
    }

    @Test("stop values that double until memory is full")
    func memory() {
        let doubling = "{% assign s = 'xxxxxxxx' %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}"
        #expect(failure(doubling, patient) == .memoryLimit)
        let lists =
            "{% assign l = 'a,b' | split: ',' %}{% for i in (1..60) %}{% assign l = l | concat: l %}{% endfor %}"
        #expect(failure(lists, patient) == .memoryLimit)
        let captures =
            "{% assign s = 'xxxx' %}{% for i in (1..60) %}{% capture s %}{{ s }}{{ s }}{% endcapture %}{% endfor %}"
        #expect([.memoryLimit, .outputLimit].contains(failure(captures, patient)))
        let text = "{% capture s %}{% for i in (1..9000) %}xxxxxxxxxx{% endfor %}{% endcapture %}"
        #expect(failure(text + "{{ s | replace: 'x', s }}", patient) == .memoryLimit)
        #expect(failure(text + "{{ s | split: '' | join: s }}", patient) == .memoryLimit)
    }

    @Test("stop blocks, brackets and templates that nest too deep")
    func nesting() {
        let blocks = String(repeating: "{% if yes %}", count: 200) + String(repeating: "{% endif %}", count: 200)
        #expect(failure(blocks, patient) == .nestingLimit)
        let brackets =
            "{{ " + String(repeating: "a[", count: 5_000) + "1" + String(repeating: "]", count: 5_000) + " }}"
        #expect(failure(brackets, patient) == .nestingLimit)
        let ranges = "{{ " + String(repeating: "(", count: 5_000) + " }}"
        #expect(failure(ranges, patient) == .nestingLimit)
        let chain = "{% if " + String(repeating: "no or ", count: 5_000) + "yes %}x{% endif %}"
        #expect(failure(chain, patient) == nil)
        let lines = "{% " + String(repeating: "liquid ", count: 5_000) + " %}"
        #expect(failure(lines, patient) == .nestingLimit)
    }

    @Test("stop partials that contain themselves or each other")
    func cycles() {
        let partials = [
            "self": "{% render 'self' %}", "one": "{% include 'two' %}", "two": "{% include 'one' %}",
            "block": "{{ content_blocks.${other} }}", "other": "{{ content_blocks.${block} }}",
        ]
        #expect(failure("{% render 'self' %}", patient, partials: partials) == .cyclicTemplate)
        #expect(failure("{% include 'one' %}", patient, partials: partials) == .cyclicTemplate)
        #expect(failure("{{ content_blocks.${block} }}", patient, partials: partials) == .cyclicTemplate)
    }

    @Test("allow a partial that contains itself and ends")
    func recursion() throws {
        let partials = [
            "count": "{{ n }}{% if n > 0 %}{% assign m = n | minus: 1 %}{% render 'count', n: m %}{% endif %}"
        ]
        #expect(try rendered("{% render 'count', n: 9 %}", partials: partials) == "9876543210")
    }

    @Test("stop templates that are too long before they are read")
    func length() {
        var limits = patient
        limits.templateBytes = 10
        #expect(failure("0123456789", limits) == nil)
        #expect(failure("0123456789a", limits) == .templateLimit)
        #expect(LiquidEnvironment(limits: limits).check("0123456789a").problems.map(\.code) == [.templateLimit])
    }

    @Test("stay on whole numbers that arithmetic leaves")
    func overflow() throws {
        let smallest = "-9223372036854775808"
        #expect(
            try rendered("{{ \(smallest) | divided_by: -1 }} {{ \(smallest) | modulo: -1 }}")
                == "9.223372036854776e+18 0"
        )
        #expect(
            try rendered("{{ \(smallest) | abs }} {{ \(smallest) | times: -1 }}")
                == "9.223372036854776e+18 9.223372036854776e+18"
        )
        #expect(try rendered("{{ 1 | round: 9999999999 }}{{ 1.5 | round: -9999999999 }}") == "10")
        #expect(try rendered("{{ numbers[9223372036854775807] }}{{ name | slice: \(smallest) }}") == "")
        #expect(
            try rendered("{{ 99999999999999999999 | date: '%Y' | size }}{{ 1 | date: '%999999999d' | size }}") == "0200"
        )
    }
}

/// A clock that moves by a millisecond whenever it is read.
private final class SteppingClock: @unchecked Sendable {
    // Read by the one render of the one test that owns the clock.
    private var milliseconds = 0

    func next() -> Duration {
        milliseconds += 1
        return .milliseconds(milliseconds)
    }
}
