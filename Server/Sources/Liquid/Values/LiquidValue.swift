/// A value that a template reads, computes and prints.
public enum LiquidValue: Sendable {
    /// Nothing; an unknown variable has this value.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case int(Int)
    /// A decimal number.
    case double(Double)
    /// Text.
    case string(String)
    /// A list.
    case array([LiquidValue])
    /// Keys and values in their order.
    case hash(LiquidHash)
    /// Something that finds its properties when it is asked for them.
    case object(any LiquidObject)
    /// Whole numbers from one to another, both included.
    case range(LiquidRange)
    /// A moment with the offset in which it is shown.
    case date(LiquidDate)
    /// The word `empty`, equal to every empty text, list and hash.
    case empty
    /// The word `blank`, equal to all that is empty, nothing, false or only white space.
    case blank
}

/// Whole numbers from `first` to `last`, both included; none when `last` is less.
public struct LiquidRange: Sendable, Hashable {
    /// The first number.
    public var first: Int
    /// The last number.
    public var last: Int

    /// Creates a range between two numbers, both included.
    public init(_ first: Int, _ last: Int) {
        self.first = first
        self.last = last
    }

    /// The number of numbers in the range.
    public var count: Int {
        guard last >= first else { return 0 }
        let (span, overflow) = last.subtractingReportingOverflow(first)
        // safe: the largest number was asked for
        return overflow || span == .max ? .max : span + 1
    }
}

/// Resolves properties when a template asks for them, so that data need not be copied for each render.
///
/// An implementer answers from any task at any time, quickly and without I/O.
public protocol LiquidObject: AnyObject, Sendable {
    /// The value of a property; `nil` when there is none, which is not the same as a property that is nothing.
    subscript(key: String) -> LiquidValue? { get }
    /// All properties in order, for loops and for printing. The default is none.
    var pairs: [(key: String, value: LiquidValue)] { get }
}

extension LiquidObject {
    /// No properties: objects that only answer by name need not list them.
    public var pairs: [(key: String, value: LiquidValue)] { [] }
}

extension LiquidValue {
    /// Everything but nothing and false counts as true.
    var isTruthy: Bool {
        switch self {
        case .null, .bool(false): false
        default: true
        }
    }

    var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// Whether the value is an empty text, list or hash.
    var isEmpty: Bool {
        switch self {
        case .string(let text): text.isEmpty
        case .array(let items): items.isEmpty
        case .hash(let hash): hash.count == 0
        default: false
        }
    }

    var isBlank: Bool {
        switch self {
        case .null, .bool(false): true
        case .string(let text): text.utf8.allSatisfy(\.isLiquidSpace)
        default: isEmpty
        }
    }
}

extension LiquidValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int) { self = .int(value) }
    /// Creates true or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a decimal number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Creates nothing.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a list.
    public init(arrayLiteral elements: LiquidValue...) { self = .array(elements) }
    /// Creates a hash in the order written.
    public init(dictionaryLiteral elements: (String, LiquidValue)...) {
        self = .hash(LiquidHash(elements.map { (key: $0.0, value: $0.1) }))
    }
}
