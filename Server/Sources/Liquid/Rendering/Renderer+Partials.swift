extension Renderer {
    mutating func renderPartial(_ partial: Partial) throws(LiquidError) -> Flow {
        offset = partial.offset
        if scope.isIsolated, !partial.isIsolated {
            throw LiquidError(.includeNotAllowed, "'include' has no meaning in a template that 'render' isolates.")
        }
        guard case .string(let name) = try evaluate(partial.name) else {
            throw LiquidError(.argument, "'include' needs the name of a template.")
        }
        try meter.spend(Work.partial + 2 * name.utf8.count)
        let found = try context.partials?.template(named: name)
        guard let found else { throw LiquidError(.missingTemplate, "No template is called '\(name.quoted)'.") }
        let part = name.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
        let key = partial.alias ?? part ?? ""
        var arguments: [(name: String, value: LiquidValue)] = []
        for argument in partial.arguments { arguments.append((argument.name, try evaluate(argument.value))) }
        let call = PartialCall(template: found, name: name, key: key, arguments: arguments)
        return partial.isIsolated ? try isolated(partial, call) : try included(partial, call)
    }

    /// The template that one `include` or `render` renders.
    struct PartialCall {
        let template: LiquidTemplate
        let name: String
        let key: String
        let arguments: [(name: String, value: LiquidValue)]
    }

    // safe: places of names
    private mutating func included(_ partial: Partial, _ call: PartialCall) throws(LiquidError) -> Flow {
        // Without a subject, a variable with the name of the template is its subject.
        let subject = try evaluate(partial.subject ?? .path(.computed(.literal(.string(call.name))), []))
        var bindings: [(place: Int, value: LiquidValue)] = []
        for argument in call.arguments { bindings.append((try place(named: argument.name), argument.value)) }
        let key = try place(named: call.key)
        let hidden = bindings.map { scope.shadowing[$0.place] } + [scope.shadowing[key]]
        var flow = Flow.normal
        let items: [LiquidValue]
        if case .array(let list) = subject { items = list } else { items = [subject] }
        for item in items {
            try countTurn()
            try meter.spend(Work.partial + bindings.count * Work.element)
            for binding in bindings { scope.shadowing[binding.place] = binding.value }
            if partial.subject != nil || !item.isNull { scope.shadowing[key] = item }
            flow = try render(call.template, named: call.name)
            if flow != .normal { break }
        }
        bindings.append((key, .null))
        for (binding, value) in zip(bindings, hidden).reversed() { scope.shadowing[binding.place] = value }
        return flow
    }

    /// Renders a template in this scope.
    mutating func render(_ other: LiquidTemplate, named name: String) throws(LiquidError) -> Flow {
        let outer = (template: template, places: places, offset: offset)
        path.append(name)
        try enter()
        // The first time, they are all looked up.
        if !scope.knows(other) { try hold(other.names.count) }
        places = scope.places(of: other)
        template = other
        let flow = try render(other.nodes)
        (template, places, offset) = outer
        depth -= 1
        path.removeLast()
        return flow
    }

    private mutating func isolated(_ partial: Partial, _ call: PartialCall) throws(LiquidError) -> Flow {
        let subject = try partial.subject.map { subject throws(LiquidError) in try evaluate(subject) }
        let items = partial.isLoop ? subject?.loopItems : nil
        guard let items else {
            try isolated(call, subject: subject, loop: nil)
            return .normal
        }
        for (index, item) in items.enumerated() {
            try countTurn()
            try meter.spend(Work.partial)
            try isolated(call, subject: item, loop: LoopState(name: call.name, length: items.count, index: index))
        }
        return .normal
    }

    // safe: places of names
    private mutating func isolated(_ call: PartialCall, subject: LiquidValue?, loop: LoopState?) throws(LiquidError) {
        let names = call.template.names.count
        try hold(names)
        var inner = Scope(names: call.template.names, isIsolated: true)
        // The loop is a variable here, so that loops inside do not take it for their parent.
        if let loop { inner.assigned[inner.place(of: "forloop")] = LoopSnapshot([loop]).map { .object($0) } }
        for argument in call.arguments { inner.assigned[inner.place(of: argument.name)] = argument.value }
        if let subject, !subject.isNull { inner.assigned[inner.place(of: call.key)] = subject }
        let outer = (template: template, places: places, offset: offset)
        swap(&scope, &inner)
        path.append(call.name)
        try enter()
        (template, places) = (call.template, [])
        _ = try render(call.template.nodes)
        depth -= 1
        path.removeLast()
        swap(&scope, &inner)
        meter.release(names * Scope.bytesPerName)
        (template, places, offset) = outer
    }

    /// Counts names that a scope is about to hold.
    private func hold(_ names: Int) throws(LiquidError) {
        try meter.spend(names * Work.element)
        try meter.charge(names * Scope.bytesPerName)
    }
}

extension LiquidValue {
    /// The items that `render … for` takes one by one; `nil` for what is rendered once.
    fileprivate var loopItems: [LiquidValue]? {
        switch self {
        case .array(let items): items
        case .hash(let hash): hash.pairs.map { .array([.string($0.key), $0.value]) }
        default: nil
        }
    }
}
