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
        let template = try? LiquidEnvironment(
            dialect: .standard,
            limits: LiquidLimits(work: 1 << 40, duration: .milliseconds(10), outputBytes: 1 << 20, loopTurns: 90_000)
        ).compile("{% for i in (1..90000) %}{{ i }}{% endfor %}")
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
        let text = "{% capture s %}{% for i in (1..6000) %}xxxxxxxxxx{% endfor %}{% endcapture %}"
        #expect(failure(text + "{{ s | replace: 'x', s }}", patient) == .memoryLimit)
        #expect(failure(text + "{{ s | split: '' | join: s }}", patient) == .memoryLimit)
    }

    /// What a render costs, in units of work, and how it ends.
    private func cost(_ source: String, _ data: LiquidValue) throws -> (units: Int, failure: LiquidError.Code?) {
        guard case .hash(let hash) = data else { return (0, nil) }
        let template = try LiquidEnvironment(limits: patient).compile(source)
        let budget = LiquidBudget(work: 1 << 40)
        let result = Result { () throws(LiquidError) in try template.render(LiquidContext(data: hash), budget: budget) }
        guard case .failure(let error) = result else { return (budget.spent, nil) }
        return (budget.spent, error.code)
    }

    @Test("count what a filter does before it does it", arguments: FilterRegistry.messaging.names)
    func filterWork(name: String) throws {
        let text = String(repeating: "ab", count: 20_000)
        let data: LiquidValue = [
            "text": .string(text), "part": .string(String(text.dropLast(2)) + "x"),
            "list": .array((0..<5_000).map { .int($0) }),
            "long": .array((0..<1_000).map { _ in .string(text) }),
        ]
        for input in ["text", "list", "long"] {
            for argument in ["part", "text", "long", "7"] {
                let count = FilterRegistry.messaging[name]?.argumentCount.upperBound ?? 0
                let arguments =
                    count == 0 ? "" : ": " + Array(repeating: argument, count: count).joined(separator: ", ")
                let source = "{% for i in (1..10000) %}{% assign x = \(input) | \(name)\(arguments) %}{% endfor %}"
                let (units, failure) = try cost(source, data)
                // Ten thousand times are too much of anything that looks at its value, and nothing goes past the limit.
                #expect(failure != nil || units > 500_000)
                #expect(units <= patient.work)
            }
        }
    }

    @Test(
        "stop what is short to write and long to do",
        arguments: [
            ("{{ text | replace: part, text }}", nil),
            ("{% for i in (1..500) %}{% if text contains part %}{% endif %}{% endfor %}", .workLimit),
            ("{{ text | replace: 'a', text }}", .memoryLimit), ("{{ long | join: text }}", .memoryLimit),
            ("{{ long }}", .outputLimit),
            ("{% assign l = long | concat: long | concat: long %}{{ l | join }}", .memoryLimit),
            ("{{ long | as_json_string }}", .memoryLimit),
            ("{% for i in (1..9999) %}{% if list == list %}{% endif %}{% endfor %}", .workLimit),
            ("{% for i in (1..9999) %}{% if same == text %}{% endif %}{% endfor %}", .workLimit),
            ("{% for i in (1..9999) %}{% cycle long: 'a' %}{% endfor %}", .memoryLimit),
            ("{% abort_message(long) %}", .memoryLimit),
            ("{{ text | date: text }}", nil), ("{{ 0 | date: widths }}", .memoryLimit),
            ("{{ list | sort | reverse | uniq | size }}", nil),
            ("{% for i in (1..9999) %}{{ [text] }}{{ text.size }}{% endfor %}", .workLimit),
            ("{% for i in (1..9999) %}{% increment \(String(repeating: "x", count: 9_000)) %}{% endfor %}", .workLimit),
            (
                "{% for i in (1..9999) %}{% if \(String(repeating: "no or ", count: 2_000))no %}{% "
                    + "endif %}{% endfor %}",
                .workLimit
            ),
            ("{% for i in (1..9999) %}{{ i\(String(repeating: " | plus: 1", count: 2_000)) }}{% endfor %}", .workLimit),
        ] as [(String, LiquidError.Code?)]
    )
    func amplifiers(source: String, code: LiquidError.Code?) throws {
        let text = String(repeating: "ab", count: 20_000)
        let data: LiquidValue = [
            "text": .string(text), "same": .string(text + ""), "part": .string(String(text.prefix(20_000)) + "x"),
            "list": .array((0..<5_000).map { .int($0) }), "long": .array((0..<1_000).map { _ in .string(text) }),
            "widths": .string(String(repeating: "%1000000000Y", count: 6_000)),
        ]
        #expect(try cost(source, data).failure == code)
    }

    @Test("count a budget that renders share")
    func budget() throws {
        let template = try standard.compile("{% for i in (1..100) %}{{ i }}{% endfor %}")
        let budget = LiquidBudget(work: 10_000)
        #expect(try template.render(budget: budget).text?.isEmpty == false)
        #expect(budget.spent > 5_000 && budget.work + budget.spent == 10_000)
        #expect { try template.render(budget: budget) } throws: { ($0 as? LiquidError)?.code == .workLimit }
        #expect(budget.work == 0)
        #expect(throws: LiquidError.self) { try template.render(budget: budget) }
    }

    @Test(
        "refuse a template that goes on and on, with few problems",
        arguments: [
            "{% if a %}", "{{", "{%", "{", "{% raw %}", "{% comment %}", "{% doc %}", "{% for i in a %}", "{% nope %}",
            "{{ a b }}",
            "{{ a | nope }}", "{% endif %}", "{% liquid ", "{{ a[", "{% capture a %}", "{% case a %}", "{% else %}",
            "{{ '", "{{ ${",
        ]
    )
    func repetition(unit: String) throws {
        let source = String(repeating: unit, count: patient.templateBytes / unit.utf8.count)
        let report = LiquidEnvironment(limits: patient).check(source)
        #expect((1...51).contains(report.problems.count))
        #expect(report.problems.allSatisfy { $0.message.utf8.count < 400 && $0.line == 1 && $0.column > 0 })
        #expect(failure(source, patient) != nil)
    }

    @Test("say of what is long only its beginning")
    func messages() {
        let name = String(repeating: "x", count: 50_000)
        for source in ["{{ a | \(name) }}", "{% \(name) %}", "{{ a \(name) }}", "{{content_blocks.${\(name)}}}"] {
            let error = LiquidTests.failure(source, in: LiquidEnvironment(limits: patient))
            #expect(error.map { $0.message.utf8.count < 200 } == true)
        }
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
