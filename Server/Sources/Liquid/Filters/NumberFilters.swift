/// Filters that compute.
enum NumberFilters {
    static let all: [LiquidFilter] = [
        LiquidFilter("abs", apply: abs),
        LiquidFilter("at_least", arguments: 1...1, apply: atLeast),
        LiquidFilter("at_most", arguments: 1...1, apply: atMost),
        LiquidFilter("ceil", apply: ceil),
        LiquidFilter("divided_by", arguments: 1...1, apply: dividedBy),
        LiquidFilter("floor", apply: floor),
        LiquidFilter("minus", arguments: 1...1, apply: minus),
        LiquidFilter("modulo", arguments: 1...1, apply: modulo),
        LiquidFilter("plus", arguments: 1...1, apply: plus),
        LiquidFilter("round", arguments: 0...1, apply: round),
        LiquidFilter("times", arguments: 1...1, apply: times),
    ]

    private static func abs(_ call: LiquidFilterCall) -> LiquidValue {
        let number = Number(call.input)
        // Zero has a sign of its own as a decimal.
        if case .double(let decimal) = number { return .double(decimal.magnitude) }
        return (number < .int(0) ? -number : number).value
    }

    private static func atLeast(_ call: LiquidFilterCall) -> LiquidValue {
        let (number, bound) = (Number(call.input), Number(call[0]))
        return (number < bound ? bound : number).value
    }

    private static func atMost(_ call: LiquidFilterCall) -> LiquidValue {
        let (number, bound) = (Number(call.input), Number(call[0]))
        return (bound < number ? bound : number).value
    }

    private static func plus(_ call: LiquidFilterCall) -> LiquidValue {
        (Number(call.input) + Number(call[0])).value
    }

    private static func minus(_ call: LiquidFilterCall) -> LiquidValue {
        (Number(call.input) - Number(call[0])).value
    }

    private static func times(_ call: LiquidFilterCall) -> LiquidValue {
        (Number(call.input) * Number(call[0])).value
    }

    private static func dividedBy(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard let quotient = Number(call.input).divided(by: Number(call[0])) else { throw zeroDivision }
        return quotient.value
    }

    private static func modulo(_ call: LiquidFilterCall) throws(LiquidError) -> LiquidValue {
        guard let remainder = Number(call.input).modulo(Number(call[0])) else { throw zeroDivision }
        return remainder.value
    }

    private static var zeroDivision: LiquidError { LiquidError(.zeroDivision, "A number is divided by zero.") }

    private static func ceil(_ call: LiquidFilterCall) -> LiquidValue { whole(call, .up) }

    private static func floor(_ call: LiquidFilterCall) -> LiquidValue { whole(call, .down) }

    private static func whole(_ call: LiquidFilterCall, _ rule: FloatingPointRoundingRule) -> LiquidValue {
        guard case .double(let number) = Number(call.input) else { return Number(call.input).value }
        return whole(number.rounded(rule))
    }

    private static func whole(_ number: Double) -> LiquidValue {
        Int(exactly: number).map { .int($0) } ?? .double(number)
    }

    /// So many decimals, of which no number has more than 400 on either side of the point.
    private static func places(_ wanted: Double) -> Int {
        // safe: 400 at most, in either direction
        wanted.isNaN ? 0 : Int(min(max(wanted, -400), 400).rounded(.towardZero))
    }

    private static func round(_ call: LiquidFilterCall) -> LiquidValue {
        let number = Number(call.input)
        let places = places(Number(call[0]).double)
        guard let rounded = ScaledDecimal(number)?.rounded(to: places) else {
            return places <= 0 ? whole(number.double.rounded(.toNearestOrAwayFromZero)) : number.value
        }
        if case .double = number, places > 0 { return .double(rounded.double) }
        return whole(rounded.double)
    }
}
