extension TemplateParser {
    mutating func branch(_ token: Token) throws(SyntaxError) -> (node: TemplateNode, isBlank: Bool) {
        let end = "end" + token.name
        var condition = try reported { () throws(SyntaxError) in
            try self.condition(token.content, isNegated: token.name == "unless")
        }
        var arms: [(condition: Condition?, body: Body)] = []
        while true {
            let part = try body(until: ["elsif", "else", end], of: token)
            arms.append((condition, part.body))
            guard let next = part.end, next.name != end else { break }
            condition = nil
            if next.name == "elsif" {
                condition = try reported { () throws(SyntaxError) in try self.condition(next.content) }
            }
        }
        let isBlank = arms.allSatisfy(\.body.isBlank)
        let branches = arms.map { Branch(condition: $0.condition, body: isBlank ? $0.body.withoutText : $0.body.nodes) }
        return (.branch(branches), isBlank)
    }

    /// Runs a part of a block tag whose failure must not lose the rest of the block when problems are gathered.
    private func reported<Value>(_ parse: () throws(SyntaxError) -> Value) throws(SyntaxError) -> Value? {
        do throws(SyntaxError) {
            return try parse()
        } catch {
            try compilation.report(error)
            return nil
        }
    }

    private func condition(_ region: Range<Int>, isNegated: Bool = false) throws(SyntaxError) -> Condition {
        var parser = try ExpressionParser(region, in: compilation)
        return try parser.condition(isNegated: isNegated)
    }

    mutating func choice(_ token: Token) throws(SyntaxError) -> (node: TemplateNode, isBlank: Bool) {
        let subject = try reported { () throws(SyntaxError) in
            var parser = try ExpressionParser(token.content, in: self.compilation)
            let subject = try parser.tested()
            try parser.expectEnd()
            return subject
        }
        var next = try body(until: ["when", "else", "endcase"], of: token).end
        var arms: [(values: [Expression], isElse: Bool, body: Body)] = []
        while let arm = next, arm.name != "endcase" {
            let values = try reported { () throws(SyntaxError) in try self.values(of: arm) } ?? []
            let part = try body(until: ["when", "else", "endcase"], of: token)
            arms.append((values, arm.name == "else", part.body))
            next = part.end
        }
        let isBlank = arms.allSatisfy(\.body.isBlank)
        let choice = Choice(
            subject: subject ?? .literal(.null),
            arms: arms.map {
                Choice.Arm(values: $0.values, isElse: $0.isElse, body: isBlank ? $0.body.withoutText : $0.body.nodes)
            },
            offset: token.start
        )
        return (.choice(choice), isBlank)
    }

    /// The values of a `when`, none for an `else`.
    ///
    /// What follows them without a comma or `or`, and a comma at the end, have no effect unless the syntax is strict.
    private func values(of arm: Token) throws(SyntaxError) -> [Expression] {
        guard arm.name != "else" else {
            guard trimmed(arm.content).isEmpty else {
                throw SyntaxError("'else' stands alone in a 'case'.", at: arm.content.lowerBound)
            }
            return []
        }
        let isStrict = compilation.environment.isStrict
        var parser = try ExpressionParser(arm.content, in: compilation)
        var values = [try parser.tested()]
        while parser.take(",") || parser.takeWord("or") {
            if parser.isAtEnd, !isStrict { break }
            values.append(try parser.tested())
        }
        if isStrict { try parser.expectEnd() }
        return values
    }

    mutating func loop(_ token: Token) throws(SyntaxError) -> (node: TemplateNode, isBlank: Bool) {
        let header = try reported { () throws(SyntaxError) in try self.loopHeader(token) }
        let main = try body(until: ["else", "endfor"], of: token)
        var otherwise = Body()
        var end = main.end
        var isFirstElse = true
        while end?.name == "else" {
            let part = try body(until: ["else", "endfor"], of: token)
            if isFirstElse { otherwise = part.body }
            isFirstElse = false
            end = part.end
        }
        let isBlank = main.body.isBlank && otherwise.isBlank
        let loop = Loop(
            variable: header?.variable ?? 0,
            name: header?.name ?? "",
            collection: header?.collection ?? .literal(.null),
            window: header?.window ?? LoopWindow(),
            body: isBlank ? main.body.withoutText : main.body.nodes,
            otherwise: isBlank ? otherwise.withoutText : otherwise.nodes,
            offset: token.start
        )
        return (.loop(loop), isBlank)
    }

    private struct LoopHeader {
        let variable: Int
        let name: String
        let collection: Expression
        var window = LoopWindow()
        var columns: Expression?
    }

    private func loopHeader(_ token: Token) throws(SyntaxError) -> LoopHeader {
        var parser = try ExpressionParser(token.content, in: compilation)
        let variable = try parser.identifier("the name of the loop's variable")
        guard parser.takeWord("in") else { throw parser.unexpected("'in'") }
        let start = parser.current.start
        let collection = try parser.expression()
        // safe: the parser only goes on
        let name = compilation.text(trimmed(start..<parser.current.start))
        _ = compilation.id(of: "forloop")
        var header = LoopHeader(
            variable: compilation.id(of: variable),
            name: variable + "-" + name,
            collection: collection
        )
        try loopOptions(&parser, into: &header, token)
        return header
    }

    private func loopOptions(
        _ parser: inout ExpressionParser,
        into header: inout LoopHeader,
        _ token: Token
    )
        throws(SyntaxError)
    {
        while !parser.isAtEnd {
            if parser.take(",") { continue }
            if parser.takeWord("reversed") {
                header.window.isReversed = true
                continue
            }
            let known = token.name == "for" ? "'limit', 'offset' or 'reversed'" : "'cols', 'limit' or 'offset'"
            let offset = parser.current.start
            let option = try parser.identifier(known)
            try parser.expect(":")
            switch option {
            case "limit": header.window.limit = try parser.expression()
            case "offset" where parser.takeWord("continue"): header.window.offset = .resume
            case "offset": header.window.offset = .at(try parser.expression())
            case "cols" where token.name == "tablerow": header.columns = try parser.expression()
            case "range" where token.name == "tablerow": _ = try parser.expression()
            default: throw SyntaxError("A loop takes \(known), not '\(option.quoted)'.", at: offset)
            }
        }
    }

    mutating func table(_ token: Token) throws(SyntaxError) -> (node: TemplateNode, isBlank: Bool) {
        let header = try reported { () throws(SyntaxError) in try self.loopHeader(token) }
        let body = try body(until: ["endtablerow"], of: token).body
        let table = Table(
            variable: header?.variable ?? 0,
            collection: header?.collection ?? .literal(.null),
            window: header?.window ?? LoopWindow(),
            columns: header?.columns,
            loopName: compilation.id(of: "tablerowloop"),
            body: body.nodes,
            offset: token.start
        )
        return (.table(table), body.isBlank)
    }

    mutating func ifChanged(_ token: Token) throws(SyntaxError) -> (node: TemplateNode, isBlank: Bool) {
        let body = try body(until: ["endifchanged"], of: token).body
        return (.ifChanged(body.nodes), body.isBlank)
    }
}
