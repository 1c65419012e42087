import SwiftSyntax

/// What a value is, as far as its arithmetic is concerned.
indirect enum Kind: Equatable {
    /// A number that takes the type of what stands beside it.
    case literal
    /// A signed number of 64 bits or more.
    case integer
    /// An unsigned number of 64 bits or more, of which nothing larger can be taken.
    case unsigned
    /// A number of that many bits, fewer than 64.
    case narrow(Int, isSigned: Bool)
    case float
    case text
    case bool
    case list(Kind)
    case map(Kind)
    case range(Kind)
    /// What is side by side, by label or place.
    case tuple([String: Kind])
    /// A type that is none of those.
    case named(String)
    case unknown

    /// Whether it is a whole number or a range of them.
    var isCountable: Bool {
        if case .range(let bound) = self { bound.isInteger || bound == .unknown } else { isInteger }
    }

    static let byte = Kind.narrow(8, isSigned: false)

    var isInteger: Bool { [.literal, .integer, .unsigned].contains(self) || isNarrow }

    var isNarrow: Bool {
        if case .narrow = self { true } else { false }
    }

    /// Whether arithmetic on it never ends the process, or is none.
    var isHarmless: Bool {
        switch self {
        case .float, .text, .bool, .list, .map, .range, .tuple, .named: true
        case .literal, .integer, .unsigned, .narrow, .unknown: false
        }
    }

    /// What is known of a value that can be either.
    func joined(_ other: Kind) -> Kind {
        if self == .literal { return other }
        // Two lists are a list, whatever is in them.
        if case .list(let element) = self, case .list(let others) = other { return .list(element.unified(others)) }
        return other == .literal || self == other ? self : .unknown
    }

    /// What two values are that have to be of one type: what is known of one holds of the other.
    func unified(_ other: Kind) -> Kind {
        if self == .unknown || self == .literal { return other == .literal ? self : other }
        return other == .unknown ? self : joined(other)
    }
}

extension Kind {
    private static let signed: Set = [
        "Int", "Int64", "Int128", "BinaryInteger", "FixedWidthInteger", "off_t", "time_t",
    ]
    private static let unsignedNames: Set = ["UInt", "UInt64", "UInt128"]
    private static let narrowNames: [String: Kind] = [
        "Int8": .narrow(8, isSigned: true), "Int16": .narrow(16, isSigned: true), "Int32": .narrow(32, isSigned: true),
        "UInt8": .byte, "UInt16": .narrow(16, isSigned: false), "UInt32": .narrow(32, isSigned: false),
        "CInt": .narrow(32, isSigned: true), "CChar": .narrow(8, isSigned: true),
    ]
    private static let floats: Set = ["Double", "Float", "CGFloat", "TimeInterval", "Float64", "Float32", "Decimal"]
    private static let texts: Set = [
        "String", "Substring", "Character", "StaticString", "StringProtocol", "Unicode.Scalar",
    ]
    private static let lists: Set = [
        "Array", "ArraySlice", "ContiguousArray", "Set", "OrderedSet", "UnsafeBufferPointer", "Sequence", "Collection",
        "UnsafeMutableBufferPointer", "Slice", "Span",
    ]

    /// Types of the standard library and of packages that no source declares, whose arithmetic never overflows or is
    /// none.
    static let outside: Set = [
        "Duration", "ContinuousClock", "Instant", "StatementArguments", "Self", "Void", "function", "other",
    ]

    /// What only guards a value; what it is given to is given the value.
    static let locks: Set = ["Mutex", "Locked", "NIOLockedValueBox", "OSAllocatedUnfairLock"]

    /// What a type is by its name alone.
    init(named name: String) {
        if Self.signed.contains(name) {
            self = .integer
        } else if Self.unsignedNames.contains(name) {
            self = .unsigned
        } else if let narrow = Self.narrowNames[name] {
            self = narrow
        } else if Self.floats.contains(name) {
            self = .float
        } else if Self.texts.contains(name) {
            self = .text
        } else if name == "Bool" {
            self = .bool
        } else {
            self = ["Data", "UnsafeRawBufferPointer"].contains(name) ? .list(.byte) : .named(name)
        }
    }

    /// What a type is; an optional is what it wraps.
    init(_ type: TypeSyntax, _ aliases: [String: TypeSyntax] = [:]) {
        switch type.as(TypeSyntaxEnum.self) {
        case .optionalType(let optional): self.init(optional.wrappedType, aliases)
        case .implicitlyUnwrappedOptionalType(let optional): self.init(optional.wrappedType, aliases)
        case .attributedType(let attributed): self.init(attributed.baseType, aliases)
        case .someOrAnyType(let some): self.init(some.constraint, aliases)
        case .arrayType(let array): self = .list(Kind(array.element, aliases))
        case .dictionaryType(let dictionary): self = .map(Kind(dictionary.value, aliases))
        case .memberType(let member): self = Self.named(member.name.text, member.genericArgumentClause, aliases)
        case .identifierType(let name): self = Self.named(name.name.text, name.genericArgumentClause, aliases)
        case .tupleType(let tuple):
            self = Self.tuple(tuple, aliases)
        default: self = .named("other")
        }
    }

    private static func tuple(_ tuple: TupleTypeSyntax, _ aliases: [String: TypeSyntax]) -> Kind {
        if tuple.elements.count == 1, let only = tuple.elements.first { return Kind(only.type, aliases) }
        var kinds: [String: Kind] = [:]
        for (place, element) in tuple.elements.enumerated() {
            kinds["\(place)"] = Kind(element.type, aliases)
            if let name = element.firstName?.text { kinds[name] = Kind(element.type, aliases) }
        }
        return .tuple(kinds)
    }

    private static func named(
        _ name: String,
        _ generics: GenericArgumentClauseSyntax?,
        _ aliases: [String: TypeSyntax]
    ) -> Kind {
        let arguments = generics?.arguments.compactMap { argument -> TypeSyntax? in
            if case .type(let type) = argument.argument { type } else { nil }
        }
        if let first = arguments?.first, lists.contains(name) { return .list(Kind(first, aliases)) }
        if let last = arguments?.last, ["Dictionary", "OrderedDictionary"].contains(name) {
            return .map(Kind(last, aliases))
        }
        if let first = arguments?.first, name == "Optional" || locks.contains(name) { return Kind(first, aliases) }
        if let first = arguments?.first, ["Range", "ClosedRange"].contains(name) {
            return .range(Kind(first, aliases))
        }
        if let alias = aliases[name] {
            // An alias of itself would never end.
            return Kind(alias, aliases.filter { $0.key != name })
        }
        return Kind(named: name)
    }
}

/// What is known of a value.
struct Facts {
    var kind: Kind
    /// Whether it is no larger than what memory can count, so that sums and differences of a few of it fit.
    var isBounded = false
    /// Whether it is 0 or more.
    var isNatural = false

    static let unknown = Facts(kind: .unknown)

    /// What holds of both, whatever they are.
    func joined(_ other: Facts) -> Facts { both(other, kind.joined(other.kind)) }

    /// What holds of both, which are of one type.
    func unified(_ other: Facts) -> Facts { both(other, kind.unified(other.kind)) }

    private func both(_ other: Facts, _ kind: Kind) -> Facts {
        Facts(kind: kind, isBounded: isBounded && other.isBounded, isNatural: isNatural && other.isNatural)
    }
}
