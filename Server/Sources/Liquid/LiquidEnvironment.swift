/// Chooses which language templates speak.
public enum LiquidDialect: Sendable {
    /// The standard language alone.
    case standard
    /// The standard language and what customer messaging adds: `${name}`, content blocks, `abort_message`,
    /// `connected_content`.
    case messaging
}

/// Compiles templates under one choice of dialect, filters and limits.
public struct LiquidEnvironment: Sendable {
    /// The language.
    ///
    /// Default messaging.
    public var dialect: LiquidDialect
    /// The filters that templates may use.
    public var filters: FilterRegistry
    /// The bounds of compiling and rendering.
    public var limits: LiquidLimits
    /// Whether text that the reference language ignores, such as a stray word in `when`, is an error.
    ///
    /// Default false.
    public var isStrict: Bool

    /// Creates an environment; what is left out keeps its default.
    ///
    /// The filters default to those of the dialect.
    public init(
        dialect: LiquidDialect = .messaging,
        filters: FilterRegistry? = nil,
        limits: LiquidLimits = LiquidLimits(),
        isStrict: Bool = false
    ) {
        self.dialect = dialect
        self.filters = filters ?? (dialect == .messaging ? .messaging : .standard)
        self.limits = limits
        self.isStrict = isStrict
    }

    /// The tags of the messaging dialect that an author begins with; those that end or divide a block are left out.
    public static let messagingTagNames = [
        "abort_message", "assign", "break", "capture", "case", "comment", "connected_content", "continue", "cycle",
        "decrement", "echo", "for", "if", "ifchanged", "increment", "liquid", "raw", "tablerow", "unless",
    ]

    /// Compiles a template.
    ///
    /// Costs a few microseconds for each line; compile once and render many times. `name` is what errors inside the
    /// template report as their template. Throws the first error with its line and column.
    public func compile(_ source: String, name: String? = nil) throws(LiquidError) -> LiquidTemplate {
        let bytes = source.bytes
        guard bytes.count <= limits.templateBytes else { throw tooLong }
        let compilation = Compilation(source: bytes, environment: self, isChecking: false)
        do throws(SyntaxError) {
            var parser = TemplateParser(compilation)
            let nodes = try parser.template()
            return LiquidTemplate(nodes: nodes, names: compilation.names, source: bytes, name: name, limits: limits)
        } catch {
            throw SourceMap(bytes).error(error, template: name)
        }
    }

    private var tooLong: LiquidError {
        LiquidError(.templateLimit, "The template is longer than \(limits.templateBytes) bytes.", line: 1, column: 1)
    }

    /// Reports everything that an editor can show of a template: all problems with their positions, and what it uses.
    ///
    /// Unlike `compile`, it goes on after an error, as far as the tags still make sense.
    public func check(_ source: String) -> LiquidReport {
        let bytes = source.bytes
        guard bytes.count <= limits.templateBytes else { return LiquidReport(problems: [tooLong], usage: .init()) }
        let compilation = Compilation(source: bytes, environment: self, isChecking: true)
        var failures: [SyntaxError] = []
        do throws(SyntaxError) {
            var parser = TemplateParser(compilation)
            _ = try parser.template()
        } catch {
            failures.append(error)
        }
        let map = SourceMap(bytes)
        let problems = (compilation.problems + failures).sorted { $0.offset < $1.offset }
        var usage = compilation.usage
        usage.unguarded = compilation.printed.subtracting(compilation.tested)
        return LiquidReport(problems: map.errors(problems), usage: usage)
    }
}

/// The findings of `check` in a template.
public struct LiquidReport: Sendable {
    /// The names that a template refers to, each once.
    public struct Usage: Sendable, Equatable {
        /// Names of tags.
        public internal(set) var tags: Set<String> = []
        /// Names of filters, unknown ones too.
        public internal(set) var filters: Set<String> = []
        /// Variables with the properties read from them, such as `custom_attribute.plan`; also the template's own.
        public internal(set) var variables: Set<String> = []
        /// Names written as `${name}` that stand alone.
        public internal(set) var attributes: Set<String> = []
        /// Names of content blocks.
        public internal(set) var contentBlocks: Set<String> = []
        /// Names of partials that are written out.
        public internal(set) var partials: Set<String> = []
        /// The names of a user that are printed without `default`, and that no condition looks at, as they're written:
        /// `${first_name}` or `custom_attribute.${plan}`.
        public internal(set) var unguarded: Set<String> = []
    }

    /// All problems in the order of the source; none when the template compiles.
    public let problems: [LiquidError]
    /// The names that the template refers to.
    public let usage: Usage
}

/// Finds the line and column of a byte.
struct SourceMap {
    private let source: [UInt8]

    init(_ source: [UInt8]) {
        self.source = source
    }

    func position(of offset: Int) -> (line: Int, column: Int) {
        var position = (line: 1, column: 1)
        advance(&position, from: 0, to: offset)
        return position
    }

    // safe: places in the source
    private func advance(_ position: inout (line: Int, column: Int), from start: Int, to end: Int) {
        for byte in source[start..<min(max(end, start), source.count)] {
            if byte == 0x0A {
                position = (position.line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                // Continuation bytes of UTF-8 do not begin a scalar.
                position.column += 1
            }
        }
    }

    /// The errors of a template, of failures in their order: the source is walked through once for all of them.
    func errors(_ failures: [SyntaxError]) -> [LiquidError] {
        var (position, place) = ((line: 1, column: 1), 0)
        return failures.map { failure in
            let end = min(max(failure.offset, place), source.count)
            advance(&position, from: place, to: end)
            place = end
            return LiquidError(failure.code, failure.message, line: position.line, column: position.column)
        }
    }

    func error(_ failure: SyntaxError, template: String?) -> LiquidError {
        let (line, column) = position(of: failure.offset)
        return LiquidError(failure.code, failure.message, line: line, column: column, template: template)
    }
}
