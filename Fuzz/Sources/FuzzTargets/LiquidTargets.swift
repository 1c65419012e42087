import CardModel
import Foundation

@testable import Liquid

extension FuzzTarget {
    /// A template, and after a zero byte the data that it reads, as JSON.
    static let liquid = FuzzTarget("liquid", maximumLength: 2_048) { input in
        let parts = Parts(input, count: 2)
        let source = parts.text(0)
        let report = environment.check(source)
        for problem in report.problems { try check(problem, in: source) }
        let template: LiquidTemplate
        do throws(LiquidError) {
            template = try environment.compile(source)
        } catch {
            try check(error, in: source)
            try require(!report.problems.isEmpty, "A check finds what does not compile: \(error)")
            return
        }
        let first = render(template, data(parts[1]))
        if case .success(.rendered(let text)) = first {
            try require(text.utf8.count <= environment.limits.outputBytes, "The output is within its bound")
            let second = render(template, data(parts[1]))
            // On a busy machine the clock may end what it let pass before.
            if case .failure(let error) = second, error.code == .timeLimit { return }
            try requireSame(first, second, "A template says the same twice")
        }
        if case .failure(let error) = first { try check(error, in: source) }
    }

    private static let environment = LiquidEnvironment(
        limits: LiquidLimits(
            duration: .milliseconds(250),
            outputBytes: 65_536,
            loopTurns: 10_000,
            nesting: 50,
            memoryBytes: 1 << 20,
            templateBytes: 65_536
        )
    )

    private static func data(_ json: [UInt8]) -> LiquidHash {
        if case .hash(let data)? = try? LiquidValue(json: json) { return data }
        return LiquidHash([(key: "text", value: .string(String(decoding: json, as: UTF8.self)))])
    }

    private static func render(_ template: LiquidTemplate, _ data: LiquidHash) -> Result<LiquidOutcome, LiquidError> {
        let library = LiquidLibrary(["p": "{{ text }}{% render 'p' %}", "q": "{{ item }}"], environment: environment)
        let calendar = LiquidCalendar(
            now: { 1_800_000_000 },
            offset: { TimeZoneClock(named: $0)?.offset(at: $1) }
        )
        let context = LiquidContext(data: data, partials: library, contentBlocks: library, calendar: calendar)
        return Result { () throws(LiquidError) in try template.render(context) }
    }

    private static func check(_ error: LiquidError, in source: String) throws(Finding) {
        guard error.template == nil else { return }
        let lines = 1 + source.utf8.count { $0 == 0x0A }
        try require((0...lines).contains(error.line), "An error has a place in the template: \(error)")
    }

    /// The reader of JSON that templates use.
    static let liquidJSON = FuzzTarget("liquid-json") { input in
        guard let value = try? LiquidValue(json: input) else { return }
        var text = TextSink()
        try LiquidJSON.write(value, to: &text)
        var again = TextSink()
        try LiquidJSON.write(try LiquidValue(json: text.bytes), to: &again)
        try requireSame(again.bytes, text.bytes, "What was written is written again")
    }

    /// A date as templates read them, and after a zero byte a form to write it in.
    static let dates = FuzzTarget("dates", maximumLength: 256) { input in
        let parts = Parts(input, count: 2)
        let calendar = LiquidCalendar(now: { 1_800_000_000 }, offset: { _, _ in nil })
        var values = [LiquidValue.string(parts.text(0))]
        if let number = Int(parts.text(0)) { values.append(.int(number)) }
        for value in values {
            guard let date = calendar.date(value) else { continue }
            _ = date.format(parts.text(1))
            _ = date.format("%c|%D|%F|%T|%R|%r|%v|%+|%s|%N|%L|%z|%::z|%G|%V|%U|%W|%j|%C|%y|%200Y")
        }
    }
}
