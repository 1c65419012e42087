/// An expression of a template, which computes a value.
///
/// Names are numbers: indices into the names of the compiled template.
indirect enum Expression: Sendable {
    case literal(LiquidValue)
    case variable(Int)
    case path(PathRoot, [PathStep])
    case loop(LoopProperty, fallback: Expression)
    case range(Expression, Expression)
    case contentBlock(String)
}

/// The beginning of a path.
enum PathRoot: Sendable {
    case name(Int)
    /// `${name}`: a property of the data that no variable of the template hides.
    case attribute(String)
    case computed(Expression)
}

/// One step of a path.
enum PathStep: Sendable {
    /// `.name`, which also knows `size`, `first` and `last`.
    case property(String)
    /// `["name"]`, which does not.
    case key(String)
    case index(Int)
    case computed(Expression)
}

/// A property of `forloop`, answered without building an object.
enum LoopProperty: String, Sendable {
    case index
    case index0
    case rindex
    case rindex0
    case first
    case last
    case length
}

/// An expression and the filters it passes through.
final class FilteredExpression: Sendable {
    let base: Expression
    let filters: [FilterUse]
    let offset: Int

    init(base: Expression, filters: [FilterUse], offset: Int) {
        self.base = base
        self.filters = filters
        self.offset = offset
    }
}

/// A filter where it is used.
struct FilterUse: Sendable {
    let filter: LiquidFilter
    let arguments: [Expression]
    let keywords: [(name: String, value: Expression)]
    let offset: Int
}

/// A comparison, or the truth of a value.
struct ComparisonTerm: Sendable {
    enum Operator: Sendable {
        case truth
        case equal
        case notEqual
        case less
        case lessOrEqual
        case greater
        case greaterOrEqual
        case contains
    }

    let left: Expression
    let relation: Operator
    let right: Expression
}

/// Comparisons joined by `and` and `or`, which have one rank and bind to the right.
struct Condition: Sendable {
    let terms: [ComparisonTerm]
    /// Whether the join after a term is `and`.
    let isAnd: [Bool]
    let isNegated: Bool
    let offset: Int
}
