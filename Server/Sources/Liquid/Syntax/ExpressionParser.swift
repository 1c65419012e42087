/// Reads the expressions of one tag or output.
struct ExpressionParser {
    let compilation: Compilation
    private let lexemes: [Lexeme]
    private var place = 0
    private var depth = 0

    init(_ region: Range<Int>, in compilation: Compilation) throws(SyntaxError) {
        self.compilation = compilation
        var lexer = Lexer(source: compilation.source, region: region, isDialect: compilation.isDialect)
        lexemes = try lexer.lexemes()
    }

    // safe: the last lexeme is never passed
    var current: Lexeme { lexemes[place] }
    var isAtEnd: Bool { current.kind == .end }
    var following: Lexeme { lexemes[min(place + 1, lexemes.count - 1)] }

    func text(_ lexeme: Lexeme) -> String { compilation.text(lexeme.range) }

    mutating func advance() {
        if place + 1 < lexemes.count { place += 1 }
    }

    func isSign(_ sign: Unicode.Scalar) -> Bool {
        current.kind == .sign(UInt8(ascii: sign))
    }

    func isWord(_ word: String) -> Bool {
        current.kind == .identifier && text(current) == word
    }

    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard isSign(sign) else { return false }
        advance()
        return true
    }

    /// Takes the sign, and passes over what stands before it, which has no effect unless the syntax is strict.
    mutating func skip(to sign: Unicode.Scalar) -> Bool {
        while !compilation.environment.isStrict, !isAtEnd, !isSign(sign) { advance() }
        return take(sign)
    }

    mutating func takeWord(_ word: String) -> Bool {
        guard isWord(word) else { return false }
        advance()
        return true
    }

    mutating func expect(_ sign: Unicode.Scalar) throws(SyntaxError) {
        guard take(sign) else { throw unexpected("'\(sign)'") }
    }

    mutating func expectEnd() throws(SyntaxError) {
        guard isAtEnd else { throw unexpected("the end") }
    }

    mutating func identifier(_ what: String) throws(SyntaxError) -> String {
        guard current.kind == .identifier else { throw unexpected(what) }
        defer { advance() }
        return text(current)
    }

    func unexpected(_ wanted: String) -> SyntaxError {
        let found =
            isAtEnd
            ? "the end" : "'\(compilation.text(current.start..<max(current.range.upperBound, current.start)).quoted)'"
        return SyntaxError("Expected \(wanted) but found \(found).", at: current.start)
    }
}

extension ExpressionParser {
    mutating func expression() throws(SyntaxError) -> Expression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= compilation.environment.limits.nesting else {
            throw SyntaxError("Brackets nest too deep.", code: .nestingLimit, at: current.start, isFinal: true)
        }
        let lexeme = current
        switch lexeme.kind {
        case .identifier:
            advance()
            return try named(text(lexeme))
        case .attribute:
            advance()
            let name = text(lexeme)
            compilation.usage.attributes.insert(name)
            compilation.noteRead(Compilation.written(name))
            return path(.attribute(name), try steps())
        case .string:
            advance()
            return .literal(.string(text(lexeme)))
        case .integer, .decimal:
            advance()
            return number(lexeme)
        case .sign(UInt8(ascii: "[")):
            advance()
            let root = try expression()
            try expect("]")
            return try computedPath(root)
        case .sign(UInt8(ascii: "(")): return try range()
        default: throw unexpected("a value")
        }
    }

    private func number(_ lexeme: Lexeme) -> Expression {
        let text = text(lexeme)
        if let number = Int(text) { return .literal(.int(number)) }
        return .literal(.double(Double(text) ?? 0))
    }

    private mutating func range() throws(SyntaxError) -> Expression {
        advance()
        let first = try expression()
        guard current.kind == .dotdot else { throw unexpected("'..'") }
        advance()
        let last = try expression()
        try expect(")")
        return .range(first, last)
    }

    private mutating func named(_ name: String) throws(SyntaxError) -> Expression {
        if let block = contentBlock(name) { return block }
        let steps = try steps()
        if steps.isEmpty {
            switch name {
            case "nil", "null": return .literal(.null)
            case "true": return .literal(.bool(true))
            case "false": return .literal(.bool(false))
            case "empty": return .literal(.empty)
            case "blank": return .literal(.blank)
            default: break
            }
        }
        note(name, steps)
        let plain = path(.name(compilation.id(of: name)), steps)
        if name == "forloop", steps.count == 1, case .property(let key) = steps[0],
            let property = LoopProperty(rawValue: key)
        {
            return .loop(property, fallback: plain)
        }
        return plain
    }

    private mutating func contentBlock(_ name: String) -> Expression? {
        guard compilation.isDialect, name == "content_blocks", isSign("."), following.kind == .attribute else {
            return nil
        }
        advance()
        let block = text(current)
        advance()
        compilation.usage.contentBlocks.insert(block)
        return .contentBlock(block)
    }

    private mutating func computedPath(_ root: Expression) throws(SyntaxError) -> Expression {
        let steps = try steps()
        if case .literal(.string(let name)) = root {
            note(name, steps)
            return path(.name(compilation.id(of: name)), steps)
        }
        return .path(.computed(root), steps)
    }

    private func path(_ root: PathRoot, _ steps: [PathStep]) -> Expression {
        if steps.isEmpty, case .name(let id) = root { return .variable(id) }
        return .path(root, steps)
    }

    private mutating func steps() throws(SyntaxError) -> [PathStep] {
        var steps: [PathStep] = []
        while true {
            if take("[") {
                steps.append(try bracketStep())
            } else if take(".") {
                let isName = current.kind == .identifier || current.kind == .attribute
                guard isName else { throw unexpected("a property name") }
                steps.append(current.kind == .attribute ? .key(text(current)) : .property(text(current)))
                advance()
            } else {
                return steps
            }
        }
    }

    private mutating func bracketStep() throws(SyntaxError) -> PathStep {
        let key = try expression()
        try expect("]")
        switch key {
        case .literal(.string(let name)): return .key(name)
        case .literal(.int(let index)): return .index(index)
        default: return .computed(key)
        }
    }

    private func note(_ name: String, _ steps: [PathStep]) {
        var full = name
        for step in steps {
            guard case .property(let key) = step else {
                if case .key(let key) = step { full += "." + key }
                break
            }
            full += "." + key
        }
        compilation.usage.variables.insert(full)
        compilation.noteRead(Compilation.written(name, steps))
    }
}

extension ExpressionParser {
    /// A value and its filters, up to the end; nothing at all is nothing.
    mutating func filtered() throws(SyntaxError) -> FilteredExpression {
        let offset = current.start
        guard !isAtEnd else { return FilteredExpression(base: .literal(.null), filters: [], offset: offset) }
        let base = try expression()
        var filters: [FilterUse] = []
        while take("|") {
            if let use = try filter() { filters.append(use) }
        }
        try expectEnd()
        return FilteredExpression(base: base, filters: filters, offset: offset)
    }

    private mutating func filter() throws(SyntaxError) -> FilterUse? {
        let offset = current.start
        let name = try identifier("the name of a filter")
        var arguments: [Expression] = []
        var keywords: [(name: String, value: Expression)] = []
        if take(":") {
            repeat {
                if current.kind == .identifier, following.kind == .sign(UInt8(ascii: ":")) {
                    let keyword = try identifier("a name")
                    advance()
                    keywords.append((name: keyword, value: try expression()))
                } else {
                    arguments.append(try expression())
                }
            } while take(",")
        }
        compilation.usage.filters.insert(name)
        guard let filter = compilation.environment.filters[name] else {
            let message = "No filter is called '\(name.quoted)'."
            try compilation.report(SyntaxError(message, code: .unknownFilter, at: offset))
            return nil
        }
        try check(filter, arguments.count, keywords.map(\.name), at: offset)
        return FilterUse(filter: filter, arguments: arguments, keywords: keywords, offset: offset)
    }

    private func check(_ filter: LiquidFilter, _ count: Int, _ keywords: [String], at offset: Int) throws(SyntaxError) {
        if !filter.argumentCount.contains(count) {
            let range = filter.argumentCount
            let wanted =
                range.lowerBound == range.upperBound
                ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
            let noun = range == 1...1 ? "argument" : "arguments"
            let message = "'\(filter.name)' takes \(wanted) \(noun), not \(count)."
            try compilation.report(SyntaxError(message, code: .argumentCount, at: offset))
        }
        for keyword in keywords where !filter.keywords.contains(keyword) {
            let message = "'\(filter.name)' takes no argument called '\(keyword.quoted)'."
            try compilation.report(SyntaxError(message, code: .argumentCount, at: offset))
        }
    }

    /// Comparisons joined by `and` and `or`, up to the end.
    mutating func condition(isNegated: Bool = false) throws(SyntaxError) -> Condition {
        let offset = current.start
        compilation.isTesting = true
        defer { compilation.isTesting = false }
        var terms = [try comparison()]
        var isAnd: [Bool] = []
        while isWord("and") || isWord("or") {
            isAnd.append(isWord("and"))
            advance()
            terms.append(try comparison())
        }
        try expectEnd()
        return Condition(terms: terms, isAnd: isAnd, isNegated: isNegated, offset: offset)
    }

    /// A value that a case compares, as a condition does.
    mutating func tested() throws(SyntaxError) -> Expression {
        compilation.isTesting = true
        defer { compilation.isTesting = false }
        return try expression()
    }

    private mutating func comparison() throws(SyntaxError) -> ComparisonTerm {
        let left = try expression()
        guard let relation = try relation() else {
            return ComparisonTerm(left: left, relation: .truth, right: .literal(.null))
        }
        return ComparisonTerm(left: left, relation: relation, right: try expression())
    }

    private mutating func relation() throws(SyntaxError) -> ComparisonTerm.Operator? {
        if takeWord("contains") { return .contains }
        guard current.kind == .comparison else { return nil }
        let relation: ComparisonTerm.Operator
        switch text(current) {
        case "==": relation = .equal
        case "!=", "<>": relation = .notEqual
        case "<": relation = .less
        case "<=": relation = .lessOrEqual
        case ">": relation = .greater
        case ">=": relation = .greaterOrEqual
        default: throw unexpected("a comparison such as '=='")
        }
        advance()
        return relation
    }
}
