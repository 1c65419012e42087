extension TemplateParser {
    func cycle(_ token: Token) throws(SyntaxError) -> TemplateNode {
        var parser = try ExpressionParser(token.content, in: compilation)
        var values = [try parser.expression()]
        var name: Expression?
        if parser.take(":") {
            name = values.removeFirst()
            values.append(try parser.expression())
        }
        while parser.skip(to: ",") {
            if parser.isAtEnd { break }
            values.append(try parser.expression())
        }
        try parser.expectEnd()
        let constants = values.compactMap { value in
            if case .literal(let constant) = value {
                "\(constant.kind) \(constant.text.utf8.count) \(constant.text)"
            } else {
                nil
            }
        }
        // Tags of the same constants are one cycle; what is read from variables is a cycle of its own.
        let key =
            constants.count == values.count
            ? constants.joined(separator: ",") : "\(token.start) \(compilation.text(trimmed(token.content)))"
        return .cycle(Cycle(name: name, key: ByteText("=" + key), values: values, offset: token.start))
    }

    func partial(_ token: Token) throws(SyntaxError) -> TemplateNode {
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
