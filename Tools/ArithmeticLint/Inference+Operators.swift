import SwiftSyntax

extension Inference {
    func prefix(_ prefix: PrefixOperatorExprSyntax, _ scope: Scope) -> Facts {
        var facts = facts(prefix.expression, scope)
        switch prefix.operator.text {
        case "-": facts.isNatural = false
        case "!": return Facts(kind: .bool)
        case "~": return Facts(kind: facts.kind)
        default: break
        }
        return facts
    }

    func infix(_ infix: InfixOperatorExprSyntax, _ scope: Scope) -> Facts {
        guard let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else { return .unknown }
        let (left, right) = (facts(infix.leftOperand, scope), facts(infix.rightOperand, scope))
        if let result = Self.result(of: name, left, right) { return result }
        return NarrowDigits.isSafe(infix)
            ? Facts(kind: left.kind, isBounded: true, isNatural: true) : narrow(left, right)
    }

    private func narrow(_ left: Facts, _ right: Facts) -> Facts {
        var facts = left.unified(right)
        if facts.kind.isNarrow, !left.isBounded || !right.isBounded { facts.isBounded = false }
        return facts
    }

    /// What an operator makes of two values, or `nil` where that is what both have in common.
    private static func result(of name: String, _ left: Facts, _ right: Facts) -> Facts? {
        var both = left.unified(right)
        switch name {
        case "==", "!=", "<", ">", "<=", ">=", "&&", "||", "~=", "===", "!==": return Facts(kind: .bool)
        case "...", "..<": return Facts(kind: .range(both.kind), isBounded: both.isBounded, isNatural: both.isNatural)
        case "??": return both
        case "+" where !both.kind.isNarrow, "*" where !both.kind.isNarrow, "&+" where !both.kind.isNarrow,
            "&*" where !both.kind.isNarrow:
            return both
        case "-" where !both.kind.isNarrow, "&-" where !both.kind.isNarrow:
            both.isNatural = false
            return both
        case "/": return Facts(kind: both.kind, isBounded: left.isBounded, isNatural: both.isNatural)
        case "%": return Facts(kind: both.kind, isBounded: right.isBounded, isNatural: left.isNatural)
        case "&":
            let mask = [left, right].contains { $0.isBounded && $0.isNatural }
            return Facts(kind: both.kind, isBounded: mask, isNatural: mask)
        case ">>": return left
        case "<<", "&<<", "&>>", "|", "^", "&+", "&-", "&*": return Facts(kind: both.kind)
        default: return nil
        }
    }
}

/// Knows `byte - UInt8(ascii: "a")` in the case in which the byte is no less.
enum NarrowDigits {
    static func isSafe(_ infix: InfixOperatorExprSyntax) -> Bool {
        guard infix.operator.trimmedDescription == "-" else { return false }
        let (subject, least) = (infix.leftOperand.trimmedDescription, infix.rightOperand.trimmedDescription)
        guard let label = Syntax(infix).nearest(SwitchCaseSyntax.self),
            let choice = Syntax(label).nearest(SwitchExprSyntax.self),
            choice.subject.trimmedDescription == subject, case .case(let cases) = label.label
        else { return false }
        return cases.caseItems.allSatisfy { $0.pattern.trimmedDescription.hasPrefix(least + "...") }
    }
}

extension Syntax {
    /// The nearest node of a kind around this one.
    func nearest<Node: SyntaxProtocol>(_ kind: Node.Type) -> Node? {
        var node = parent
        while let current = node {
            if let found = current.as(kind) { return found }
            node = current.parent
        }
        return nil
    }
}
