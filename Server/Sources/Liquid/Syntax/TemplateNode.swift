/// A piece of a compiled template.
enum TemplateNode: Sendable {
    case text([UInt8])
    case output(FilteredExpression)
    case assign(Int, FilteredExpression)
    case capture(Int, [TemplateNode])
    case branch([Branch])
    case choice(Choice)
    case loop(Loop)
    case table(Table)
    case cycle(Cycle)
    /// `increment` prints and then counts up; `decrement` counts down and then prints.
    case counter(String, isIncrement: Bool)
    case partial(Partial)
    case ifChanged([TemplateNode])
    case leave
    case proceed
    case abort(Expression?, source: String?, offset: Int)
    case connected(ConnectedContent)
}

/// One arm of `if`, `unless`, `elsif` and `else`; without a condition it always applies.
struct Branch: Sendable {
    let condition: Condition?
    var body: [TemplateNode]
}

/// A `case` with its arms; an arm without values is an `else`.
final class Choice: Sendable {
    struct Arm: Sendable {
        let values: [Expression]
        let isElse: Bool
        var body: [TemplateNode]
    }

    let subject: Expression
    let arms: [Arm]
    let offset: Int

    init(subject: Expression, arms: [Arm], offset: Int) {
        self.subject = subject
        self.arms = arms
        self.offset = offset
    }
}

/// The items of a collection that a loop takes.
struct LoopWindow: Sendable {
    enum Offset: Sendable {
        case start
        case resume
        case at(Expression)
    }

    var limit: Expression?
    var offset = Offset.start
    var isReversed = false
}

/// A `for` loop.
final class Loop: Sendable {
    let variable: Int
    /// Names the loop for `offset: continue`.
    let name: String
    let collection: Expression
    let window: LoopWindow
    let body: [TemplateNode]
    let otherwise: [TemplateNode]
    let offset: Int

    init(
        variable: Int,
        name: String,
        collection: Expression,
        window: LoopWindow,
        body: [TemplateNode],
        otherwise: [TemplateNode],
        offset: Int
    ) {
        self.variable = variable
        self.name = name
        self.collection = collection
        self.window = window
        self.body = body
        self.otherwise = otherwise
        self.offset = offset
    }
}

/// A `tablerow` loop.
final class Table: Sendable {
    let variable: Int
    let collection: Expression
    let window: LoopWindow
    let columns: Expression?
    let loopName: Int
    let body: [TemplateNode]
    let offset: Int

    init(
        variable: Int,
        collection: Expression,
        window: LoopWindow,
        columns: Expression?,
        loopName: Int,
        body: [TemplateNode],
        offset: Int
    ) {
        self.variable = variable
        self.collection = collection
        self.window = window
        self.columns = columns
        self.loopName = loopName
        self.body = body
        self.offset = offset
    }
}

/// A `cycle` tag.
final class Cycle: Sendable {
    let name: Expression?
    /// Keeps unnamed cycles apart: their values, and their place when those are variables.
    let key: ByteText
    let values: [Expression]
    let offset: Int

    init(name: Expression?, key: ByteText, values: [Expression], offset: Int) {
        self.name = name
        self.key = key
        self.values = values
        self.offset = offset
    }
}

/// An `include` or `render` tag.
final class Partial: Sendable {
    let name: Expression
    let isIsolated: Bool
    let subject: Expression?
    /// Whether `for` and not `with` binds the subject.
    let isLoop: Bool
    let alias: String?
    let arguments: [(name: String, value: Expression)]
    let offset: Int

    init(
        name: Expression,
        isIsolated: Bool,
        subject: Expression?,
        isLoop: Bool,
        alias: String?,
        arguments: [(name: String, value: Expression)],
        offset: Int
    ) {
        self.name = name
        self.isIsolated = isIsolated
        self.subject = subject
        self.isLoop = isLoop
        self.alias = alias
        self.arguments = arguments
        self.offset = offset
    }
}

/// A `connected_content` tag; its address and options may contain Liquid.
final class ConnectedContent: Sendable {
    let address: [TemplateNode]
    let options: [(name: String, value: [TemplateNode])]
    let variable: Int?
    let defaultVariable: Int
    let offset: Int

    init(
        address: [TemplateNode],
        options: [(name: String, value: [TemplateNode])],
        variable: Int?,
        defaultVariable: Int,
        offset: Int
    ) {
        self.address = address
        self.options = options
        self.variable = variable
        self.defaultVariable = defaultVariable
        self.offset = offset
    }
}
