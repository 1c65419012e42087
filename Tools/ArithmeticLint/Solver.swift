import SwiftSyntax

/// Finds what holds of every variable: at first all that could be, and then less and less, until nothing changes.
struct Solver {
    let book: Book
    private let inference: Inference
    private let variables: [Variable]

    init(_ book: Book) {
        self.book = book
        inference = Inference(book: book)
        var found: [Variable] = []
        for scope in book.scopes.values {
            found += scope.variables.values
            if let result = scope.result { found.append(result) }
        }
        for type in book.types.values { found += type.properties.values }
        for entry in book.functions.values.joined() { found += entry.parameters.map(\.variable) + [entry.result] }
        var seen: Set<ObjectIdentifier> = []
        variables = found.filter { seen.insert(ObjectIdentifier($0)).inserted }.sorted { $0.place < $1.place }
    }

    func solve() {
        findKinds()
        for change in book.changes { for target in targets(of: change) { change.body(target) } }
        // A parameter that is only ever given places is one.
        for _ in 0..<3 { for variable in variables where isGivenPlaces(variable) { variable.becomeIndex() } }
        findKinds()
        for variable in variables where variable.facts.kind == .literal { variable.facts.kind = .integer }
        var changes = true
        while changes {
            changes = false
            for variable in variables where reduce(variable) { changes = true }
        }
    }

    /// Kinds first: they come from literals and annotations, and what is bounded depends on them.
    private func findKinds() {
        for variable in variables {
            variable.facts = Facts(kind: variable.kind ?? .literal, isBounded: true, isNatural: true)
        }
        for _ in 0..<6 { for variable in variables { variable.facts.kind = kind(of: variable) } }
    }

    /// The properties that a change can be of: that of the type, or all of that name that can be changed.
    private func targets(of change: PropertyChange) -> [Variable] {
        if let base = change.base, let type = inference.type(of: base, change.scope),
            !book.protocols.contains(type.name), let own = type.properties[change.name]
        {
            return [own]
        }
        return book.members(change.name).filter { !$0.isConstant }
    }

    private func isGivenPlaces(_ variable: Variable) -> Bool {
        guard !variable.isIndex, !variable.isOpen, !variable.isPassed, !variable.sources.isEmpty else { return false }
        return variable.sources.allSatisfy { expression, scope in
            let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text
            return name.flatMap { scope.variable($0) }?.isIndex == true
        }
    }

    private func kind(of variable: Variable) -> Kind {
        if let kind = variable.kind { return kind }
        if let (lock, scope) = variable.lockedBy { return inference.facts(lock, scope).kind }
        if let (sequence, scope) = variable.elementsOf {
            switch inference.facts(sequence, scope).kind {
            case .list(let element): return element
            case .range(let bound): return bound
            case .map, .named, .text, .tuple, .unknown: return .unknown
            // What an optional wraps.
            case let kind: return kind
            }
        }
        guard let first = variable.sources.first else { return .unknown }
        return variable.sources.dropFirst().reduce(inference.facts(first.expression, first.scope).kind) {
            $0.unified(inference.facts($1.expression, $1.scope).kind)
        }
    }

    /// Takes away what does not hold; returns whether anything was.
    private func reduce(_ variable: Variable) -> Bool {
        let before = variable.facts
        if variable.isIndex || variable.isClaimed { return false }
        let isKnown = !variable.isOpen && !variable.isPassed && variable.elementsOf == nil && !variable.sources.isEmpty
        if !isKnown || !before.kind.isCountable {
            variable.facts.isBounded = false
            variable.facts.isNatural = false
        } else {
            for other in variable.changedBy {
                variable.facts.isBounded = variable.facts.isBounded && other.facts.isBounded
                variable.facts.isNatural = variable.facts.isNatural && other.facts.isNatural
            }
            for (expression, scope) in variable.sources {
                let facts = inference.facts(expression, scope)
                // A text is given to something else of the same name.
                if facts.kind.isHarmless, !facts.kind.isCountable { continue }
                variable.facts.isBounded = variable.facts.isBounded && facts.isBounded && !grows(variable, expression)
                variable.facts.isNatural = variable.facts.isNatural && facts.isNatural && !variable.takesLess
            }
        }
        return before.isBounded != variable.facts.isBounded || before.isNatural != variable.facts.isNatural
    }

    /// Says of a variable what it is and which sources leave it open.
    func reasons(_ name: String) -> [String] {
        variables.filter { $0.name == name }.map { variable in
            let open = variable.sources.filter { !inference.facts($0.expression, $0.scope).isBounded }
            let flags = "open \(variable.isOpen) passed \(variable.isPassed) less \(variable.takesLess)"
            let sources = open.map { "    " + $0.expression.shortDescription }.joined(separator: "\n")
            return "\(variable.facts) \(flags) of \(variable.sources.count)\n\(sources)"
        }
    }

    /// Whether it becomes a multiple of itself, as the digits of a number are read.
    private func grows(_ variable: Variable, _ expression: ExprSyntax) -> Bool {
        let finder = Growth(of: variable.name)
        finder.walk(expression)
        return finder.isFound
    }
}

/// Looks for a product with a name in it.
private final class Growth: SyntaxVisitor {
    private let name: String
    private(set) var isFound = false

    init(of name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        let isProduct = ["*", "<<", "&*", "&<<"].contains(node.operator.trimmedDescription)
        let names = node.tokens(viewMode: .sourceAccurate).contains { $0.text == name }
        if isProduct, names { isFound = true }
        return .visitChildren
    }
}
