import Liquid
import Testing

@Suite("The cost of a render")
struct CostTests {
    /// Limits under which a render never runs out of time, however slow the machine.
    private let patient = LiquidLimits(duration: .seconds(600))

    private func spent(_ template: LiquidTemplate, _ context: LiquidContext = LiquidContext(data: shop)) -> Int {
        let budget = LiquidBudget(work: 1 << 40)
        _ = try? template.render(context, budget: budget)
        return budget.spent
    }

    @Test("is the same whenever the same is rendered, and more where there is more to do")
    func repeatable() throws {
        let template = try LiquidEnvironment(limits: patient).compile(
            "{% for i in (1..n) %}{{ names | sort | join: ',' | upcase }}{% increment c %}{% endfor %}"
        )
        var last = 0
        for count in [0, 1, 2, 10, 50] {
            let names: LiquidValue = .array((0..<count).map { .string("name \($0 * 7 % 10)") })
            let context = LiquidContext(data: LiquidHash([("n", .int(count)), ("names", names)]))
            let units = spent(template, context)
            #expect(units == spent(template, context))
            #expect(units > last)
            last = units
        }
    }

    @Test(
        "is counted of what fails or aborts, too",
        arguments: ["{{ 1 | divided_by: 0 }}", "{% abort_message('no') %}", "{% render 'none' %}"]
    )
    func failed(_ end: String) throws {
        let before = "{% for i in (1..100) %}{{ i }}{% endfor %}"
        let environment = LiquidEnvironment(limits: patient)
        let whole = spent(try environment.compile(before))
        #expect(whole > 5_000)
        #expect(spent(try environment.compile(before + end)) > whole)
    }

    @Test("of a part is limited by the template that contains it, whatever the part was compiled with")
    func parts() throws {
        let generous = LiquidEnvironment(
            limits: LiquidLimits(duration: .seconds(600), outputBytes: 1 << 30, loopTurns: 1 << 30)
        )
        let sources = [
            "long": String(repeating: "x", count: 1_001), "turns": "{% for i in (1..11) %}{% endfor %}",
            "short": String(repeating: "x", count: 1_000),
        ]
        var context = LiquidContext()
        context.partials = LiquidLibrary(sources, environment: generous)
        context.contentBlocks = context.partials
        let limits = LiquidLimits(duration: .seconds(600), outputBytes: 1_000, loopTurns: 10)
        let strict = LiquidEnvironment(limits: limits)
        for tag in ["{% render 'N' %}", "{% include 'N' %}", "{{ content_blocks.${N} }}"] {
            func code(_ name: String) -> LiquidError.Code? {
                let source = tag.split(separator: "N").joined(separator: name)
                return failure(source, in: strict, context: context)?.code
            }
            #expect(code("short") == nil)
            #expect([.outputLimit, .memoryLimit].contains(code("long")))
            #expect(code("turns") == .loopLimit)
        }
    }

    @Test("has the memory of what was captured and thrown away")
    func memory() {
        let text = String(repeating: "x", count: 1_000)
        let source = "{% for i in (1..100) %}{% capture s %}\(text){% endcapture %}{% endfor %}"
        func code(_ bytes: Int) -> LiquidError.Code? {
            let limits = LiquidLimits(duration: .seconds(600), memoryBytes: bytes)
            return failure(source, in: LiquidEnvironment(limits: limits))?.code
        }
        #expect(code(99_999) == .memoryLimit)
        #expect(code(110_000) == nil)
    }

    @Test("leaves nothing behind: a template that failed renders as before")
    func failures() throws {
        let source = "{% increment n %}{% cycle 'a', 'b' %}{% assign x = 1 | divided_by: by %}{{ x }}"
        let template = try LiquidEnvironment(limits: patient).compile(source)
        for divisor in [1, 0, 1, 0, 1] {
            let context = LiquidContext(data: LiquidHash([("by", .int(divisor))]))
            let text = try? template.render(context).text
            #expect(text == (divisor == 0 ? nil : "0a1"))
        }
    }

    @Test("of a filter of one's own is what it announces, and no less than nothing")
    func announced() throws {
        let filters = [
            LiquidFilter("work") { call throws(LiquidError) in
                try call.spend(1 << 40)
                return "never"
            },
            LiquidFilter("room") { call throws(LiquidError) in
                try call.reserve(1 << 40)
                return "never"
            },
            LiquidFilter("grown") { _ in .string(String(repeating: "x", count: 2 << 20)) },
            LiquidFilter("gift") { call throws(LiquidError) in
                try call.spend(.min)
                try call.reserve(.min)
                return "given"
            },
            LiquidFilter("refused") { _ throws(LiquidError) in throw LiquidError(.argument, "No.") },
        ]
        let environment = LiquidEnvironment(filters: .standard.adding(filters), limits: patient)
        func error(_ source: String) -> LiquidError? { failure(source, in: environment) }
        #expect(error("{{ 1 | work }}")?.code == .workLimit)
        #expect(error("{{ 1 | room }}")?.code == .memoryLimit)
        #expect(error("{% assign x = 1 | grown %}")?.code == .memoryLimit)
        #expect(error("\n {{ 1 | append: 2 | refused }}") == LiquidError(.argument, "No.", line: 2, column: 21))
        let gift = try environment.compile("{{ 1 | gift }}")
        #expect(spent(gift) >= spent(try environment.compile("{{ 1 | abs }}")))
        #expect(try gift.render().text == "given")
    }
}
