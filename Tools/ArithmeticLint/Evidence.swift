import SwiftSyntax

/// Looks whether a function asks for the bounds of what it takes elements of.
enum Evidence {
    private static let questions = [
        "count", "isEmpty", "indices", "endIndex", "firstIndex", "lastIndex", "first", "last", "startIndex", "popLast",
        "append", "lastIndex(", "starts",
    ]

    static func isBounded(_ base: ExprSyntax, around node: Syntax) -> Bool {
        let name = base.trimmedDescription
        guard let body = body(around: node) else { return false }
        let text = body.trimmedDescription
        return questions.contains { text.contains("\(name).\($0)") || text.contains("\(name)?.\($0)") }
    }

    /// The function around a node, with its conditions.
    private static func body(around node: Syntax) -> Syntax? {
        var current = node.parent
        while let found = current {
            if found.is(FunctionDeclSyntax.self) || found.is(InitializerDeclSyntax.self)
                || found.is(AccessorBlockSyntax.self) || found.is(SubscriptDeclSyntax.self)
            {
                return found
            }
            current = found.parent
        }
        return nil
    }

    /// Whether the function compares a place with something before it takes what is there.
    static func isCompared(_ place: ExprSyntax, around node: Syntax) -> Bool {
        guard let name = root(place), let body = body(around: node) else { return false }
        return Comparisons(in: body).names.contains { $0.contains(name) }
    }

    /// Whether the upper bound is made of the lower one, or the function compares one with the other.
    static func isOrdered(_ range: InfixOperatorExprSyntax, _ scope: Scope) -> Bool {
        // `1...max(1, count)`
        if let call = range.rightOperand.as(FunctionCallExprSyntax.self), Inference.callee(call).name == "max",
            call.arguments.contains(where: { $0.expression.trimmedDescription == range.leftOperand.trimmedDescription })
        {
            return true
        }
        guard let upper = root(range.rightOperand), let body = body(around: Syntax(range)) else { return false }
        let comparisons = Comparisons(in: body)
        if range.leftOperand.is(IntegerLiteralExprSyntax.self) {
            return comparisons.names.contains { $0.contains(upper) }
        }
        guard let lower = root(range.leftOperand) else { return false }
        if comparisons.names.contains(where: { $0.contains(lower) && $0.contains(upper) }), lower != upper {
            return true
        }
        // `let start = place`, and `place` only grows from there.
        guard lower != upper, scope.variable(upper)?.takesLess == false else { return false }
        return comparisons.copies.contains { $0 == (lower, upper) || $0 == (upper, lower) }
    }

    /// The name that an expression begins with: `place` of `place + 1`, `end` of `self.end`.
    static func root(_ expression: ExprSyntax) -> String? {
        if let name = expression.as(DeclReferenceExprSyntax.self) { return name.baseName.text }
        if let member = expression.as(MemberAccessExprSyntax.self), member.base?.trimmedDescription == "self" {
            return member.declName.baseName.text
        }
        if let infix = expression.as(InfixOperatorExprSyntax.self) { return root(infix.leftOperand) }
        // `place...` and `..<place`
        if let postfix = expression.as(PostfixOperatorExprSyntax.self) { return root(postfix.expression) }
        if let prefix = expression.as(PrefixOperatorExprSyntax.self) { return root(prefix.expression) }
        return nil
    }
}

/// What a function compares, and what it copies into a variable.
private final class Comparisons: SyntaxVisitor {
    private(set) var names: [Set<String>] = []
    private(set) var copies: [(String, String)] = []

    init(in body: Syntax) {
        super.init(viewMode: .sourceAccurate)
        walk(body)
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if ["<", "<=", ">", ">=", "~="].contains(node.operator.trimmedDescription) {
            add(node.leftOperand, node.rightOperand)
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let (name, base) = Inference.callee(node)
        if name == "contains", let argument = node.arguments.first?.expression {
            let bounds = (base?.as(TupleExprSyntax.self)?.elements.first?.expression).flatMap(Self.bounds) ?? []
            add(bounds + [argument])
        }
        return .visitChildren
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        if let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
            let value = node.initializer?.value.as(DeclReferenceExprSyntax.self)?.baseName.text
        {
            copies.append((name, value))
        }
        return .visitChildren
    }

    /// The bounds of `(a..<b)`.
    private static func bounds(_ range: ExprSyntax) -> [ExprSyntax]? {
        range.as(InfixOperatorExprSyntax.self).map { [$0.leftOperand, $0.rightOperand] }
    }

    private func add(_ sides: ExprSyntax...) { add(sides) }

    private func add(_ sides: [ExprSyntax]) { names.append(Set(sides.compactMap(Evidence.root))) }
}
