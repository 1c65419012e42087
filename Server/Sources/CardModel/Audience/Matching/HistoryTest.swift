import WireJSON

/// A clause on what a user did, compiled.
struct HistoryTest: FilterTest {
    private let clause: HistoryClause
    private let time: TimeTest?

    init(_ clause: HistoryClause) {
        self.clause = clause
        time = TimeTest(clause.comparison, clause.value)
    }

    var cost: Int { clause.window == nil ? 6 : 12 }

    func holds(_ facts: UserFacts, _ until: inout UnixTime) -> Bool {
        guard mayLook(at: facts.history, facts.patterns) else { return false }
        switch clause.measure {
        case .first: return holds(first(facts.history), at: facts.now, &until)
        case .last: return holds(last(facts.history), at: facts.now, &until)
        case .count:
            guard clause.window != nil else { return allows(Double(total(facts.history)), clause.value) }
            return holdsInWindow(OpenWindow(clause.window, of: facts), facts.history, &until)
        case .revenue(let currency):
            let window = OpenWindow(clause.window, of: facts)
            return allows(revenue(in: currency, window, facts.history, &until), clause.amount)
        }
    }

    /// Returns the value that the clause compares: a number, a time, or nothing.
    func found(_ facts: UserFacts) -> JSONValue? {
        var until = UnixTime.infinity
        switch clause.measure {
        case .first: return first(facts.history).map(JSONValue.init(number:))
        case .last: return last(facts.history).map(JSONValue.init(number:))
        case .count where clause.window == nil: return .integer(total(facts.history))
        case .count:
            let window = OpenWindow(clause.window, of: facts)
            // safe: a hundred of each event and product
            return .integer(Int64(reduce(facts.history, 0) { $0 + Self.recent($1, in: window).count }))
        case .revenue(let currency):
            let window = OpenWindow(clause.window, of: facts)
            return JSONValue(revenue(in: currency, window, facts.history, &until))
        }
    }

    // MARK: What was done

    /// Takes the work of looking at what the clause asks for, and returns whether there was as much.
    ///
    /// Of an event there are a few hundred times; but a user may have bought thousands of products.
    private func mayLook(at history: UserHistory, _ work: PatternWork) -> Bool {
        guard case .purchase = clause.subject else { return true }
        guard work.takesSteps(history.purchases.count) else { return false }
        guard clause.window != nil else { return true }
        // safe: as many as there are in memory
        return work.takesSteps(reduce(history, 0) { $0 + $1.recent.count })
    }

    private func reduce<Value>(_ history: UserHistory, _ start: Value, _ add: (Value, Occurrences) -> Value) -> Value {
        switch clause.subject {
        case .event(let name): return history.events[name].map { add(start, $0) } ?? start
        case .session: return history.sessions.map { add(start, $0) } ?? start
        case .purchase(let product):
            var value = start
            for (key, record) in history.purchases where product?.names(key) ?? true {
                value = add(value, record.occurrences)
            }
            return value
        }
    }

    // safe: each of them took a request
    private func total(_ history: UserHistory) -> Int64 { reduce(history, 0) { $0 + $1.count } }

    private func first(_ history: UserHistory) -> UnixTime? {
        reduce(history, UnixTime?.none) { min($0 ?? .infinity, $1.first) }
    }

    private func last(_ history: UserHistory) -> UnixTime? {
        reduce(history, UnixTime?.none) { max($0 ?? -.infinity, $1.last) }
    }

    private func revenue(
        in currency: String,
        _ window: OpenWindow,
        _ history: UserHistory,
        _ until: inout UnixTime
    ) -> Amount {
        guard case .purchase(let product) = clause.subject else { return 0 }
        var revenue = Amount.zero
        for (key, record) in history.purchases where key.currency == currency && product?.names(key) ?? true {
            guard clause.window != nil else {
                revenue += record.revenue
                continue
            }
            let times = record.occurrences.recent
            let come = times.count - times.reversed().prefix { window.awaits($0) }.count
            let oldest = max(0, come - Occurrences.recentLimit)
            for (time, amount) in zip(times, record.recentAmounts).dropFirst(oldest) {
                if window.awaits(time) { until = min(until, time) }
                guard window.includes(time) else { continue }
                revenue += amount
                until = min(until, window.end(of: time))
            }
        }
        return revenue
    }

    // MARK: Comparing

    private func holds(_ found: UnixTime?, at now: UnixTime, _ until: inout UnixTime) -> Bool {
        switch clause.comparison {
        case .exists: found != nil
        case .doesNotExist: found == nil
        default: found.map { time?.holds($0, at: now, &until) ?? false } ?? false
        }
    }

    private func holdsInWindow(_ window: OpenWindow, _ history: UserHistory, _ until: inout UnixTime) -> Bool {
        var end = UnixTime.infinity
        let count = reduce(history, 0) { count, occurrences in
            let own = Self.recent(occurrences, in: window)
            if let oldest = own.first { end = min(end, window.end(of: oldest)) }
            // What is still to come counts from its own time on.
            if own.endIndex < occurrences.recent.endIndex { until = min(until, occurrences.recent[own.endIndex]) }
            // safe: a hundred of each event and product
            return count + own.count
        }
        let answer = allows(Double(count), clause.value)
        // What has happened only leaves by time alone; where even none would not change the answer, nothing will.
        if isAnother(than: answer, below: count) { until = min(until, end) }
        return answer
    }

    /// Whether a smaller number would give another answer.
    ///
    /// An order gives one answer up to its value and the other from there on, and an equality another at its value
    /// alone: so it is enough to ask for none and for the value.
    private func isAnother(than answer: Bool, below count: Int) -> Bool {
        func differs(_ number: Double) -> Bool {
            number < Double(count) && allows(number, clause.value) != answer
        }
        return differs(0) || differs(clause.value)
    }

    /// The latest times that a window takes in, in order; what is still to come lies after them.
    private static func recent(_ occurrences: Occurrences, in window: OpenWindow) -> ArraySlice<UnixTime> {
        let recent = occurrences.recent
        var end = recent.count
        while end > 0, window.awaits(recent[end - 1]) { end -= 1 }
        var start = end
        while start > 0, window.includes(recent[start - 1]) { start -= 1 }
        // safe: the start began at the end and went down
        return recent[start..<end]
    }

    private func allows<Number: Comparable>(_ number: Number, _ value: Number) -> Bool {
        switch clause.comparison {
        case .equals: number == value
        case .notEqual: number != value
        case .greaterThan: number > value
        case .greaterThanOrEqual: number >= value
        case .lessThan: number < value
        case .lessThanOrEqual: number <= value
        default: false
        }
    }
}

extension ByteString {
    /// Whether this is the product's id.
    fileprivate func names(_ product: UserHistory.Product) -> Bool { product.id.hasSameBytes(as: text) }
}
