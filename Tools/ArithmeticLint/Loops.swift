import SwiftSyntax

/// Declares what a loop counts.
enum LoopNames {
    static func declare(_ pattern: PatternSyntax, in sequence: ExprSyntax, _ scope: Scope) {
        let outer = scope.parent ?? scope
        if let tuple = pattern.as(TuplePatternSyntax.self) {
            let names = tuple.elements.map { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text }
            let isCounted = Inference.isCounted(sequence)
            for (index, name) in names.enumerated() {
                guard let name else { continue }
                let variable = scope.declare(name)
                if index == 0, isCounted {
                    variable.becomeIndex()
                } else if index == 1, let counted = Inference.counted(sequence) {
                    declare(variable, from: counted, outer)
                } else {
                    variable.isOpen = true
                }
            }
            return
        }
        guard let name = pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { return }
        declare(scope.declare(name), from: sequence, outer)
    }

    /// The elements of a sequence: whole numbers of a range, places of a collection, or whatever is in it.
    static func declare(_ variable: Variable, from sequence: ExprSyntax, _ scope: Scope) {
        var sequence = sequence
        while let call = sequence.as(FunctionCallExprSyntax.self),
            let member = call.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base,
            ["reversed", "dropFirst", "dropLast", "prefix", "sorted"].contains(member.declName.baseName.text)
        {
            sequence = base
        }
        if let tuple = sequence.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            sequence = only.expression
        }
        if sequence.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "indices" {
            return variable.becomeIndex()
        }
        if let range = sequence.as(InfixOperatorExprSyntax.self),
            ["...", "..<"].contains(range.operator.trimmedDescription)
        {
            variable.take(range.leftOperand, scope)
            variable.take(range.rightOperand, scope)
        } else if let call = sequence.as(FunctionCallExprSyntax.self), Inference.callee(call).name == "stride" {
            for argument in call.arguments { variable.take(argument.expression, scope) }
        } else {
            variable.elementsOf = (sequence, scope)
        }
    }
}

extension Inference {
    /// The sequence whose elements are counted.
    static func counted(_ sequence: ExprSyntax) -> ExprSyntax? {
        guard let call = sequence.as(FunctionCallExprSyntax.self), let base = callee(call).base else { return nil }
        return callee(call).name == "enumerated" ? base : counted(base)
    }

    /// Whether a sequence has its own places beside its elements.
    static func isCounted(_ sequence: ExprSyntax) -> Bool {
        guard let call = sequence.as(FunctionCallExprSyntax.self) else { return false }
        let (name, base) = callee(call)
        if name == "enumerated" { return true }
        return ["reversed", "sorted", "filter", "prefix", "dropFirst"].contains(name ?? "")
            && base.map(isCounted) == true
    }
}

/// The parameters of a closure, and what is known of them.
struct ClosureNames {
    private let closure: ClosureExprSyntax
    private let names: [String]
    private let kinds: [TypeSyntax?]

    init(_ closure: ClosureExprSyntax) {
        self.closure = closure
        switch closure.signature?.parameterClause {
        case .simpleInput(let list):
            names = list.map(\.name.text)
            kinds = names.map { _ in nil }
        case .parameterClause(let clause):
            names = clause.parameters.map { ($0.secondName ?? $0.firstName).text }
            kinds = clause.parameters.map(\.type)
        default:
            names = ["$0", "$1", "$2"]
            kinds = [nil, nil, nil]
        }
    }

    func declare(in scope: Scope, _ outer: Scope) {
        for (index, name) in names.enumerated() {
            let variable = scope.declare(name, kind: kinds[index].map { Kind($0) })
            guard let call = Syntax(closure).nearestCall, let method = Inference.callee(call).name else {
                variable.isOpen = true
                continue
            }
            declare(variable, at: index, of: method, call, scope, outer)
        }
    }

    private func declare(
        _ variable: Variable,
        at index: Int,
        of method: String,
        _ call: FunctionCallExprSyntax,
        _ scope: Scope,
        _ outer: Scope
    ) {
        guard let base = Inference.callee(call).base else {
            variable.isOpen = true
            return
        }
        if index == 0, ["withLock", "withLockedValue", "withLockUnchecked"].contains(method) {
            variable.lockedBy = (base, outer)
            return
        }
        let isReduction = method == "reduce"
        if isReduction, index == 0, let start = call.arguments.first?.expression {
            // What is summed up begins with the first argument and goes on with what the closure makes of it.
            variable.take(start, outer)
            if let next = Inference.only(closure.statements) { variable.take(next, scope) }
        } else if Self.elementwise.contains(method), index == (isReduction ? 1 : 0) {
            if Inference.isCounted(base) {
                if names.count > 1, !names[0].hasPrefix("$") { variable.becomeIndex() } else { variable.isOpen = true }
            } else {
                LoopNames.declare(variable, from: base, outer)
            }
        } else if method == "sorted" || method == "max" || method == "min", !Inference.isCounted(base) {
            LoopNames.declare(variable, from: base, outer)
        } else {
            variable.isOpen = true
        }
    }

    private static let elementwise: Set = [
        "map", "flatMap", "compactMap", "filter", "forEach", "reduce", "contains", "allSatisfy", "first", "firstIndex",
        "last", "lastIndex", "prefix", "drop", "count", "split",
    ]
}

extension Syntax {
    /// The call that a closure is given to.
    var nearestCall: FunctionCallExprSyntax? {
        if let call = parent?.as(FunctionCallExprSyntax.self) { return call }
        guard let list = parent?.parent, list.is(LabeledExprListSyntax.self) else { return nil }
        return list.parent?.as(FunctionCallExprSyntax.self)
    }
}
