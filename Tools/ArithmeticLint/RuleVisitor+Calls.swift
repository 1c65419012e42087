import SwiftSyntax

extension RuleVisitor {
    private static let conversions: Set = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "CInt", "Int128",
    ]
    private static let ends: Set = [
        "fatalError", "precondition", "preconditionFailure", "assertionFailure", "assert", "unsafeBitCast",
        "unsafeDowncast",
    ]
    private static let amounts: Set = [
        "prefix", "suffix", "dropFirst", "dropLast", "removeFirst", "removeLast", "reserveCapacity",
    ]

    func checkCall(_ node: FunctionCallExprSyntax) {
        let (name, base) = Inference.callee(node)
        guard let name else { return }
        let first = node.arguments.first
        if base == nil, Self.conversions.contains(name) || book.aliases[name].map(Self.isWhole) == true {
            checkConversion(to: name, node)
        } else if base == nil, Self.ends.contains(name) {
            add(.trap, node, name)
        } else if base == nil, name == "abs", let first {
            let facts = facts(first.expression)
            if !inference.isHarmless(facts.kind), !facts.isBounded {
                add(.arithmetic, node, "the smallest number has no absolute value: \(node.shortDescription)")
            }
        } else if let base, Self.amounts.contains(name) {
            checkAmount(name, node, base)
        } else if let repeated = node.arguments.first(where: { $0.label?.text == "count" }),
            node.arguments.first?.label?.text == "repeating"
        {
            checkCount(repeated.expression, node)
        } else {
            checkNamed(name, base, node)
        }
    }

    private static func isWhole(_ type: TypeSyntax) -> Bool { Kind(type).isInteger }

    private func checkNamed(_ name: String, _ base: ExprSyntax?, _ node: FunctionCallExprSyntax) {
        let first = node.arguments.first
        if first?.label?.text == "uniqueKeysWithValues" {
            add(.trap, node, "two keys may be the same: \(node.shortDescription)")
        } else if ["seconds", "milliseconds", "microseconds", "nanoseconds"].contains(name), let first,
            first.label == nil, node.arguments.count == 1, !first.expression.is(PatternExprSyntax.self),
            node.calledExpression.is(MemberAccessExprSyntax.self),
            base == nil || base?.trimmedDescription == "Duration"
        {
            checkDuration(first.expression, node)
        } else if base == nil, name == "Character", let first, first.label == nil,
            facts(first.expression).kind != .named("Unicode.Scalar")
        {
            if !(first.expression.trimmedDescription.hasPrefix("Unicode.Scalar(")) {
                add(.trap, node, "may be no single character: \(node.shortDescription)")
            }
        }
    }

    /// Durations of seconds with a fraction end the process where they are beyond 128 bits.
    private func checkDuration(_ argument: ExprSyntax, _ node: FunctionCallExprSyntax) {
        if isConstant(argument) { return }
        add(.conversion, node, "may not fit: \(node.shortDescription)")
    }

    private func checkConversion(to name: String, _ node: FunctionCallExprSyntax) {
        guard let argument = node.arguments.first, node.arguments.count == 1, argument.label == nil else { return }
        let expression = argument.expression
        if isConstant(expression) || isFailable(node) { return }
        let facts = facts(expression)
        if Self.fits(facts, Kind(named: name)) { return }
        let what = facts.kind == .float ? "a number with a fraction" : "a number"
        add(.conversion, node, "\(what) that may not fit \(name): \(node.shortDescription)")
    }

    /// Whether every value of that kind is one of the other, or the conversion says that it is none.
    private static func fits(_ facts: Facts, _ target: Kind) -> Bool {
        switch (facts.kind, target) {
        case (.text, _), (.literal, _), (.integer, .integer), (.unsigned, .unsigned): true
        case (.narrow, .integer): true
        case (.narrow(_, let isSigned), .unsigned): !isSigned || facts.isNatural
        case (.narrow(let bits, let isSigned), .narrow(let room, let canSign)):
            isSigned == canSign ? bits <= room : !isSigned && bits < room
        case (.integer, .unsigned): facts.isNatural
        case (.unsigned, .integer): facts.isBounded
        default: false
        }
    }

    /// Whether the value is optional where it is used, so that the conversion is one of a text.
    private func isFailable(_ node: FunctionCallExprSyntax) -> Bool {
        var parent = node.parent
        while let tried = parent, tried.is(TryExprSyntax.self) || tried.is(AwaitExprSyntax.self) {
            parent = tried.parent
        }
        guard let parent else { return false }
        // `flatMap { Int($0) }` takes what may be none.
        if let closure = Syntax(node).nearest(ClosureExprSyntax.self),
            Inference.only(closure.statements)?.id == node.id,
            ["flatMap", "compactMap"].contains(Syntax(closure).nearestCall.flatMap { Inference.callee($0).name } ?? "")
        {
            return true
        }
        if let ternary = parent.as(TernaryExprSyntax.self) {
            return [ternary.thenExpression, ternary.elseExpression].contains { $0.is(NilLiteralExprSyntax.self) }
        }
        if parent.is(OptionalChainingExprSyntax.self) || parent.is(ForceUnwrapExprSyntax.self) { return true }
        if let infix = parent.as(InfixOperatorExprSyntax.self) {
            return infix.operator.trimmedDescription == "??" && infix.leftOperand.id == node.id
                || ["==", "!="].contains(infix.operator.trimmedDescription)
                    && infix.rightOperand.is(NilLiteralExprSyntax.self)
        }
        return parent.is(InitializerClauseSyntax.self) && parent.parent?.is(OptionalBindingConditionSyntax.self) == true
    }

    private func checkAmount(_ name: String, _ node: FunctionCallExprSyntax, _ base: ExprSyntax) {
        guard let argument = node.arguments.first else {
            if ["removeFirst", "removeLast"].contains(name), !Evidence.isBounded(base, around: Syntax(node)) {
                add(.trap, node, "nothing may be there: \(node.shortDescription)")
            }
            return
        }
        guard argument.label == nil, node.arguments.count == 1 else { return }
        checkCount(argument.expression, node, mayBeLarge: name != "reserveCapacity")
        if ["removeFirst", "removeLast"].contains(name), !Evidence.isBounded(base, around: Syntax(node)) {
            add(.amount, node, "fewer may be there: \(node.shortDescription)")
        }
    }

    private func checkCount(_ count: ExprSyntax, _ node: FunctionCallExprSyntax, mayBeLarge: Bool = false) {
        if isConstant(count) { return }
        let facts = facts(count)
        if facts.isNatural, facts.isBounded || mayBeLarge { return }
        if count.is(ClosureExprSyntax.self) { return }
        add(.amount, node, "the count may be negative or too large: \(node.shortDescription)")
    }

    /// `Int.init` as a function is a conversion too.
    func checkReference(_ node: MemberAccessExprSyntax) {
        guard node.declName.baseName.text == "init", node.declName.argumentNames == nil,
            let base = node.base?.trimmedDescription, Self.conversions.contains(base),
            node.parent?.is(FunctionCallExprSyntax.self) != true
        else { return }
        let call = Syntax(node).nearest(FunctionCallExprSyntax.self)
        let method = call.flatMap { Inference.callee($0).name } ?? ""
        guard !["compactMap", "flatMap"].contains(method) else { return }
        add(.conversion, node, "a number that may not fit \(base): \(base).init")
    }
}

// MARK: Elements

extension RuleVisitor {
    func checkElement(_ node: SubscriptCallExprSyntax) {
        guard node.arguments.count == 1, let argument = node.arguments.first, argument.label == nil else { return }
        let place = argument.expression
        if case .map = facts(node.calledExpression).kind { return }
        // Names of members and cases are keys, and so are texts.
        if place.trimmedDescription == "..." || place.is(StringLiteralExprSyntax.self)
            || place.is(KeyPathExprSyntax.self)
        {
            return
        }
        if let member = place.as(MemberAccessExprSyntax.self), member.base == nil { return }
        let kind = facts(place).kind
        if kind == .text || kind == .bool { return }
        if case .named = kind { return }
        if kind == .unknown, !isList(node.calledExpression) { return }
        if case .named(let name) = facts(node.calledExpression).kind, book.types[name]?.elementKind != nil { return }
        if Evidence.isBounded(node.calledExpression, around: Syntax(node)) { return }
        if Evidence.isCompared(place, around: Syntax(node)) { return }
        if !place.is(InfixOperatorExprSyntax.self), let name = Evidence.root(place),
            scope.variable(name)?.isIndex == true
        {
            return
        }
        add(.element, node, "may not be there: \(node.shortDescription)")
    }

    private func isList(_ base: ExprSyntax) -> Bool {
        if case .list = facts(base).kind { return true }
        return facts(base).kind == .text
    }
}
