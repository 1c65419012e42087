/// The items that a loop takes, not copied.
private enum LoopItems {
    case array([LiquidValue])
    case hash(LiquidHash)
    case range(LiquidRange)
    case single(LiquidValue)

    init?(_ value: LiquidValue) {
        switch value {
        case .array(let items): self = .array(items)
        case .hash(let hash): self = .hash(hash)
        case .range(let range): self = .range(range)
        case .object(let object): self = .hash(LiquidHash(object.pairs))
        case .string(let text) where !text.isEmpty: self = .single(value)
        default: return nil
        }
    }

    var count: Int {
        switch self {
        case .array(let items): items.count
        case .hash(let hash): hash.count
        case .range(let range): range.count
        case .single: 1
        }
    }

    // safe: asked for up to its count
    subscript(place: Int) -> LiquidValue {
        switch self {
        case .array(let items): items[place]
        case .hash(let hash): .array([.string(hash.pairs[place].key), hash.pairs[place].value])
        case .range(let range): .int(range.first + place)
        case .single(let value): value
        }
    }
}

/// The part of some items that a loop walks over.
private struct LoopWalk {
    var items = LoopItems.array([])
    var start = 0
    var count = 0
    var isReversed = false

    func item(_ turn: Int) -> LiquidValue {
        // safe: within the count of the items
        items[isReversed ? start + count - 1 - turn : start + turn]
    }
}

extension Renderer {
    // safe: not negative, and no more than the count of the items
    private mutating func walk(
        _ collection: Expression,
        _ window: LoopWindow,
        name: String?
    ) throws(LiquidError)
        -> LoopWalk?
    {
        let value = try evaluate(collection)
        // The name is what the tag says, and is looked up and kept.
        try meter.spend(Work.lookup + 2 * (name?.utf8.count ?? 0))
        var start = 0
        switch window.offset {
        case .start: break
        case .resume: start = name.flatMap { scope.resumptions[$0] } ?? 0
        case .at(let expression): start = try bound(expression, of: name) ?? 0
        }
        var limit = try window.limit.flatMap { expression throws(LiquidError) in try bound(expression, of: name) }
        guard let items = LoopItems(value) else { return nil }
        // A text is taken whole, whatever is asked.
        if case .single = items { (start, limit) = (0, nil) }
        start = max(start, 0)
        let count = max(0, min(items.count - start, limit ?? .max))
        if let name { scope.resumptions[name] = start + count }
        return LoopWalk(items: items, start: start, count: count, isReversed: window.isReversed)
    }

    /// Returns the value of `limit` or `offset`.
    ///
    /// A table, which has no name, takes the whole part of whatever is a number.
    private mutating func bound(_ expression: Expression, of name: String?) throws(LiquidError) -> Int? {
        let value = try evaluate(expression)
        guard name != nil else { return try value.wholePart() }
        return value.isNull ? nil : try value.integer()
    }

    // safe: a place of a name
    mutating func renderLoop(_ loop: Loop) throws(LiquidError) -> Flow {
        offset = loop.offset
        let walk = try walk(loop.collection, loop.window, name: loop.name)
        guard let walk, walk.count > 0 else { return try nested(loop.otherwise) }
        try enter()
        let variable = place(loop.variable)
        let hidden = scope.shadowing[variable]
        scope.loops.append(LoopState(name: loop.name, length: walk.count))
        for turn in 0..<walk.count {
            // What the body did last has another place.
            offset = loop.offset
            try countTurn()
            scope.loops[scope.loops.count - 1].index = turn
            scope.shadowing[variable] = walk.item(turn)
            if try render(loop.body) == .leave { break }
        }
        scope.loops.removeLast()
        scope.shadowing[variable] = hidden
        depth -= 1
        return .normal
    }

    // safe: places of names; a column is one of the items
    mutating func renderTable(_ table: Table) throws(LiquidError) -> Flow {
        offset = table.offset
        guard try !evaluate(table.collection).isNull else { return .normal }
        let columns = try table.columns.map { expression throws(LiquidError) in try evaluate(expression).wholePart() }
        let walk = try walk(table.collection, table.window, name: nil) ?? LoopWalk()
        try enter()
        let places = (variable: place(table.variable), loop: place(table.loopName))
        let hidden = (variable: scope.shadowing[places.variable], loop: scope.shadowing[places.loop])
        try put(literal: "<tr class=\"row1\">\n")
        var state = TableState(length: walk.count, columns: columns ?? walk.count)
        while state.index < walk.count {
            offset = table.offset
            try countTurn()
            scope.shadowing[places.variable] = walk.item(state.index)
            scope.shadowing[places.loop] = .object(TableSnapshot(state))
            try put(literal: "<td class=\"col\(state.column + 1)\">")
            let flow = try render(table.body)
            try put(literal: "</td>")
            if flow == .leave { break }
            if state.isLastColumn, state.index < walk.count - 1 {
                try put(literal: "</tr>\n<tr class=\"row\(state.row + 1)\">")
            }
            state.advance()
        }
        try put(literal: "</tr>\n")
        scope.shadowing[places.variable] = hidden.variable
        scope.shadowing[places.loop] = hidden.loop
        depth -= 1
        return .normal
    }

    mutating func renderCycle(_ cycle: Cycle) throws(LiquidError) {
        offset = cycle.offset
        var key = cycle.key
        if let name = cycle.name {
            let value = try evaluate(name)
            key = ByteText(value.kind + ":" + (try value.text(meter)))
        }
        try meter.spend(Work.lookup + 2 * key.text.utf8.count)
        let known = scope.cycles[key]
        if known == nil { try meter.charge(key.text.utf8.count) }
        let turn = known ?? 0
        if cycle.values.indices.contains(turn) { try put(try evaluate(cycle.values[turn])) }
        // safe: one of the values
        scope.cycles[key] = turn + 1 >= cycle.values.count ? 0 : turn + 1
    }
}

/// The position of a table.
private struct TableState {
    let length: Int
    let columns: Int
    var index = 0
    var row = 1
    var column = 0

    init(length: Int, columns: Int) {
        self.length = length
        self.columns = columns
    }

    // safe: no more than the items
    var isLastColumn: Bool { column + 1 == columns }

    mutating func advance() {
        index += 1
        if isLastColumn {
            column = 0
            row += 1
        } else {
            // safe: no more than the items
            column += 1
        }
    }
}

/// `tablerowloop` at one turn.
private final class TableSnapshot: LiquidObject {
    private let state: TableState

    init(_ state: TableState) {
        self.state = state
    }

    subscript(key: String) -> LiquidValue? {
        switch key {
        case "row": return .int(state.row)
        // safe: no more than the items
        case "col": return .int(state.column + 1)
        case "col0": return .int(state.column)
        case "col_first": return .bool(state.column == 0)
        case "col_last": return .bool(state.isLastColumn)
        default:
            let loop = LoopState(name: "", length: state.length, index: state.index)
            return LoopProperty(rawValue: key).map { loop.value(of: $0) }
        }
    }
}

extension LiquidValue {
    /// A whole number as `limit`, `offset` and lengths take it: also from text that is nothing but its digits.
    func integer() throws(LiquidError) -> Int {
        if case .int(let number) = self { return number }
        if case .string(let text) = self {
            let digits = text.utf8.drop(while: \.isLiquidSpace)
            let end = digits.lastIndex { !$0.isLiquidSpace }.map { digits.index(after: $0) } ?? digits.startIndex
            if let number = Int(String(bytes: digits[..<end])) { return number }
        }
        throw LiquidError(.argument, "A \(kind) is not a whole number.")
    }

    /// A whole number as tables take it: the beginning of whatever may be one, and 0 for what is none.
    fileprivate func wholePart() throws(LiquidError) -> Int {
        switch self {
        case .null: return 0
        case .double(let number): return Int(exactly: number.rounded(.towardZero)) ?? 0
        case .string(let text):
            let digits = text.utf8.drop(while: \.isLiquidSpace)
            let sign = digits.prefix { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }.prefix(1)
            // safe: both are texts
            return Int(String(bytes: sign + digits.dropFirst(sign.count).prefix(while: \.isDigit))) ?? 0
        default: return try integer()
        }
    }
}
