import SwiftSyntax

/// Says what an expression can be.
struct Inference {
    let book: Book

    func facts(_ expression: ExprSyntax, _ scope: Scope) -> Facts {
        switch expression.as(ExprSyntaxEnum.self) {
        case .integerLiteralExpr: Facts(kind: .literal, isBounded: isSmall(expression), isNatural: true)
        // Nothing is given where there is none.
        case .nilLiteralExpr: Facts(kind: .literal, isBounded: true, isNatural: true)
        case .floatLiteralExpr: Facts(kind: .float)
        case .stringLiteralExpr: Facts(kind: .text)
        case .booleanLiteralExpr: Facts(kind: .bool)
        case .arrayExpr(let array): list(array, scope)
        case .dictionaryExpr: Facts(kind: .map(.unknown))
        case .tupleExpr(let tuple) where tuple.elements.count == 1:
            tuple.elements.first.map { facts($0.expression, scope) } ?? .unknown
        case .tryExpr(let inner): facts(inner.expression, scope)
        case .inOutExpr(let inner): facts(inner.expression, scope)
        case .awaitExpr(let inner): facts(inner.expression, scope)
        case .forceUnwrapExpr(let inner): facts(inner.expression, scope)
        case .optionalChainingExpr(let inner): facts(inner.expression, scope)
        case .asExpr(let cast): Facts(kind: Kind(cast.type, book.aliases))
        case .isExpr: Facts(kind: .bool)
        case .prefixOperatorExpr(let prefix): self.prefix(prefix, scope)
        case .infixOperatorExpr(let infix): self.infix(infix, scope)
        case .ternaryExpr(let ternary):
            facts(ternary.thenExpression, scope).unified(facts(ternary.elseExpression, scope))
        case .declReferenceExpr(let name): reference(name.baseName.text, scope)
        case .memberAccessExpr(let member): self.member(member, scope)
        case .subscriptCallExpr(let call): element(of: facts(call.calledExpression, scope).kind)
        case .genericSpecializationExpr(let special): facts(special.expression, scope)
        case .functionCallExpr(let call): self.call(call, scope)
        case .ifExpr(let branch): join(branches(branch), scope)
        case .switchExpr(let choice): join(branches(choice), scope)
        default: .unknown
        }
    }

    /// Whether arithmetic on a kind never ends the process, or is none.
    ///
    /// A type that no source declares may be another name of a number: where it is declared in a file that isn't read,
    /// what was found of it before must not vanish.
    func isHarmless(_ kind: Kind) -> Bool {
        guard case .named(let name) = kind else { return kind.isHarmless }
        return book.declared.contains(name) || Kind.outside.contains(name)
    }

    private func list(_ array: ArrayExprSyntax, _ scope: Scope) -> Facts {
        let elements = array.elements.map { facts($0.expression, scope).kind }
        return Facts(kind: .list(elements.dropFirst().reduce(elements.first ?? .unknown) { $0.unified($1) }))
    }

    private func isSmall(_ literal: ExprSyntax) -> Bool {
        let digits = literal.trimmedDescription.filter { $0 != "_" }
        return digits.hasPrefix("0x") ? digits.count <= 14 : digits.count <= 15
    }

    private func element(of kind: Kind) -> Facts {
        switch kind {
        case .list(let element), .map(let element): Facts(kind: element)
        case .named(let name): Facts(kind: book.types[name]?.elementKind ?? .unknown)
        default: .unknown
        }
    }

    // MARK: Names

    private func reference(_ name: String, _ scope: Scope) -> Facts {
        if let variable = scope.variable(name) { return variable.facts }
        // In an extension of a number, that is one.
        if name == "self", let type = scope.enclosingType, Kind(named: type.name).isInteger {
            return Facts(kind: Kind(named: type.name))
        }
        if let known = Self.members[name], known.kind == .float { return known }
        // A function by its name is no number.
        return book.functions[name] == nil ? .unknown : Facts(kind: .named("function"))
    }

    private func member(_ member: MemberAccessExprSyntax, _ scope: Scope) -> Facts {
        let name = member.declName.baseName.text
        if let known = Self.members[name] { return known }
        guard let base = member.base else { return shared(name, scope) }
        if ["max", "min"].contains(name), Kind(named: base.trimmedDescription).isInteger {
            return Facts(kind: Kind(named: base.trimmedDescription))
        }
        if name == "self" { return facts(base, scope) }
        if name == "now", isContinuousClock(base, scope) { return Facts(kind: .named("Instant")) }
        // What a value takes in memory.
        if ["stride", "size", "alignment"].contains(name), base.trimmedDescription.hasPrefix("MemoryLayout<") {
            return Facts(kind: .integer, isBounded: true, isNatural: true)
        }
        if ["lowerBound", "upperBound"].contains(name) { return bound(of: facts(base, scope)) }
        if ["first", "last"].contains(name) {
            let whole = facts(base, scope)
            if case .range = whole.kind { return bound(of: whole) }
            let element = element(of: whole.kind)
            if element.kind != .unknown { return element }
        }
        if case .tuple(let kinds) = facts(base, scope).kind { return Facts(kind: kinds[name] ?? .unknown) }
        if let type = type(of: base, scope), let variable = type.properties[name] { return variable.facts }
        return narrowed(name, of: base) ?? shared(name, scope)
    }

    private func isContinuousClock(_ base: ExprSyntax, _ scope: Scope) -> Bool {
        base.trimmedDescription == "ContinuousClock" || facts(base, scope).kind == .named("ContinuousClock")
    }

    /// What the properties of that name have in common in the types that the base can be of: `day.utc.number` has the
    /// `number` of a type of which some `utc` is, where that has one.
    private func narrowed(_ name: String, of base: ExprSyntax) -> Facts? {
        guard let outer = base.as(MemberAccessExprSyntax.self)?.declName.baseName.text else { return nil }
        var found: [Variable] = []
        for variable in book.members(outer) {
            // A type may have a property by a protocol.
            guard case .named(let type) = variable.facts.kind, let entry = book.types[type] else { return nil }
            if let own = entry.properties[name] { found.append(own) }
        }
        guard let first = found.first, !book.protocols.contains(where: { book.types[$0]?.properties[name] != nil })
        else { return nil }
        return found.dropFirst().reduce(first.facts) { $0.joined($1.facts) }
    }

    private func bound(of range: Facts) -> Facts {
        guard case .range(let kind) = range.kind else { return .unknown }
        return Facts(kind: kind, isBounded: range.isBounded, isNatural: range.isNatural)
    }

    /// The type of a base: `self`, the name of a type, or what a variable is.
    func type(of base: ExprSyntax, _ scope: Scope) -> TypeEntry? {
        let text = base.trimmedDescription
        if text == "self" || text == "Self" { return scope.enclosingType }
        if let name = text.split(separator: ".").last, let type = book.types[String(name)] { return type }
        guard case .named(let name) = facts(base, scope).kind else { return nil }
        return book.types[name.split(separator: ".").last.map(String.init) ?? name]
    }

    /// What the properties of that name have in common.
    private func shared(_ name: String, _ scope: Scope) -> Facts {
        let found = book.members(name)
        guard let first = found.first else { return .unknown }
        return found.dropFirst().reduce(first.facts) { $0.joined($1.facts) }
    }

    /// Members whose meaning is always the same.
    private static let members: [String: Facts] = {
        var members: [String: Facts] = [:]
        let natural = Facts(kind: .integer, isBounded: true, isNatural: true)
        for name in [
            "count", "utf8CodeUnitCount", "underestimatedCount", "offset_", "wholeNumberValue", "hexDigitValue",
        ] {
            members[name] = natural
        }
        for name in ["infinity", "pi", "nan", "greatestFiniteMagnitude", "timeIntervalSince1970"] {
            members[name] = Facts(kind: .float)
        }
        members["timeIntervalSinceReferenceDate"] = Facts(kind: .float)
        for name in ["isEmpty", "isFinite"] { members[name] = Facts(kind: .bool) }
        for name in ["keys", "values"] { members[name] = Facts(kind: .list(.unknown)) }
        for name in ["utf8", "utf16"] { members[name] = Facts(kind: .list(.byte)) }
        for name in ["startIndex", "endIndex"] { members[name] = natural }
        for name in ["rawValue", "description", "text"] where name == "description" {
            members[name] = Facts(kind: .text)
        }
        return members
    }()

    // MARK: Branches

    private func join(_ expressions: [ExprSyntax]?, _ scope: Scope) -> Facts {
        guard let expressions, let first = expressions.first else { return .unknown }
        return expressions.dropFirst().reduce(facts(first, scope)) { $0.unified(facts($1, scope)) }
    }

    private func branches(_ branch: IfExprSyntax) -> [ExprSyntax]? {
        guard let body = Self.only(branch.body.statements) else { return nil }
        switch branch.elseBody {
        case .codeBlock(let block): return Self.only(block.statements).map { [body, $0] }
        case .ifExpr(let next): return branches(next).map { [body] + $0 }
        default: return nil
        }
    }

    private func branches(_ choice: SwitchExprSyntax) -> [ExprSyntax]? {
        var found: [ExprSyntax] = []
        for case .switchCase(let part) in choice.cases {
            // A case that returns or throws says nothing of the value.
            guard let expression = Self.only(part.statements) else { return nil }
            found.append(expression)
        }
        return found
    }

    /// The only expression of a body.
    static func only(_ statements: CodeBlockItemListSyntax) -> ExprSyntax? {
        guard statements.count == 1, let item = statements.first?.item else { return nil }
        if case .expr(let expression) = item { return expression }
        if case .stmt(let statement) = item, let inner = statement.as(ExpressionStmtSyntax.self) {
            return inner.expression
        }
        return nil
    }
}
