extension TemplateParser {
    func cycle(_ token: Token) throws(SyntaxFailure) -> Node {
        var parser = try ExpressionParser(token.content, in: compilation)
        let start = parser.current.start
        var values = [try parser.expression()]
        var name: Expression?
        if parser.take(":") {
            name = values.removeFirst()
            values.append(try parser.expression())
        }
        while parser.take(",") {
            if parser.isAtEnd { break }
            values.append(try parser.expression())
        }
        try parser.expectEnd()
        let isConstant = values.allSatisfy { value in
            if case .literal = value { return true }
            return false
        }
        let text = compilation.text(trimmed(start..<token.content.upperBound))
        let key = isConstant ? text : "\(token.start) \(text)"
        return .cycle(Cycle(name: name, key: key, values: values, offset: token.start))
    }

    func partial(_ token: Token) throws(SyntaxFailure) -> Node {
        var parser = try ExpressionParser(token.content, in: compilation)
        let isIsolated = token.name == "render"
        if isIsolated, parser.current.kind != .string { throw parser.unexpected("the name of a template in quotes") }
        let name = try parser.expression()
        if case .literal(.string(let name)) = name { compilation.usage.partials.insert(name) }
        var subject: Expression?
        let isLoop = parser.isWord("for")
        if isLoop || parser.isWord("with"), parser.following.kind != .sign(UInt8(ascii: ":")) {
            parser.advance()
            subject = try parser.expression()
        }
        let alias = parser.isWord("as") && parser.takeWord("as") ? try parser.identifier("a name") : nil
        var arguments: [(name: String, value: Expression)] = []
        while !parser.isAtEnd {
            if parser.take(",") { continue }
            let key = try parser.identifier("the name of an argument")
            try parser.expect(":")
            arguments.append((name: key, value: try parser.expression()))
        }
        return .partial(
            Partial(
                name: name,
                isIsolated: isIsolated,
                subject: subject,
                isLoop: isLoop && subject != nil,
                alias: alias,
                arguments: arguments,
                offset: token.start
            )
        )
    }
}
