import SwiftSyntax

/// Something that has a name and a value: a property, a parameter, a local one, or what a function returns.
///
/// What it can be follows from everything that is ever given to it.
final class Variable {
    let name: String
    var kind: Kind?
    /// What is given to it, and where.
    var sources: [(expression: ExprSyntax, scope: Scope)] = []
    /// Whether it is given something that cannot be told.
    var isOpen = false
    /// Whether a remark says that it is neither negative nor larger than what memory can count: `// bounded: reason`.
    var isClaimed = false
    /// Whether it is a `let` with one value for all.
    var isConstant = false
    /// Whether it is one for all values of its type, which are made without it.
    var isStatic = false
    /// What it is an element of.
    var elementsOf: (sequence: ExprSyntax, scope: Scope)?
    /// The lock that it is guarded by.
    var lockedBy: (lock: ExprSyntax, scope: Scope)?
    /// Whether something is taken off it.
    var takesLess = false
    /// The parameters of functions that it is given to, to change; what holds of it holds of them.
    var changedBy: [Variable] = []
    /// Whether a function that is not known is given it to change.
    var isPassed = false
    /// What holds by what is known so far.
    var facts = Facts(kind: .unknown, isBounded: true, isNatural: true)
    /// Its place among all in the order in which they were found, so that each run takes them in the same one.
    let place: Int
    private static var count = 0

    init(_ name: String, kind: Kind? = nil, isOpen: Bool = false) {
        self.name = name
        self.kind = kind
        self.isOpen = isOpen
        place = Self.count
        Self.count += 1
    }

    func take(_ expression: ExprSyntax, _ scope: Scope) { sources.append((expression, scope)) }

    /// Makes it the place of an element in a collection.
    func becomeIndex() {
        kind = .integer
        isIndex = true
    }

    /// Whether it is the place of an element in a collection.
    private(set) var isIndex = false
}

/// Where names are looked up.
final class Scope {
    let parent: Scope?
    /// The type whose members can be named, or `nil` for the parent's.
    let type: TypeEntry?
    var variables: [String: Variable] = [:]
    /// What the function returns that this is the body of.
    var result: Variable?

    init(_ parent: Scope?, type: TypeEntry? = nil) {
        self.parent = parent
        self.type = type
    }

    func variable(_ name: String) -> Variable? {
        var scope: Scope? = self
        while let current = scope {
            if let found = current.variables[name] ?? current.type?.properties[name] { return found }
            scope = current.parent
        }
        return nil
    }

    /// The types around, the nearest first.
    var enclosingTypes: [TypeEntry] { (type.map { [$0] } ?? []) + (parent?.enclosingTypes ?? []) }

    var enclosingType: TypeEntry? { type ?? parent?.enclosingType }
    var enclosingResult: Variable? { result ?? parent?.enclosingResult }

    /// The variable of that name in this very scope, made where there is none.
    func declare(_ name: String, kind: Kind? = nil) -> Variable {
        if let known = variables[name] {
            if let kind { known.kind = known.kind.map { $0 == kind ? kind : .unknown } ?? kind }
            return known
        }
        let variable = Variable(name, kind: kind)
        variables[name] = variable
        return variable
    }
}

/// A type with all of its extensions.
final class TypeEntry {
    let name: String
    var properties: [String: Variable] = [:]
    var hasInitializer = false
    /// What a subscript of it returns, where it has one of its own.
    var elementKind: Kind?

    init(_ name: String) { self.name = name }

    func declare(_ name: String, kind: Kind? = nil) -> Variable {
        if let known = properties[name] { return known }
        let variable = Variable(name, kind: kind)
        properties[name] = variable
        return variable
    }
}

/// A function by its name, whatever type it is of.
struct FunctionEntry {
    /// The labels, empty for none, with what they give.
    var parameters: [(label: String, variable: Variable)]
    var result: Variable
    /// The type that it is a member of, or `nil` for none.
    var type: TypeEntry?

    /// Whether it can be called with those labels; closures may come after them.
    func takes(_ labels: [String]) -> Bool {
        var rest = parameters.map(\.label)[...]
        for label in labels {
            guard let index = rest.firstIndex(of: label) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }
}

/// A change of a property, which is one of a certain type once it is known of what kind every variable is.
struct PropertyChange {
    /// What it is a property of, or `nil` where that goes without saying.
    let base: ExprSyntax?
    let name: String
    let scope: Scope
    /// Gives the property what it is given.
    let body: (Variable) -> Void
}

/// Everything that the sources declare.
final class Book {
    var types: [String: TypeEntry] = [:]
    var functions: [String: [FunctionEntry]] = [:]
    var aliases: [String: TypeSyntax] = [:]
    /// The names of the types and type parameters that the sources declare.
    var declared: Set<String> = []
    /// The names of the protocols among those: what a property of one is given, any of a type may be.
    var protocols: Set<String> = []
    var changes: [PropertyChange] = []
    /// The scope that a node opens.
    var scopes: [SyntaxIdentifier: Scope] = [:]
    /// The scope of each file.
    let root = Scope(nil)
    private var members: [String: [Variable]]?

    func type(_ name: String) -> TypeEntry {
        if let known = types[name] { return known }
        let entry = TypeEntry(name)
        types[name] = entry
        return entry
    }

    /// The properties of that name of all types.
    func members(_ name: String) -> [Variable] {
        if members == nil {
            var found: [String: [Variable]] = [:]
            for type in types.values {
                for (name, variable) in type.properties { found[name, default: []].append(variable) }
            }
            members = found.mapValues { $0.sorted { $0.place < $1.place } }
        }
        return members?[name] ?? []
    }
}
