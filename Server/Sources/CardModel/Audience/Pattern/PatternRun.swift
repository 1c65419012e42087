/// Makes steps of what an expression says.
struct PatternCompiler {
    let ignoresCase: Bool
    var steps: [PatternStep] = []
    var sets: [ScalarSet] = []
    private var emitted = 0

    init(ignoresCase: Bool) { self.ignoresCase = ignoresCase }

    mutating func emit(_ node: PatternNode) throws(TextPattern.PatternError) {
        // Parts are counted as well as steps: repeating nothing makes no steps.
        emitted += 1
        guard steps.count < TextPattern.maximumSteps, emitted < TextPattern.maximumSteps * 4 else {
            throw TextPattern.PatternError(
                message: "The regular expression is too large once its counts are written out."
            )
        }
        switch node {
        case .empty: break
        case .step(.scalar(let value)): steps.append(.scalar(ignoresCase ? CaseFolding.fold(value) : value))
        case .step(let step): steps.append(step)
        case .set(let set):
            steps.append(.set(sets.count))
            sets.append(set)
        case .sequence(let parts): for part in parts { try emit(part) }
        case .alternatives(let branches): try emit(alternatives: branches[...])
        case .repetition(let part, let minimum, let maximum): try emit(part, minimum, maximum)
        }
    }

    private mutating func emit(alternatives branches: ArraySlice<PatternNode>) throws(TextPattern.PatternError) {
        guard let first = branches.first else { return }
        guard branches.count > 1 else { return try emit(first) }
        let split = reserve()
        try emit(first)
        let jump = reserve()
        steps[split] = .split(split + 1, steps.count)
        try emit(alternatives: branches.dropFirst())
        steps[jump] = .jump(steps.count)
    }

    // safe: the parser refuses counts that are the wrong way round
    private mutating func emit(_ part: PatternNode, _ minimum: Int, _ maximum: Int?) throws(TextPattern.PatternError) {
        for _ in 0..<minimum { try emit(part) }
        guard let maximum else {
            let split = reserve()
            try emit(part)
            steps.append(.jump(split))
            steps[split] = .split(split + 1, steps.count)
            return
        }
        var splits: [Int] = []
        for _ in minimum..<maximum {
            splits.append(reserve())
            try emit(part)
        }
        for split in splits { steps[split] = .split(split + 1, steps.count) }
    }

    private mutating func reserve() -> Int {
        steps.append(.match)
        return steps.count - 1
    }
}

/// Follows every way through the steps at once, one scalar of the text after the other.
struct PatternRun {
    private let current: UnsafeMutableBufferPointer<Int32>
    private let next: UnsafeMutableBufferPointer<Int32>
    /// For each step the scalar at which it was last reached, so that none is followed twice at one.
    private let marks: UnsafeMutableBufferPointer<Int32>
    private let stack: UnsafeMutableBufferPointer<Int32>
    /// The work of folding the case of a scalar outside of ASCII, which the standard library looks up.
    private static let foldingWork = 40

    /// The number of steps that can still be looked at.
    private(set) var work: Int

    init(memory: UnsafeMutableBufferPointer<Int32>, count: Int, work: Int) {
        self.work = work
        func part(_ index: Int) -> UnsafeMutableBufferPointer<Int32> {
            // safe: the memory has room for four times the steps
            UnsafeMutableBufferPointer(rebasing: memory[index * count..<(index + 1) * count])
        }
        current = part(0)
        next = part(1)
        marks = part(2)
        stack = part(3)
        marks.update(repeating: -1)
    }

    // safe: lists hold steps, each once; a step that takes a scalar is not the last
    mutating func matches(
        _ text: UnsafeBufferPointer<UInt8>,
        steps: [PatternStep],
        sets: [ScalarSet],
        ignoresCase: Bool,
        isAnchored: Bool
    ) -> Bool? {
        var (current, next) = (current, next)
        var count = 0
        var position: Int32 = 0
        var place = Place(before: nil, after: nil)
        var decoder = text.makeIterator()
        var utf8 = UTF8()
        place.after = Self.scalar(&utf8, &decoder)
        while true {
            guard work > 0 else { return nil }
            if position == 0 || !isAnchored {
                if reach(0, at: position, place, steps, &current, &count) { return true }
            }
            guard let scalar = place.after else { return false }
            if count == 0, isAnchored { return false }
            let following = Place(before: scalar, after: Self.scalar(&utf8, &decoder))
            // Folded once for all steps.
            let folded = ignoresCase ? CaseFolding.fold(scalar) : scalar
            let cases = (lower: folded, upper: ignoresCase ? CaseFolding.unfold(folded) : scalar)
            var nextCount = 0
            position += 1
            work -= count + (ignoresCase && scalar >= 0x80 ? Self.foldingWork : 1)
            for index in 0..<count {
                let step = Int(current[index])
                guard Self.takes(steps[step], scalar, cases, sets) else { continue }
                if reach(step + 1, at: position, following, steps, &next, &nextCount) { return true }
            }
            swap(&current, &next)
            count = nextCount
            place = following
        }
    }

    /// The scalars on both sides of a position.
    private struct Place {
        var before: UInt32?
        var after: UInt32?

        var isWordBoundary: Bool {
            (before.map(ScalarSet.word.contains) ?? false) != (after.map(ScalarSet.word.contains) ?? false)
        }
    }

    /// Adds a step and whatever can be reached from it without a scalar, and returns whether that is the end.
    private mutating func reach(
        _ step: Int,
        at position: Int32,
        _ place: Place,
        _ steps: [PatternStep],
        _ list: inout UnsafeMutableBufferPointer<Int32>,
        _ count: inout Int
    ) -> Bool {
        var height = 0
        // safe: steps are in the expression, of which there are 2,000, and each is pushed once
        func push(_ step: Int) {
            guard marks[step] != position else { return }
            marks[step] = position
            stack[height] = Int32(step)
            height += 1
        }
        push(step)
        while height > 0 {
            height -= 1
            // safe: less only by the steps of a pattern, since none is begun below 1
            work -= 1
            let step = Int(stack[height])
            // safe: what was pushed is a step
            switch steps[step] {
            case .match: return true
            case .jump(let target): push(target)
            case .split(let first, let second):
                push(first)
                push(second)
            case .start: if place.before == nil { push(step + 1) }
            case .end: if place.after == nil { push(step + 1) }
            case .wordBoundary(let isOne): if place.isWordBoundary == isOne { push(step + 1) }
            case .scalar, .anyButLineFeed, .set:
                // safe: each step is reached once
                list[count] = Int32(step)
                count += 1
            }
        }
        return false
    }

    private static func takes(
        _ step: PatternStep,
        _ scalar: UInt32,
        _ cases: (lower: UInt32, upper: UInt32),
        _ sets: [ScalarSet]
    ) -> Bool {
        switch step {
        case .scalar(let value): return value == cases.lower
        case .anyButLineFeed: return scalar != 0x0A
        case .set(let index):
            // safe: the compiler has put it there
            let set = sets[index]
            let itself = set.contains(scalar)
            if cases.lower == cases.upper, cases.lower == scalar { return itself }
            // Some letters are neither case of themselves, such as the sign of Kelvin, whose lower case is a plain k.
            // A negated class leaves a letter out in every case.
            let (lower, upper) = (set.contains(cases.lower), set.contains(cases.upper))
            return set.isNegated ? itself && lower && upper : itself || lower || upper
        default: return false
        }
    }

    private static func scalar(
        _ utf8: inout UTF8,
        _ text: inout UnsafeBufferPointer<UInt8>.Iterator
    ) -> UInt32? {
        switch utf8.decode(&text) {
        case .scalarValue(let scalar): scalar.value
        case .emptyInput: nil
        case .error: 0xFFFD
        }
    }
}
