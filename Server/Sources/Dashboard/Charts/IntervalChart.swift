/// A value with its interval on a line that shows where nothing would be.
struct IntervalChart {
    let low: Double
    let value: Double
    let high: Double

    var svg: String {
        let reach = max(abs(low), abs(high), 0.01) * 1.15
        func x(_ number: Double) -> Int64 { Int64(nearest: 100 + min(1, max(-1, number / reach)) * 95) }
        return #"<svg class="interval" viewBox="0 0 200 26" aria-hidden="true" preserveAspectRatio="none">"#
            + #"<line class="zero" x1="100" x2="100" y1="2" y2="24"/><line class="bar" x1="\#(x(low))" "#
            + #"x2="\#(x(high))" y1="13" y2="13"/>"#
            + #"<circle class="dot" cx="\#(x(value))" cy="13" r="4"/></svg>"#
    }
}
