import SwiftSyntax

/// Notes what every variable is given.
final class SourceVisitor: ScopeVisitor {
    private lazy var inference = Inference(book: book)

    // MARK: Declarations

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        guard !Syntax(node).isMember else { return .visitChildren }
        for binding in node.bindings { declare(binding) }
        if Claim.isMade(node) {
            for token in node.tokens(viewMode: .sourceAccurate) { scope.variables[token.text]?.isClaimed = true }
        }
        return .visitChildren
    }

    private func declare(_ binding: PatternBindingSyntax) {
        let kind = binding.typeAnnotation.map { Kind($0.type, book.aliases) }
        if let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text {
            let variable = scope.declare(name, kind: kind)
            if let value = binding.initializer?.value {
                variable.take(value, scope)
            } else if binding.accessorBlock == nil, kind == nil {
                variable.isOpen = true
            }
        } else if let tuple = binding.pattern.as(TuplePatternSyntax.self) {
            declare(tuple, of: binding.initializer?.value)
        }
    }

    private func declare(_ tuple: TuplePatternSyntax, of value: ExprSyntax?) {
        let values = value?.as(TupleExprSyntax.self)?.elements.map(\.expression) ?? []
        for (index, element) in tuple.elements.enumerated() {
            guard let name = element.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
            let variable = scope.declare(name)
            if index < values.count { variable.take(values[index], scope) } else { variable.isOpen = true }
        }
    }

    override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
        guard let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
            openNames(in: Syntax(node.pattern))
            return .visitChildren
        }
        let outer = scope.variable(name)
        let variable = scope.declare(name, kind: node.typeAnnotation.map { Kind($0.type, book.aliases) })
        if let value = node.initializer?.value {
            // The value is what the name meant before.
            variable.take(value, scope.parent ?? scope)
        } else if let outer, outer !== variable {
            variable.kind = variable.kind ?? outer.kind
            variable.take(ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier(name))), scope.parent ?? scope)
        }
        return .visitChildren
    }

    override func visit(_ node: ValueBindingPatternSyntax) -> SyntaxVisitorContinueKind {
        openNames(in: Syntax(node.pattern))
        declareCast(node)
        return .visitChildren
    }

    /// What `case let number as Int` binds is of that type.
    private func declareCast(_ node: ValueBindingPatternSyntax) {
        guard let cast = node.pattern.as(ExpressionPatternSyntax.self)?.expression.as(AsExprSyntax.self),
            let pattern = cast.expression.as(PatternExprSyntax.self)?.pattern.as(IdentifierPatternSyntax.self)
        else { return }
        scope.declare(pattern.identifier.text, kind: Kind(cast.type, book.aliases)).isOpen = true
    }

    /// What a pattern takes apart cannot be told.
    private func openNames(in pattern: Syntax) {
        for token in pattern.tokens(viewMode: .sourceAccurate) {
            if case .identifier(let name) = token.tokenKind { scope.declare(name).isOpen = true }
        }
    }

    override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
        _ = super.visit(node)
        LoopNames.declare(node.pattern, in: node.sequence, scope)
        return .visitChildren
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        let outer = scope
        _ = super.visit(node)
        let names = ClosureNames(node)
        names.declare(in: scope, outer)
        return .visitChildren
    }

    // MARK: What is given

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        if let value = node.expression { scope.enclosingResult?.take(value, scope) }
        return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.is(AssignmentExprSyntax.self) {
            assign(node.leftOperand, node.rightOperand)
        } else if let name = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text,
            ["+=", "-=", "*=", "/=", "%=", "<<=", "&+=", "&-=", "&*=", "|=", "^="].contains(name)
        {
            let (right, scope) = (node.rightOperand, scope)
            change(node.leftOperand) { target in
                let isSum = ["+=", "-=", "&+=", "&-="].contains(name)
                if isSum { target.take(right, scope) } else { target.isOpen = true }
                if ["-=", "&-="].contains(name) { target.takesLess = true }
            }
        }
        return .visitChildren
    }

    private func assign(_ left: ExprSyntax, _ right: ExprSyntax) {
        if let names = left.as(TupleExprSyntax.self)?.elements.map(\.expression), names.count > 1 {
            let values = right.as(TupleExprSyntax.self)?.elements.map(\.expression) ?? []
            let scope = scope
            for (index, name) in names.enumerated() {
                change(name) { target in
                    if index < values.count { target.take(values[index], scope) } else { target.isOpen = true }
                }
            }
            return
        }
        let scope = scope
        change(left) { $0.take(right, scope) }
    }

    /// Changes the variables that a left side can mean: a property's where it is known of which type that is.
    private func change(_ left: ExprSyntax, _ body: @escaping (Variable) -> Void) {
        if let name = left.as(DeclReferenceExprSyntax.self)?.baseName.text {
            if let variable = scope.variable(name) { body(variable) }
        } else if let member = left.as(MemberAccessExprSyntax.self) {
            book.changes.append(
                PropertyChange(base: member.base, name: member.declName.baseName.text, scope: scope, body: body)
            )
        }
    }

    override func visit(_ node: InOutExprSyntax) -> SyntaxVisitorContinueKind {
        let call = Syntax(node).nearest(FunctionCallExprSyntax.self)
        let parameters = call.map { Arguments.parameters(of: $0, given: ExprSyntax(node), scope, inference) } ?? []
        change(node.expression) { target in
            if parameters.isEmpty { target.isPassed = true } else { target.changedBy += parameters }
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let (name, base) = Inference.callee(node)
        if let name { Arguments.give(node.arguments, to: name, base, scope, inference) }
        return .visitChildren
    }
}

/// Gives the arguments of a call to the parameters that they can be of.
enum Arguments {
    static func give(
        _ arguments: LabeledExprListSyntax,
        to name: String,
        _ base: ExprSyntax?,
        _ scope: Scope,
        _ inference: Inference
    ) {
        let book = inference.book
        if name == "init" || book.types[name] != nil || name == "Self" {
            let type = name == "init" ? base?.trimmedDescription.split(separator: ".").last.map(String.init) : name
            return make(type == "self" || type == "Self" ? scope.enclosingType?.name : type, arguments, scope, book)
        }
        give(arguments, to: inference.entries(name, base, arguments.map { $0.label?.text ?? "" }, scope), scope)
    }

    /// The parameters that an argument of a call can be of.
    static func parameters(
        of call: FunctionCallExprSyntax,
        given wanted: ExprSyntax,
        _ scope: Scope,
        _ inference: Inference
    ) -> [Variable] {
        let (name, base) = Inference.callee(call)
        guard let name else { return [] }
        let labels = call.arguments.map { $0.label?.text ?? "" }
        return inference.entries(name, base, labels, scope).compactMap { entry in
            var rest = entry.parameters[...]
            for argument in call.arguments {
                guard let index = rest.firstIndex(where: { $0.label == argument.label?.text ?? "" }) else { return nil }
                if argument.expression.id == wanted.id { return rest[index].variable }
                rest = rest[(index + 1)...]
            }
            return nil
        }
    }

    private static func give(_ arguments: LabeledExprListSyntax, to entries: [FunctionEntry], _ scope: Scope) {
        for entry in entries {
            var rest = entry.parameters[...]
            for argument in arguments {
                let label = argument.label?.text ?? ""
                guard let index = rest.firstIndex(where: { $0.label == label }) else { break }
                rest[index].variable.take(argument.expression, scope)
                rest = rest[(index + 1)...]
            }
        }
    }

    /// Makes a value of a type; where the type is not said, of any that can be made so.
    private static func make(_ name: String?, _ arguments: LabeledExprListSyntax, _ scope: Scope, _ book: Book) {
        let types = name.flatMap { book.types[$0] }.map { [$0] } ?? book.types.values.sorted { $0.name < $1.name }
        for type in types {
            give(arguments, to: book.functions["init " + type.name] ?? [], scope)
            guard !type.hasInitializer else { continue }
            for argument in arguments {
                guard let label = argument.label?.text else { continue }
                let own = type.properties[label]
                if own?.isStatic == false { own?.take(argument.expression, scope) }
            }
        }
    }
}
