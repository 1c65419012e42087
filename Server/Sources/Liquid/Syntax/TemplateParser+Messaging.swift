extension TemplateParser {
    /// `abort_message`, `abort_message()` or `abort_message('why')`.
    func abort(_ token: Token) throws(SyntaxError) -> TemplateNode {
        var parser = try ExpressionParser(token.content, in: compilation)
        let isParenthesised = parser.take("(")
        let isEmpty = parser.isAtEnd || (isParenthesised && parser.isSign(")"))
        let reason = isEmpty ? nil : try parser.expression()
        if isParenthesised { try parser.expect(")") }
        try parser.expectEnd()
        let source = reason.map { self.source(of: $0, in: token.content, isParenthesised: isParenthesised) }
        return .abort(reason, source: source, offset: token.start)
    }

    /// The text of a reason that the template has, and of one that is computed the expression in braces.
    private func source(of reason: Expression, in content: Range<Int>, isParenthesised: Bool) -> String {
        if case .literal(.string(let text)) = reason { return text }
        var region = trimmed(content)
        if isParenthesised { region = trimmed(region.dropFirst().dropLast()) }
        return "{{\(compilation.text(region))}}"
    }

    /// An address that may contain Liquid, and options of the form `:name value`.
    func connectedContent(_ token: Token) throws(SyntaxError) -> TemplateNode {
        let parts = options(in: token.content)
        let address = trimmed(parts.address)
        guard !address.isEmpty else { throw SyntaxError("'connected_content' needs an address.", at: token.start) }
        var options: [(name: String, value: [TemplateNode])] = []
        var variable: Int?
        for option in parts.options {
            if option.name == "save" {
                let name = compilation.text(trimmed(option.value))
                guard !name.isEmpty else { throw SyntaxError("':save' needs a name.", at: option.value.lowerBound) }
                variable = compilation.id(of: name)
            } else {
                options.append((name: option.name, value: try nodes(in: option.value)))
            }
        }
        return .connected(
            ConnectedContent(
                address: try nodes(in: address),
                options: options,
                variable: variable,
                defaultVariable: compilation.id(of: "connected"),
                offset: token.start
            )
        )
    }

    private func nodes(in region: Range<Int>) throws(SyntaxError) -> [TemplateNode] {
        var parser = TemplateParser(compilation, region: trimmed(region), depth: 1)
        return try parser.template()
    }

    private typealias Option = (name: String, value: Range<Int>)

    // safe: places in a region of the source
    /// Cuts at every colon that follows white space and precedes a word, outside of outputs and quotes.
    private func options(in region: Range<Int>) -> (address: Range<Int>, options: [Option]) {
        let source = compilation.source
        var starts: [Int] = []
        var outputs = 0
        var isQuoted = false
        for place in region {
            let next = place + 1 < region.upperBound ? source[place + 1] : 0
            if source[place] == UInt8(ascii: "{"), next == UInt8(ascii: "{") { outputs += 1 }
            if source[place] == UInt8(ascii: "}"), next == UInt8(ascii: "}"), outputs > 0 { outputs -= 1 }
            if source[place] == UInt8(ascii: "\"") { isQuoted.toggle() }
            let isMark = source[place] == UInt8(ascii: ":") && next.isLetter && place > region.lowerBound
            if isMark, outputs == 0, !isQuoted, source[place - 1].isLiquidSpace { starts.append(place) }
        }
        let ends = starts.dropFirst() + [region.upperBound]
        let options = zip(starts, ends).map { start, end in
            var stop = start + 1
            while stop < end, source[stop].isWord { stop += 1 }
            return (name: compilation.text(start + 1..<stop), value: stop..<end)
        }
        return (region.lowerBound..<(starts.first ?? region.upperBound), options)
    }
}
