import SwiftSyntax

/// What is looked for.
enum Rule: String, CaseIterable {
    /// Sum, difference, product, quotient or remainder of whole numbers that may not fit.
    case arithmetic
    /// A conversion to a whole number that ends the process where the value does not fit.
    case conversion
    /// A range whose bounds may be the wrong way round.
    case range
    /// An element at a place that may not be there.
    case element
    /// A count that may be negative, or larger than any memory.
    case amount
    /// What ends the process by design.
    case trap
}

/// Something that may end the process.
struct Hit {
    let rule: Rule
    let position: AbsolutePosition
    let end: AbsolutePosition
    let message: String
}

/// Finds, in one file, what may end the process.
final class RuleVisitor: ScopeVisitor {
    private(set) var hits: [Hit] = []
    let inference: Inference

    override init(_ book: Book) {
        inference = Inference(book: book)
        super.init(book)
    }

    func add(_ rule: Rule, _ node: some SyntaxProtocol, _ message: String) {
        // One of a sum is enough.
        if rule == .arithmetic, let last = hits.last(where: { $0.rule == .arithmetic }), last.end >= node.endPosition {
            return
        }
        hits.append(
            Hit(
                rule: rule,
                position: node.positionAfterSkippingLeadingTrivia,
                end: node.endPosition,
                message: message
            )
        )
    }

    func facts(_ expression: ExprSyntax) -> Facts { inference.facts(expression, scope) }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let name = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else { return .visitChildren }
        switch name {
        case "+", "-", "*", "/", "%": checkOperator(name, node)
        case "+=", "-=", "*=", "/=", "%=": checkOperator(String(name.dropLast()), node)
        case "...", "..<": checkRange(node)
        default: break
        }
        return .visitChildren
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.operator.text == "-", !node.expression.is(IntegerLiteralExprSyntax.self) else {
            return .visitChildren
        }
        let facts = facts(node.expression)
        if inference.isHarmless(facts.kind) || facts.isBounded && facts.kind != .unsigned { return .visitChildren }
        add(.arithmetic, node, "the smallest number has no negative: -\(node.expression.trimmedDescription)")
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        checkCall(node)
        return .visitChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        checkReference(node)
        return .visitChildren
    }

    override func visit(_ node: SubscriptCallExprSyntax) -> SyntaxVisitorContinueKind {
        checkElement(node)
        return .visitChildren
    }

    override func visit(_ node: ForceUnwrapExprSyntax) -> SyntaxVisitorContinueKind {
        add(.trap, node, "nothing may be there: \(node.trimmedDescription)")
        return .visitChildren
    }

    override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
        if node.questionOrExclamationMark?.text == "!" { add(.trap, node, "try!") }
        return .visitChildren
    }

    override func visit(_ node: AsExprSyntax) -> SyntaxVisitorContinueKind {
        if node.questionOrExclamationMark?.text == "!" { add(.trap, node, "as!") }
        return .visitChildren
    }

    override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
        if node.name.text == "unowned" { add(.trap, node, "unowned") }
        return .visitChildren
    }

    override func visit(_ node: ClosureCaptureSpecifierSyntax) -> SyntaxVisitorContinueKind {
        if node.specifier.text == "unowned" { add(.trap, node, "unowned") }
        return .visitChildren
    }
}

// MARK: Arithmetic

extension RuleVisitor {
    private func checkOperator(_ name: String, _ node: InfixOperatorExprSyntax) {
        let (left, right) = (facts(node.leftOperand), facts(node.rightOperand))
        let kind = left.kind.unified(right.kind)
        // Where one side is a text, a list or has a fraction, both are.
        if inference.isHarmless(left.kind) || inference.isHarmless(right.kind) || kind == .literal { return }
        // What is the same in every run is found by the first one.
        if isConstant(node.leftOperand), isConstant(node.rightOperand) { return }
        if ["/", "%"].contains(name) {
            if Self.isPositive(node.rightOperand) || isConstant(node.rightOperand) { return }
            return add(.arithmetic, node, "the divisor may be 0: \(node.trimmedDescription)")
        }
        if kind.isNarrow {
            if NarrowDigits.isSafe(node) || left.isBounded && right.isBounded && left.kind.isNarrow && name != "-" {
                return
            }
        } else if kind == .unsigned {
            if name != "-", left.isBounded, right.isBounded { return }
        } else if left.isBounded, right.isBounded, kind != .unknown {
            return
        }
        let isUnknown = if case .named = kind { true } else { kind == .unknown }
        let what = isUnknown ? "may be whole numbers that" : "whole numbers that"
        add(.arithmetic, node, "\(what) may not fit: \(node.shortDescription)")
    }

    /// Whether it is a number above 0, or the larger of one and another.
    private static func isPositive(_ expression: ExprSyntax) -> Bool {
        if let literal = expression.as(IntegerLiteralExprSyntax.self) { return literal.literal.text != "0" }
        guard let call = expression.as(FunctionCallExprSyntax.self), Inference.callee(call).name == "max" else {
            return false
        }
        return call.arguments.contains { isPositive($0.expression) }
    }

    private func checkRange(_ node: InfixOperatorExprSyntax) {
        if isConstant(node.leftOperand), isConstant(node.rightOperand) { return }
        if Evidence.isOrdered(node, scope) { return }
        let (left, right) = (facts(node.leftOperand), facts(node.rightOperand))
        if node.leftOperand.trimmedDescription == "0", right.isNatural { return }
        if node.leftOperand.trimmedDescription.hasSuffix(".startIndex") { return }
        if node.rightOperand.trimmedDescription.hasSuffix(".endIndex"), left.kind == .text { return }
        add(.range, node, "the bounds may be the wrong way round: \(node.shortDescription)")
    }

    /// Whether the value stands in the source, so that it is the same in every run.
    func isConstant(_ expression: ExprSyntax) -> Bool {
        if Self.isLiteral(expression) || Self.isSystemConstant(expression) { return true }
        if let infix = expression.as(InfixOperatorExprSyntax.self) {
            return isConstant(infix.leftOperand) && isConstant(infix.rightOperand)
        }
        if let member = expression.as(MemberAccessExprSyntax.self),
            ["max", "min"].contains(member.declName.baseName.text),
            member.base.map({ Kind(named: $0.trimmedDescription).isInteger }) ?? true
        {
            return true
        }
        if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text {
            guard let variable = scope.variable(name), variable.isConstant else { return false }
            return variable.sources.first.map { isConstant($0.expression) } ?? false
        }
        if let call = expression.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
            case (let name?, nil) = Inference.callee(call), Kind(named: name).isInteger,
            let argument = call.arguments.first
        {
            return isConstant(argument.expression)
        }
        guard let member = expression.as(MemberAccessExprSyntax.self), let base = member.base?.trimmedDescription,
            let type = base == "Self" ? scope.enclosingType : book.types[base],
            let variable = type.properties[member.declName.baseName.text], variable.isConstant,
            let value = variable.sources.first?.expression
        else { return false }
        return isConstant(value)
    }

    /// Whether it is a constant of the C library, which are all of capital letters: `SQLITE_UTF8`, `NI_MAXHOST`.
    private static func isSystemConstant(_ expression: ExprSyntax) -> Bool {
        var expression = expression
        if let member = expression.as(MemberAccessExprSyntax.self), member.declName.baseName.text == "rawValue",
            let base = member.base
        {
            expression = base
        }
        let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
        return name.count > 3 && name.allSatisfy { $0.isUppercase || $0.isNumber || $0 == "_" }
    }

    /// Whether it is a literal, with or without a sign.
    private static func isLiteral(_ expression: ExprSyntax) -> Bool {
        if expression.is(IntegerLiteralExprSyntax.self) || expression.is(FloatLiteralExprSyntax.self) { return true }
        if expression.is(StringLiteralExprSyntax.self) { return true }
        if let prefix = expression.as(PrefixOperatorExprSyntax.self) { return isLiteral(prefix.expression) }
        guard let call = expression.as(FunctionCallExprSyntax.self) else { return false }
        return call.arguments.first?.label?.text == "ascii"
    }
}

extension SyntaxProtocol {
    /// The text on one line.
    var shortDescription: String {
        let words = trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.count > 90 ? words.prefix(90) + "…" : words
    }
}
