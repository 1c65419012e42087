import CardModel

/// The bars of the calendar and what stands behind them, as SVG whose widths are shares of the page's.
///
/// Everything that it shows is said in words beside it, so that none of it is read aloud.
struct CalendarDrawing {
    let range: CalendarRange

    /// Stripes, which a bar's fill names; drawn once a page.
    static let patterns = """
        <svg class="cal-patterns" width="0" height="0" aria-hidden="true" focusable="false"><defs>\
        <pattern id="cal-stripes" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
        <rect class="cal-stripe" width="3" height="7"/></pattern></defs></svg>
        """

    /// The bar of a campaign: solid where it runs for everybody, faint where it starts or ends by users' own clocks.
    func bar(of run: CampaignRun) -> String {
        let (begin, finish) = (run.start.lowerBound, run.end?.upperBound ?? .infinity)
        let certain = (run.start.upperBound, run.end?.lowerBound ?? .infinity)
        var parts: [String] = []
        if certain.0 < certain.1 {
            parts.append(part(run.state, isFaint: true, begin, certain.0))
            parts.append(part(run.state, isFaint: false, certain.0, certain.1))
            parts.append(part(run.state, isFaint: true, certain.1, finish))
        } else {
            // It is over for the first users before it begins for the last.
            parts.append(part(run.state, isFaint: true, begin, finish))
        }
        if run.isOpenAtStart || begin < range.start { parts.append(arrow(at: range.place(of: begin), left: true)) }
        if finish > range.end { parts.append(arrow(at: 1, left: false)) }
        return svg("cal-bar \(run.state.rawValue)", parts)
    }

    /// The bar of a state, for the legend.
    static func sample(of state: CampaignState, isFaint: Bool = false) -> String {
        let rect = rect(state, isFaint: isFaint, from: 0.06, to: 0.94)
        let names = "cal-bar cal-sample \(state.rawValue)"
        return #"<svg class="\#(names)" aria-hidden="true" focusable="false">\#(rect)</svg>"#
    }

    /// The lines between days, the shade of weekends, and the line of now, behind all bars.
    func grid(at now: UnixTime) -> String {
        var parts: [String] = []
        for (index, day) in range.days.enumerated() {
            // 1970-01-01 was a Thursday.
            // safe: days of the years that timestamps have
            let weekday = (day.number + 3) % 7
            let (from, to) = (range.place(ofDay: index), range.place(ofDay: index + 1))
            if weekday > 4 {
                let width = Self.share(to - from)
                let place = #"x="\#(Self.share(from))" y="0" width="\#(width)" height="100%""#
                parts.append(#"<rect class="cal-weekend" \#(place)/>"#)
            }
            if index > 0, range.span != .quarter || weekday == 0 { parts.append(Self.line("cal-line", at: from)) }
        }
        if now >= range.start, now <= range.end { parts.append(Self.line("cal-now", at: range.place(of: now))) }
        return svg("cal-grid", parts)
    }

    /// The days above the bars.
    func axis(_ dates: CalendarDates) -> String {
        let isQuarter = range.span == .quarter
        let labels = range.days.indices.compactMap { index -> String? in
            guard let label = dates.label(of: index, in: range) else { return nil }
            let middle = (range.place(ofDay: index) + range.place(ofDay: index + 1)) / 2
            let place = Self.share(isQuarter ? range.place(ofDay: index) : middle)
            // Narrow windows have room for some of them.
            let isFine = isQuarter ? (index / 7) % 2 == 1 : range.span == .month && index % 3 != 0
            let names = "cal-day\(isQuarter ? " cal-start" : "")\(isFine ? " cal-fine" : "")"
            return #"<text class="\#(names)" x="\#(place)" y="18">\#(label.escaped)</text>"#
        }
        return svg("cal-axis", labels)
    }

    // MARK: Parts

    private func svg(_ names: String, _ parts: [String]) -> String {
        #"<svg class="\#(names)" aria-hidden="true" focusable="false">\#(parts.joined())</svg>"#
    }

    private func part(
        _ state: CampaignState,
        isFaint: Bool,
        _ begin: UnixTime,
        _ finish: UnixTime
    ) -> String {
        let (from, to) = (range.place(of: begin), range.place(of: finish))
        guard begin < finish, from < to else { return "" }
        return Self.rect(state, isFaint: isFaint, from: from, to: to)
    }

    /// The width of what lasts for moments: without one, nothing would be drawn.
    private static let thinnest = 0.002

    private static func rect(_ state: CampaignState, isFaint: Bool, from: Double, to: Double) -> String {
        let stripes = state == .paused ? #" fill="url(#cal-stripes)""# : ""
        let names = isFaint ? "cal-run cal-faint" : "cal-run"
        return #"<rect class="\#(names)" x="\#(share(from))" width="\#(share(max(to - from, thinnest)))"\#(stripes)/>"#
    }

    /// A mark for what goes on beyond the range, or is open.
    private func arrow(at place: Double, left: Bool) -> String {
        let path = left ? "M8 5 L2 11 L8 17" : "M-8 5 L-2 11 L-8 17"
        return #"<svg x="\#(Self.share(place))" overflow="visible"><path class="cal-arrow" d="\#(path)"/></svg>"#
    }

    private static func line(_ names: String, at place: Double) -> String {
        #"<line class="\#(names)" x1="\#(share(place))" x2="\#(share(place))" y1="0" y2="100%"/>"#
    }

    /// `12.345%`: a share of the width, whatever decimal mark a language has.
    private static func share(_ place: Double) -> String {
        // safe: a share is from 0 to 1
        let thousandths = Int((min(max(place, 0), 1) * 100_000).rounded())
        let (whole, rest) = (thousandths / 1_000, thousandths % 1_000)
        return "\(whole).\(String(String(1_000 + rest).dropFirst()))%"
    }
}
