/// Renders nodes into one buffer.
struct Renderer {
    /// Whether rendering goes on after a node.
    enum Flow {
        case normal
        case leave
        case proceed
    }

    let context: LiquidContext
    let limits: LiquidLimits
    let meter: RenderMeter
    var output: TextSink
    var scope: Scope
    var template: LiquidTemplate
    /// The places of the current template's names in the scope; empty when they live at their own numbers.
    var places: [Int] = []
    /// The byte of the tag that is being rendered, for errors.
    var offset = 0
    var depth = 0
    var loopTurns = 0
    var abortReason: String?
    var abortSource: String?
    /// The names of the partials and content blocks that are being rendered.
    var path: [String] = []
    /// The position of the output in JSON; `nil` where it isn't to become JSON.
    var json: JSONPosition?

    init(template: LiquidTemplate, context: LiquidContext, meter: RenderMeter) {
        self.template = template
        self.context = context
        self.meter = meter
        limits = meter.limits
        scope = Scope(names: template.names, isIsolated: false)
        output = TextSink(outputOf: meter)
        output.reserve(min(template.source.count + 256, 1 << 16))
    }

    @inline(__always)
    func place(_ id: Int) -> Int {
        places.isEmpty ? id : places[id]
    }

    mutating func render(_ nodes: [TemplateNode]) throws(LiquidError) -> Flow {
        for node in nodes {
            try meter.spend(Work.node)
            switch node {
            case .text(let text):
                try output.append(text)
                if json != nil { json?.advance(past: text) }
            case .output(let expression): try print(expression)
            case .assign(let id, let expression):
                offset = expression.offset
                // safe: a place of a name
                scope.assigned[place(id)] = try value(of: expression)
            default:
                let flow = try renderTag(node)
                if flow != .normal { return flow }
            }
        }
        return .normal
    }

    private mutating func renderTag(_ node: TemplateNode) throws(LiquidError) -> Flow {
        switch node {
        case .branch(let branches): return try renderBranch(branches)
        case .loop(let loop): return try renderLoop(loop)
        case .choice(let choice): return try renderChoice(choice)
        case .capture(let id, let body): return try capture(body, into: place(id))
        case .table(let table): return try renderTable(table)
        case .cycle(let cycle): try renderCycle(cycle)
        case .counter(let name, let isIncrement): try count(name, isIncrement)
        case .partial(let partial): return try renderPartial(partial)
        case .ifChanged(let body): return try renderIfChanged(body)
        case .leave: return .leave
        case .proceed: return .proceed
        case .abort(let reason, let source, let offset): try abort(reason, source, at: offset)
        case .connected(let content): try renderConnected(content)
        case .text, .output, .assign: break
        }
        return .normal
    }

    private mutating func print(_ expression: FilteredExpression) throws(LiquidError) {
        offset = expression.offset
        if json != nil {
            try printInJSON(expression)
        } else if expression.filters.isEmpty {
            try evaluate(expression.base).write(to: &output)
        } else {
            try value(of: expression).write(to: &output)
        }
    }
}

extension Renderer {
    mutating func countTurn() throws(LiquidError) {
        loopTurns += 1
        if loopTurns > limits.loopTurns {
            throw LiquidError(.loopLimit, "The loops take more than \(limits.loopTurns) turns.")
        }
        try meter.spend(Work.turn)
    }

    /// Runs what nests one level deeper.
    mutating func enter() throws(LiquidError) {
        depth += 1
        guard depth > limits.nesting else { return }
        let isCycle = Set(path).count < path.count
        throw isCycle
            ? LiquidError(.cyclicTemplate, "'\((path.last ?? "").quoted)' contains itself.")
            : LiquidError(.nestingLimit, "Templates nest deeper than \(limits.nesting).")
    }

    /// The error with the position of the tag being rendered, unless it has one.
    func placed(_ error: LiquidError) -> LiquidError {
        guard error.line == 0 else { return error }
        var error = error
        (error.line, error.column) = SourceMap(template.source).position(of: offset)
        error.template = template.name
        return error
    }

    private mutating func abort(_ reason: Expression?, _ source: String?, at place: Int) throws(LiquidError) {
        offset = place
        abortSource = source
        if let reason { abortReason = try evaluate(reason).text(meter) }
        throw LiquidError(.aborted, "The template aborts.")
    }

    private mutating func count(_ name: String, _ isIncrement: Bool) throws(LiquidError) {
        try meter.spend(Work.lookup + name.utf8.count)
        let counter = ByteText(name)
        let count = scope.counters[counter] ?? 0
        scope.counters[counter] = isIncrement ? count &+ 1 : count &- 1
        try put(.int(isIncrement ? count : count &- 1))
    }

    /// Renders a body apart from the output and returns its text, which becomes JSON from a position on if there is
    /// one.
    mutating func apart(
        _ body: [TemplateNode],
        at position: JSONPosition? = nil
    ) throws(LiquidError) -> (flow: Flow, text: [UInt8]) {
        var flow = Flow.normal
        let text = try apart(at: position) { (renderer) throws(LiquidError) in flow = try renderer.render(body) }
        return (flow, text)
    }

    /// Puts out what a function puts out apart, and returns it; until then the output so far takes memory beside it.
    mutating func apart(
        at position: JSONPosition? = nil,
        _ body: (inout Renderer) throws(LiquidError) -> Void
    ) throws(LiquidError) -> [UInt8] {
        var other = TextSink(outputOf: meter)
        let outer = json
        json = position
        defer { json = outer }
        let held = output.count
        try meter.charge(held)
        swap(&other, &output)
        try body(&self)
        swap(&other, &output)
        meter.release(held)
        try meter.charge(other.count)
        return other.bytes
    }

    private mutating func capture(_ body: [TemplateNode], into place: Int) throws(LiquidError) -> Flow {
        let result = try apart(body)
        // safe: a place of a name
        scope.assigned[place] = .string(String(bytes: result.text))
        return result.flow
    }

    private mutating func renderIfChanged(_ body: [TemplateNode]) throws(LiquidError) -> Flow {
        let result = try apart(body, at: json)
        if scope.lastChange != result.text {
            try output.append(result.text)
            // It was escaped where it was rendered.
            if json != nil { json?.advance(past: result.text) }
            scope.lastChange = result.text
        }
        return result.flow
    }

    private mutating func renderBranch(_ branches: [Branch]) throws(LiquidError) -> Flow {
        for branch in branches {
            if let condition = branch.condition, try !holds(condition) { continue }
            return try nested(branch.body)
        }
        return .normal
    }

    mutating func nested(_ body: [TemplateNode]) throws(LiquidError) -> Flow {
        try enter()
        let flow = try render(body)
        depth -= 1
        return flow
    }

    private mutating func renderChoice(_ choice: Choice) throws(LiquidError) -> Flow {
        offset = choice.offset
        let subject = try evaluate(choice.subject)
        var hasMatched = false
        for arm in choice.arms {
            offset = choice.offset
            var turns = arm.isElse && !hasMatched ? 1 : 0
            for value in arm.values where try evaluate(value).equals(subject, meter) {
                turns += 1
                hasMatched = true
            }
            for _ in 0..<turns {
                let flow = try nested(arm.body)
                if flow != .normal { return flow }
            }
        }
        return .normal
    }
}
