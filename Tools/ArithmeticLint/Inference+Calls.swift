import SwiftSyntax

extension Inference {
    func call(_ call: FunctionCallExprSyntax, _ scope: Scope) -> Facts {
        let (name, base) = Self.callee(call)
        guard let name else { return .unknown }
        let arguments = Array(call.arguments)
        if base == nil || name == "init", let numeric = conversion(name, base, arguments, scope) { return numeric }
        switch name {
        case "min", "max": if arguments.count > 1 { return extreme(name, arguments, scope) }
        case "abs":
            let inner = arguments.first.map { facts($0.expression, scope) } ?? .unknown
            return Facts(kind: inner.kind, isBounded: inner.isBounded, isNatural: true)
        case "rounded", "squareRoot", "log", "log2", "exp", "pow", "sqrt", "floor", "ceil", "addingTimeInterval",
            "timeIntervalSince", "logGamma", "truncatingRemainder":
            return Facts(kind: .float)
        case "firstIndex", "lastIndex": return Facts(kind: .integer, isBounded: true, isNatural: true)
        // The C library counts bytes and rows in 32 bits.
        case "sqlite3_changes", "sqlite3_column_bytes", "PQbackendPID", "PQgetlength":
            return Facts(kind: .narrow(32, isSigned: true))
        case "PQntuples", "PQnfields": return Facts(kind: .narrow(32, isSigned: true), isNatural: true)
        // A number at random is of the type that is asked for one.
        case "random": if let base, isNumber(base) { return Facts(kind: Kind(named: base.trimmedDescription)) }
        case "joined", "lowercased", "uppercased", "replacing", "trimmingCharacters": return Facts(kind: .text)
        case "hasPrefix", "hasSuffix", "contains", "allSatisfy": return Facts(kind: .bool)
        case "count": return Facts(kind: .integer, isBounded: true, isNatural: true)
        case "map", "compactMap", "flatMap", "split", "enumerated":
            if let base, isCollection(base, scope) {
                return Facts(kind: .list(name == "map" ? element(madeBy: call) : .unknown))
            }
            return optional(call, scope)
        case "prefix", "suffix", "dropFirst", "dropLast", "sorted", "reversed", "filter", "clamped":
            // A part of a range lies in it.
            if let base { return facts(base, scope) }
        case "seconds", "milliseconds", "microseconds", "nanoseconds", "duration":
            if base == nil || base?.trimmedDescription == "Duration" || name == "duration" {
                return Facts(kind: .named("Duration"))
            }
        default: break
        }
        // A closure that a variable has is called, and no function of that name.
        if base == nil, scope.variable(name)?.kind == .named("other") { return .unknown }
        return declared(name, base, arguments, scope)
    }

    /// The name of what is called, and what it is called on.
    static func callee(_ call: FunctionCallExprSyntax) -> (name: String?, base: ExprSyntax?) {
        var called = call.calledExpression
        if let special = called.as(GenericSpecializationExprSyntax.self) { called = special.expression }
        if let name = called.as(DeclReferenceExprSyntax.self) { return (name.baseName.text, nil) }
        guard let member = called.as(MemberAccessExprSyntax.self) else { return (nil, nil) }
        return (member.declName.baseName.text, member.base)
    }

    /// `Int(…)`, `Double(…)`, `Array(…)`, `String(…)`.
    private func conversion(
        _ name: String,
        _ base: ExprSyntax?,
        _ arguments: [LabeledExprSyntax],
        _ scope: Scope
    ) -> Facts? {
        let type = name == "init" ? base?.trimmedDescription ?? "" : name
        let kind = book.aliases[type].map { Kind($0, book.aliases) } ?? Kind(named: type)
        switch kind {
        case .integer, .unsigned, .narrow:
            guard let argument = arguments.first, argument.label?.text != "bitPattern" else { return Facts(kind: kind) }
            if argument.label?.text == "ascii" { return Facts(kind: kind, isBounded: false, isNatural: true) }
            let inner = facts(argument.expression, scope)
            let fits = inner.kind.isNarrow && !kind.isNarrow
            let isBounded = inner.kind.isInteger && (inner.isBounded || fits)
            return Facts(
                kind: kind,
                isBounded: isBounded,
                isNatural: isBounded && (inner.isNatural || isUnsigned(inner.kind))
            )
        case .float, .text, .bool: return Facts(kind: kind)
        case .list: return Facts(kind: kind)
        default: break
        }
        // A lock is what it guards.
        if Kind.locks.contains(type), let guarded = arguments.first?.expression { return facts(guarded, scope) }
        if type == "Array" || type == "Set" {
            if let first = arguments.first, first.label == nil,
                case .list(let element) = facts(first.expression, scope).kind
            {
                return Facts(kind: .list(element))
            }
            return Facts(kind: .list(.unknown))
        }
        return book.types[type] == nil ? nil : Facts(kind: .named(type))
    }

    private func isUnsigned(_ kind: Kind) -> Bool {
        if case .narrow(_, let isSigned) = kind { return !isSigned }
        return kind == .unsigned
    }

    private func extreme(_ name: String, _ arguments: [LabeledExprSyntax], _ scope: Scope) -> Facts {
        let all = arguments.map { facts($0.expression, scope) }
        let kind = all.dropFirst().reduce(all[0].kind) { $0.unified($1.kind) }
        let (everyNatural, oneNatural) = (all.allSatisfy(\.isNatural), all.contains(where: \.isNatural))
        let (everyBounded, oneBounded) = (all.allSatisfy(\.isBounded), all.contains(where: \.isBounded))
        if name == "min" {
            return Facts(kind: kind, isBounded: everyBounded || oneBounded && everyNatural, isNatural: everyNatural)
        }
        return Facts(kind: kind, isBounded: everyBounded, isNatural: oneNatural)
    }

    /// What `map` makes of an optional, where that is harmless; a list of it is too.
    private func optional(_ call: FunctionCallExprSyntax, _ scope: Scope) -> Facts {
        guard let closure = call.trailingClosure, let body = Self.only(closure.statements),
            let inner = book.scopes[closure.id]
        else { return .unknown }
        let facts = facts(body, inner)
        return facts.kind.isHarmless ? facts : .unknown
    }

    /// What the closure of `map` makes of each element, where it is nothing but an expression.
    private func element(madeBy call: FunctionCallExprSyntax) -> Kind {
        guard let closure = call.trailingClosure, let body = Self.only(closure.statements),
            let inner = book.scopes[closure.id]
        else { return .unknown }
        // A literal takes the type of what stands beside the list.
        let kind = facts(body, inner).kind
        return kind == .literal ? .unknown : kind
    }

    private func isNumber(_ base: ExprSyntax) -> Bool {
        let kind = Kind(named: base.trimmedDescription)
        return kind == .float || kind.isInteger
    }

    private func isCollection(_ base: ExprSyntax, _ scope: Scope) -> Bool {
        switch facts(base, scope).kind {
        case .list, .map, .text: true
        default: false
        }
    }

    /// What the functions of that name return that can be called so, or the type of an enumeration's case.
    private func declared(
        _ name: String,
        _ base: ExprSyntax?,
        _ arguments: [LabeledExprSyntax],
        _ scope: Scope
    ) -> Facts {
        let labels = arguments.map { $0.label?.text ?? "" }
        let entries = self.entries(name, base, labels, scope).filter { $0.result.kind != .named("Void") }
        if let first = entries.first {
            return entries.dropFirst().reduce(first.result.facts) { $0.joined($1.result.facts) }
        }
        guard let type = base?.trimmedDescription.split(separator: ".").last, book.types[String(type)] != nil else {
            return .unknown
        }
        return Facts(kind: .named(String(type)))
    }
}

extension Inference {
    /// The functions that a call can mean: those of the type that it is made on, where that is known, or of the types
    /// around it, or else all of that name.
    func entries(_ name: String, _ base: ExprSyntax?, _ labels: [String], _ scope: Scope) -> [FunctionEntry] {
        let entries = (book.functions[name] ?? []).filter { $0.takes(labels) }
        let types = base.map { type(of: $0, scope).map { [$0] } ?? [] } ?? scope.enclosingTypes
        for type in types {
            let own = entries.filter { $0.type === type }
            if !own.isEmpty { return own }
        }
        let free = entries.filter { $0.type == nil }
        return base == nil && !free.isEmpty ? free : entries
    }
}
