/// Compiles the tokens of a template into nodes.
struct TemplateParser {
    let compilation: Compilation
    var scanner: Scanner
    private var depth = 0

    init(_ compilation: Compilation, region: Range<Int>? = nil, depth: Int = 0) {
        self.compilation = compilation
        let region = region ?? compilation.source.indices
        scanner = Scanner(source: compilation.source, region: region, isDialect: compilation.isDialect)
        self.depth = depth
    }

    /// Nodes, and whether they can print anything but white space.
    struct Body {
        var nodes: [TemplateNode] = []
        var isBlank = true

        /// The nodes without the white space between tags that print nothing.
        var withoutText: [TemplateNode] {
            nodes.filter { node in
                if case .text = node { return false }
                return true
            }
        }
    }

    mutating func template() throws(SyntaxError) -> [TemplateNode] {
        try body(until: []).body.nodes
    }

    /// Nodes up to one of the tags, or to the end of the source when there are none to wait for.
    mutating func body(
        until ends: [String],
        of opening: Token? = nil
    ) throws(SyntaxError) -> (body: Body, end: Token?) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= compilation.environment.limits.nesting else {
            throw SyntaxError("Blocks nest too deep.", code: .nestingLimit, at: opening?.start ?? 0, isFinal: true)
        }
        var body = Body()
        while let token = try scanner.next() {
            if token.kind == .tag, ends.contains(token.name) { return (body, token) }
            do throws(SyntaxError) {
                try append(token, to: &body, within: opening)
            } catch {
                try compilation.report(error)
            }
        }
        if let opening {
            let message = "'\(opening.name)' lacks its 'end\(opening.name)'."
            try compilation.report(SyntaxError(message, code: .unclosedBlock, at: opening.start))
        }
        return (body, nil)
    }

    private mutating func append(_ token: Token, to body: inout Body, within opening: Token?) throws(SyntaxError) {
        switch token.kind {
        case .text:
            guard !token.content.isEmpty else { return }
            // safe: a region of the source
            let text = Array(compilation.source[token.content])
            body.isBlank = body.isBlank && text.allSatisfy(\.isLiquidSpace)
            body.nodes.append(.text(text))
        case .output:
            body.isBlank = false
            var parser = try ExpressionParser(token.content, in: compilation)
            let output = try parser.filtered()
            compilation.notePrinted(output)
            body.nodes.append(.output(output))
        case .tag:
            compilation.usage.tags.insert(token.name)
            try appendTag(token, to: &body, within: opening)
        }
    }

    private mutating func appendTag(_ token: Token, to body: inout Body, within opening: Token?) throws(SyntaxError) {
        switch token.name {
        case "liquid": try appendLines(token, to: &body)
        case "comment": try scanner.skipComment(from: token.start)
        case "doc": try skipDocumentation(token)
        case "#": try checkInlineComment(token)
        case "raw": try appendRaw(token, to: &body)
        case "assign": body.nodes.append(try assign(token))
        case "capture": body.nodes.append(try capture(token))
        case "if", "unless", "case", "for", "tablerow", "ifchanged":
            let block = try block(token)
            body.isBlank = body.isBlank && block.isBlank
            body.nodes.append(block.node)
        default:
            body.nodes.append(try simpleTag(token, within: opening))
            body.isBlank = false
        }
    }

    private mutating func block(_ token: Token) throws(SyntaxError) -> (node: TemplateNode, isBlank: Bool) {
        switch token.name {
        case "if", "unless": try branch(token)
        case "case": try choice(token)
        case "for": try loop(token)
        case "tablerow": try table(token)
        default: try ifChanged(token)
        }
    }

    private mutating func simpleTag(_ token: Token, within opening: Token?) throws(SyntaxError) -> TemplateNode {
        switch token.name {
        case "echo": return try echo(token)
        case "cycle": return try cycle(token)
        case "increment", "decrement": return try counter(token)
        case "include", "render": return try partial(token)
        case "break": return .leave
        case "continue": return .proceed
        case "abort_message" where compilation.isDialect: return try abort(token)
        case "connected_content" where compilation.isDialect: return try connectedContent(token)
        case "": throw SyntaxError("This tag lacks a name.", at: token.start)
        default: throw unknown(token, within: opening)
        }
    }

    private func unknown(_ token: Token, within opening: Token?) -> SyntaxError {
        let name = token.name.quoted
        var message = "No tag is called '\(name)'."
        if ["else", "elsif", "when"].contains(name) {
            message = "'\(name)' has no meaning here."
        } else if name.hasPrefix("end") {
            message =
                opening.map { "'\(name)' does not end '\($0.name)'; 'end\($0.name)' does." }
                ?? "'\(name)' ends nothing."
        }
        return SyntaxError(message, code: .unknownTag, at: token.start)
    }
}

extension TemplateParser {
    private mutating func appendLines(_ token: Token, to body: inout Body) throws(SyntaxError) {
        let outer = scanner
        let region = token.content
        scanner = Scanner(
            source: compilation.source,
            region: region,
            isDialect: compilation.isDialect,
            isLines: true
        )
        defer { scanner = outer }
        let lines = try self.body(until: []).body
        body.isBlank = body.isBlank && lines.isBlank
        body.nodes += lines.nodes
    }

    private mutating func skipDocumentation(_ token: Token) throws(SyntaxError) {
        try expectNoMarkup(token)
        _ = try scanner.verbatim(until: "enddoc", refusing: "doc", from: token.start)
    }

    private func expectNoMarkup(_ token: Token) throws(SyntaxError) {
        // safe: a region of the source
        guard compilation.source[token.content].allSatisfy(\.isLiquidSpace) else {
            throw SyntaxError("'\(token.name)' takes no arguments.", at: token.start)
        }
    }

    /// Every line of an inline comment begins with its sign.
    private func checkInlineComment(_ token: Token) throws(SyntaxError) {
        // safe: a region of the source
        for line in compilation.source[token.content].split(separator: 0x0A).dropFirst() {
            guard let first = line.first(where: { !$0.isLiquidSpace }), first != UInt8(ascii: "#") else { continue }
            throw SyntaxError("Each line of an inline comment begins with '#'.", at: line.startIndex)
        }
    }

    private mutating func appendRaw(_ token: Token, to body: inout Body) throws(SyntaxError) {
        guard !scanner.isLines else { throw SyntaxError("'raw' has no meaning in 'liquid'.", at: token.start) }
        try expectNoMarkup(token)
        // safe: a region of the source
        let text = Array(compilation.source[try scanner.verbatim(until: "endraw", from: token.start)])
        guard !text.isEmpty else { return }
        body.isBlank = false
        body.nodes.append(.text(text))
    }

    // safe: a region of the source, in which the sign was found
    private func assign(_ token: Token) throws(SyntaxError) -> TemplateNode {
        guard let equals = compilation.source[token.content].firstIndex(of: UInt8(ascii: "=")) else {
            throw SyntaxError("'assign' is written: assign name = value.", at: token.start)
        }
        let name = try variableName(token.content.lowerBound..<equals, of: token)
        var parser = try ExpressionParser(equals + 1..<token.content.upperBound, in: compilation)
        return .assign(compilation.id(of: name), try parser.filtered())
    }

    /// A name that `assign` or `capture` may give: letters, digits, and `_ - . [ ]`.
    private func variableName(_ region: Range<Int>, of token: Token) throws(SyntaxError) -> String {
        let name = trimmed(region)
        let signs = "-_.[]".utf8
        // safe: a region of the source
        let isName = compilation.source[name].allSatisfy { $0.isWord || signs.contains($0) }
        guard !name.isEmpty, isName else {
            throw SyntaxError("'\(token.name)' needs the name of a variable.", at: token.start)
        }
        return compilation.text(name)
    }

    func trimmed(_ region: Range<Int>) -> Range<Int> {
        var region = region
        // safe: a place in the source
        while let first = region.first, compilation.source[first].isLiquidSpace { region = region.dropFirst() }
        // safe: a place in the source
        while let last = region.last, compilation.source[last].isLiquidSpace { region = region.dropLast() }
        return region
    }

    // safe: places in the source
    private mutating func capture(_ token: Token) throws(SyntaxError) -> TemplateNode {
        var region = trimmed(token.content)
        if let first = region.first, let last = region.last, region.count > 1,
            compilation.source[first] == compilation.source[last],
            compilation.source[first] == UInt8(ascii: "'") || compilation.source[first] == UInt8(ascii: "\"")
        {
            region = region.dropFirst().dropLast()
        }
        let name = try variableName(region, of: token)
        let body = try body(until: ["endcapture"], of: token).body
        return .capture(compilation.id(of: name), body.nodes)
    }

    private func echo(_ token: Token) throws(SyntaxError) -> TemplateNode {
        var parser = try ExpressionParser(token.content, in: compilation)
        let output = try parser.filtered()
        compilation.notePrinted(output)
        return .output(output)
    }

    private func counter(_ token: Token) throws(SyntaxError) -> TemplateNode {
        let name = trimmed(token.content)
        guard !name.isEmpty else { throw SyntaxError("'\(token.name)' needs a name.", at: token.start) }
        return .counter(compilation.text(name), isIncrement: token.name == "increment")
    }
}
