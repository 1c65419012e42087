import CardModel

/// Lines over days, as SVG: the text for those who cannot see it is a table beside it.
struct SeriesChart {
    /// One line.
    struct Series {
        let name: String
        /// The number of the colour, from 1.
        let colour: Int
        /// The number of the line's dashes and of the shape of its points, from 0 for a whole line with circles: it
        /// tells lines of the same colour apart.
        var pattern = 0
        /// The values by day; `nil` leaves a gap, such as for a rate of nothing.
        let values: [Double?]

        /// The classes of the colour and the dashes.
        fileprivate var classes: String { pattern == 0 ? "s\(colour)" : "s\(colour) d\(pattern)" }
    }

    /// The numbers of colours and of patterns, which together are as many lines as can be told apart.
    static let (colours, patterns) = (5, 4)

    /// The size of the drawing: text keeps its size, so a narrow window needs a drawing of its own.
    private struct Size {
        let name: String
        let width: Double
        let height: Double
        let labels: Int

        static let wide = Size(name: "wide", width: 1040, height: 260, labels: 7)
        static let slim = Size(name: "slim", width: 350, height: 210, labels: 3)
    }

    private static let (left, right, top, bottom) = (52.0, 12.0, 12.0, 28.0)

    let days: [Day]
    let series: [Series]
    let label: String
    var isPercent = false
    /// Whether the last day isn't over: it is a point beside the line, as its numbers are still to grow.
    var isLastDayPartial = false
    private var size = Size.wide

    init(days: [Day], series: [Series], label: String, isPercent: Bool = false, isLastDayPartial: Bool = false) {
        self.days = days
        self.series = series
        self.label = label
        self.isPercent = isPercent
        self.isLastDayPartial = isLastDayPartial
    }

    private var highest: Double { Self.ceiling(series.flatMap { $0.values.compactMap(\.self) }.max() ?? 0) }

    /// The next number above whose quarters are easy to read: 1, 2, 4, 6 or 8 times a power of ten.
    static func ceiling(_ value: Double) -> Double {
        guard value > 0, value.isFinite else { return 1 }
        var unit = 1.0
        while unit * 10 <= value { unit *= 10 }
        while unit > value { unit /= 10 }
        return [1, 2, 4, 6, 8, 10].map { $0 * unit }.first { $0 >= value } ?? value
    }

    /// Returns the number of parts into which the height is divided: counts are whole numbers, so each part of theirs
    /// has to be one.
    static func parts(of height: Double, isPercent: Bool) -> Int {
        guard !isPercent, height <= 10 else { return 4 }
        // safe: ten at most
        return [1: 1, 2: 2, 6: 3, 10: 5][Int(height)] ?? 4
    }

    /// The drawing, for wide windows and for narrow ones; the page's style shows one of them.
    var svg: String {
        [Size.wide, .slim].map { size in
            var chart = self
            chart.size = size
            return chart.drawing
        }.joined()
    }

    private var drawing: String {
        var parts = [
            #"<svg class="chart \#(size.name)" viewBox="0 0 \#(Int(size.width)) \#(Int(size.height))" role="img" "#
                + #"aria-label="\#(label.escaped)">"#
        ]
        parts += grid + dayLabels
        for (index, line) in series.enumerated() {
            let isCut = isLastDayPartial && line.values.count > 1
            let values = isCut ? line.values.dropLast() : line.values
            let known = values.compactMap(\.self)
            if index == 0, !isPercent || series.count == 1, known.count == values.count {
                parts.append(#"<path class="area s\#(line.colour)" d="\#(area(known))"/>"#)
            }
            parts.append(#"<path class="line \#(line.classes)" d="\#(path(values))"/>"#)
            parts += lonePlaces(of: values).compactMap { dot(line, at: $0) }
            if isCut { parts += [dot(line, at: line.values.count - 1)].compactMap(\.self) }
        }
        return parts.joined() + hoverBands.joined() + "</svg>"
    }

    /// The places of values that no line leads to, since there is a gap on either side.
    private func lonePlaces(of values: [Double?]) -> [Int] {
        // A gap stands before the first value and after the last one.
        let before = [Double?.none] + Array(values.dropLast())
        let after = Array(values.dropFirst()) + [Double?.none]
        return zip(values, zip(before, after)).enumerated().compactMap { index, item in
            item.0 != nil && item.1.0 == nil && item.1.1 == nil ? index : nil
        }
    }

    private func dot(_ line: Series, at index: Int) -> String? {
        guard let value = line.values[index] else { return nil }
        let kind = isLastDayPartial && index == line.values.count - 1 ? "dot partial" : "dot"
        return Self.point(kind, line, x(index), y(value))
    }

    /// A circle, or for another pattern a square, a diamond or a triangle.
    private static func point(_ kind: String, _ line: Series, _ x: Double, _ y: Double) -> String {
        let shapes = ["m-3-3h6v6h-6z", "m0-4.5 4.5 4.5-4.5 4.5-4.5-4.5z", "m0-4.5 4.5 8h-9z"]
        // safe: a pattern from 1
        guard line.pattern > 0, let shape = shapes.dropFirst(line.pattern - 1).first else {
            return #"<circle class="\#(kind) s\#(line.colour)" cx="\#(x)" cy="\#(y)" r="3.5"/>"#
        }
        return #"<path class="\#(kind) \#(line.classes)" d="M\#(x) \#(y)\#(shape)"/>"#
    }

    private var grid: [String] {
        let parts = Self.parts(of: highest, isPercent: isPercent)
        // safe: five at most
        return (0...parts).map { step in
            let value = highest * Double(step) / Double(parts)
            let line =
                #"<line class="grid" x1="\#(Self.left)" x2="\#(size.width - Self.right)" y1="\#(y(value))" "#
                + #"y2="\#(y(value))"/>"#
            return line
                // safe: sizes of ours
                + #"<text class="tick" x="\#(Self.left - 8)" y="\#(y(value) + 4)" "#
                + #"text-anchor="end">\#(tick(value, of: parts))</text>"#
        }
    }

    private func tick(_ value: Double, of parts: Int) -> String {
        isPercent
            ? PageFormatter.decimal(value * 100, digits: Self.digits(of: highest / Double(parts))) + "%"
            : PageFormatter.short(Int64(nearest: value))
    }

    /// Returns the fewest decimals in which a share is said in per cent as it is, such as two for a quarter of 1%.
    static func digits(of share: Double) -> Int {
        var (percent, digits) = (share * 100, 0)
        while digits < 6, abs(percent - percent.rounded()) > percent * 0.001 {
            percent *= 10
            digits += 1
        }
        return digits
    }

    // safe: sizes of ours
    private var dayLabels: [String] {
        guard !days.isEmpty else { return [] }
        let step = max(1, (days.count + size.labels - 1) / size.labels)
        return stride(from: (days.count - 1) % step, to: days.count, by: step).map { index in
            let anchor = index == 0 && days.count > 1 ? "start" : index == days.count - 1 ? "end" : "middle"
            return
                #"<text class="tick" x="\#(x(index))" y="\#(size.height - 6)" "#
                + #"text-anchor="\#(anchor)">\#(PageFormatter.day(days[index]))</text>"#
        }
    }

    /// Each day has its numbers as a tooltip.
    private var hoverBands: [String] {
        days.indices.map { index in
            let numbers = series.map { line in
                PageFormatter.labeled(line.name.escaped, line.values[index].map(number) ?? "–")
            }
            let isPartial = isLastDayPartial && index == days.count - 1
            let day = PageFormatter.day(days[index]) + (isPartial ? localized(", so far") : "")
            // safe: sizes of ours
            let band = max(1, (size.width - Self.left - Self.right) / Double(max(1, days.count - 1)))
            // safe: sizes of ours
            let height = size.height - Self.top - Self.bottom
            let rectangle =
                #"<rect x="\#(x(index) - band / 2)" y="\#(Self.top)" width="\#(band)" height="\#(height)"/>"#
            let rule =
                // safe: sizes of ours
                #"<line x1="\#(x(index))" x2="\#(x(index))" y1="\#(Self.top)" y2="\#(size.height - Self.bottom)"/>"#
            return
                #"<g class="band"><title>\#(day) – "#
                + #"\#(PageFormatter.list(numbers))</title>\#(rectangle)\#(rule)</g>"#
        }
    }

    private func number(_ value: Double) -> String {
        isPercent ? PageFormatter.percent(value) : PageFormatter.count(Int64(nearest: value))
    }

    private func path(_ values: [Double?]) -> String {
        var (text, isDrawing) = ("", false)
        for (index, value) in values.enumerated() {
            if let value { text += "\(isDrawing ? "L" : "M")\(x(index)) \(y(value))" }
            isDrawing = value != nil
        }
        return text
    }

    private func area(_ values: [Double]) -> String {
        guard values.count > 1 else { return "" }
        return path(values) + "L\(x(values.count - 1)) \(y(0))L\(x(0)) \(y(0))Z"
    }

    private func x(_ index: Int) -> Double {
        // safe: sizes of ours
        let room = size.width - Self.left - Self.right
        let share = days.count > 1 ? Double(index) / Double(days.count - 1) : 0.5
        return ((Self.left + room * share) * 10).rounded() / 10
    }

    private func y(_ value: Double) -> Double {
        // safe: sizes of ours
        let room = size.height - Self.top - Self.bottom
        // safe: sizes of ours
        return ((size.height - Self.bottom - room * min(1, value / highest)) * 10).rounded() / 10
    }
}
