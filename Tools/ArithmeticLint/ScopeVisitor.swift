import SwiftSyntax

/// Walks a file and knows at each node where names are looked up.
class ScopeVisitor: SyntaxVisitor {
    let book: Book
    private(set) var scope: Scope

    init(_ book: Book) {
        self.book = book
        scope = book.root
        super.init(viewMode: .sourceAccurate)
    }

    /// Steps into a node that opens a scope; it is the same one whenever the node is walked.
    @discardableResult
    private func open(_ node: some SyntaxProtocol, type: TypeEntry? = nil) -> SyntaxVisitorContinueKind {
        if let known = book.scopes[node.id] {
            scope = known
        } else {
            let inner = Scope(scope, type: type)
            book.scopes[node.id] = inner
            scope = inner
        }
        return .visitChildren
    }

    private func close() { scope = scope.parent ?? book.root }

    private func open(_ node: some SyntaxProtocol, named name: TokenSyntax) -> SyntaxVisitorContinueKind {
        open(node, type: book.type(name.text))
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { open(node, named: node.name) }
    override func visitPost(_ node: StructDeclSyntax) { close() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { open(node, named: node.name) }
    override func visitPost(_ node: ClassDeclSyntax) { close() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { open(node, named: node.name) }
    override func visitPost(_ node: EnumDeclSyntax) { close() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { open(node, named: node.name) }
    override func visitPost(_ node: ActorDeclSyntax) { close() }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { open(node, named: node.name) }
    override func visitPost(_ node: ProtocolDeclSyntax) { close() }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        let name =
            node.extendedType.as(MemberTypeSyntax.self)?.name ?? node.extendedType.as(IdentifierTypeSyntax.self)?.name
        return open(node, type: book.type(name?.text ?? node.extendedType.trimmedDescription))
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { close() }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { open(node) }
    override func visitPost(_ node: FunctionDeclSyntax) { close() }
    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { open(node) }
    override func visitPost(_ node: InitializerDeclSyntax) { close() }
    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { open(node) }
    override func visitPost(_ node: SubscriptDeclSyntax) { close() }
    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { open(node) }
    override func visitPost(_ node: AccessorBlockSyntax) { close() }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { open(node) }
    override func visitPost(_ node: ClosureExprSyntax) { close() }
    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { open(node) }
    override func visitPost(_ node: CodeBlockSyntax) { close() }
    override func visit(_ node: SwitchCaseSyntax) -> SyntaxVisitorContinueKind { open(node) }
    override func visitPost(_ node: SwitchCaseSyntax) { close() }
    override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind { open(node) }
    override func visitPost(_ node: ForStmtSyntax) { close() }
    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind { open(node) }
    override func visitPost(_ node: IfExprSyntax) { close() }
    override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind { open(node) }
    override func visitPost(_ node: WhileStmtSyntax) { close() }
    override func visit(_ node: SourceFileSyntax) -> SyntaxVisitorContinueKind { open(node) }
    override func visitPost(_ node: SourceFileSyntax) { close() }
}

/// Notes what types, properties and functions there are.
final class DeclarationVisitor: ScopeVisitor {
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        _ = super.visit(node)
        let result = Variable(
            "return",
            kind: node.signature.returnClause.map { Kind($0.type, book.aliases) } ?? .named("Void")
        )
        scope.result = result
        if Claim.isMade(node) { result.isClaimed = true }
        add(node.name.text, node.signature.parameterClause, result)
        if let body = node.body { takeOnly(body.statements, result) }
        return .visitChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        _ = super.visit(node)
        let type = scope.enclosingType
        type?.hasInitializer = true
        scope.result = Variable("return", kind: .named(type?.name ?? ""))
        add("init " + (type?.name ?? ""), node.signature.parameterClause, Variable("return"))
        return .visitChildren
    }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        _ = super.visit(node)
        let kind = Kind(node.returnClause.type, book.aliases)
        if let type = scope.enclosingType { type.elementKind = type.elementKind.map { $0.joined(kind) } ?? kind }
        for parameter in node.parameterClause.parameters {
            scope.declare(
                (parameter.secondName ?? parameter.firstName).text,
                kind: Kind(parameter.type, book.aliases)
            ).isOpen = true
        }
        return .visitChildren
    }

    private func add(_ name: String, _ clause: FunctionParameterClauseSyntax, _ result: Variable) {
        let parameters = clause.parameters.map { parameter in
            let variable = scope.declare(
                (parameter.secondName ?? parameter.firstName).text,
                kind: Kind(parameter.type, book.aliases)
            )
            if let value = parameter.defaultValue?.value { variable.take(value, scope) }
            let label = parameter.firstName.text
            return (label: label == "_" ? "" : label, variable: variable)
        }
        book.functions[name, default: []].append(
            FunctionEntry(parameters: parameters, result: result, type: scope.enclosingType)
        )
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        guard Syntax(node).isMember else { return .visitChildren }
        for binding in node.bindings {
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { continue }
            let kind = binding.typeAnnotation.map { Kind($0.type, book.aliases) }
            let variable = scope.type?.declare(name, kind: kind) ?? scope.declare(name, kind: kind)
            if Claim.isMade(node) { variable.isClaimed = true }
            let isStatic = node.modifiers.contains { $0.name.text == "static" }
            variable.isStatic = isStatic
            guard let value = binding.initializer?.value else { continue }
            variable.take(value, scope)
            variable.isConstant = isStatic && node.bindingSpecifier.text == "let" && variable.sources.count == 1
        }
        return .visitChildren
    }

    /// A computed property is what its body returns.
    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind {
        _ = super.visit(node)
        guard let binding = node.parent?.as(PatternBindingSyntax.self),
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        else { return .visitChildren }
        scope.result = scope.parent?.variable(name)
        if case .getter(let statements) = node.accessors { scope.result.map { takeOnly(statements, $0) } }
        return .visitChildren
    }

    private func takeOnly(_ statements: CodeBlockItemListSyntax, _ result: Variable) {
        guard let only = Inference.only(statements) else { return }
        // A branch that returns is no expression; what it returns is taken where it does.
        let isBranch = only.is(SwitchExprSyntax.self) || only.is(IfExprSyntax.self)
        if isBranch, only.tokens(viewMode: .sourceAccurate).contains(where: { $0.tokenKind == .keyword(.return) }) {
            return
        }
        result.take(only, scope)
    }
}

extension Syntax {
    /// Whether a declaration is a type's or a file's and not a function's.
    var isMember: Bool {
        var node = parent
        while let current = node {
            if current.is(MemberBlockItemSyntax.self) || current.is(SourceFileSyntax.self) { return true }
            if current.is(CodeBlockSyntax.self) || current.is(ClosureExprSyntax.self) { return false }
            if current.is(AccessorBlockSyntax.self) || current.is(SwitchCaseSyntax.self) { return false }
            node = current.parent
        }
        return true
    }
}

/// Notes what types there are, and what they are called besides.
final class AliasVisitor: SyntaxVisitor {
    private let book: Book

    init(_ book: Book) {
        self.book = book
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        book.aliases[node.name.text] = node.initializer.value
        return declare(node.name)
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { declare(node.name) }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { declare(node.name) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { declare(node.name) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { declare(node.name) }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        book.protocols.insert(node.name.text)
        return declare(node.name)
    }

    private func declare(_ name: TokenSyntax) -> SyntaxVisitorContinueKind {
        book.declared.insert(name.text)
        return .visitChildren
    }
}

/// Looks for a remark of a declaration that says that its value is bounded.
enum Claim {
    static let mark = "// bounded: "

    static func isMade(_ node: some SyntaxProtocol) -> Bool {
        let body = node.as(FunctionDeclSyntax.self)?.body?.leftBrace.trailingTrivia ?? []
        // The comment at the end of a line belongs to the last word of it.
        return (Array(node.leadingTrivia) + Array(body) + Array(node.trailingTrivia)).contains { piece in
            if case .lineComment(let text) = piece {
                text.hasPrefix(mark) && text.count > mark.count + 4
            } else {
                false
            }
        }
    }
}
