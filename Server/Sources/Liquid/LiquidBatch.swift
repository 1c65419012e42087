/// Renders templates that come as lines of JSON, for tools and test suites that drive the engine from outside.
public struct LiquidBatch: Sendable {
    private let environment: LiquidEnvironment

    /// Creates a batch.
    ///
    /// By default it speaks the standard language alone.
    public init(environment: LiquidEnvironment = LiquidEnvironment(dialect: .standard)) {
        self.environment = environment
    }

    /// Answers one line in the standard language.
    ///
    /// The line is `{"template": "…", "data": {…}, "templates": {"name": "…"}}`; all but the template may be left out.
    /// The answer is `{"result": "…"}`, `{"aborted": "…"}` or
    /// `{"error": "…", "code": "…", "line": n, "column": n}`, without a line break.
    public static func answer(line: String) -> String {
        LiquidBatch().answer(line: line)
    }

    /// Answers one line in the language of this batch.
    public func answer(line: String) -> String {
        var answer = TextSink()
        // Without a meter there is nothing that writing could fail by.
        try? LiquidJSON.write(value(of: line), to: &answer)
        return answer.text
    }

    private func value(of line: String) -> LiquidValue {
        do throws(LiquidError) {
            return Self.answer(try render(line))
        } catch {
            return Self.answer(error)
        }
    }

    private func render(_ line: String) throws(LiquidError) -> LiquidOutcome {
        guard case .hash(let request) = try LiquidValue(json: line.utf8),
            case .string(let source)? = request["template"]
        else {
            throw LiquidError(.invalidJSON, "A line is a JSON object with a template.", line: 1, column: 1)
        }
        var context = LiquidContext()
        if case .hash(let data)? = request["data"] { context.data = data }
        if case .hash(let templates)? = request["templates"] {
            let sources = templates.pairs.map { ($0.key, $0.value.text) }
            let library = LiquidLibrary(Dictionary(sources) { $1 }, environment: environment)
            context.partials = library
            context.contentBlocks = library
        }
        return try environment.compile(source).render(context)
    }

    private static func answer(_ outcome: LiquidOutcome) -> LiquidValue {
        switch outcome {
        case .rendered(let text): ["result": .string(text)]
        case .aborted(let reason, _): ["aborted": reason.map { .string($0) } ?? .null]
        }
    }

    private static func answer(_ error: LiquidError) -> LiquidValue {
        [
            "error": .string(error.message), "code": .string(error.code.rawValue), "line": .int(error.line),
            "column": .int(error.column),
        ]
    }
}
