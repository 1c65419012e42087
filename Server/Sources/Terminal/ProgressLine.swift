import Foundation

/// The progress of a long job, as one line.
package struct ProgressLine {
    /// The part that is done, 0 to 1.
    package var fraction: Double
    /// The number of things that are done.
    package var count: Int
    /// The number of things that this run has done.
    package var countOfThisRun: Int
    /// The time that this run has taken, in seconds.
    package var seconds: Double
    /// The part that was done before this run began, 0 to 1.
    package var initialFraction: Double

    /// Describes a job at a moment.
    package init(fraction: Double, count: Int, countOfThisRun: Int, seconds: Double, initialFraction: Double = 0) {
        // What is no number is nothing, too.
        self.fraction = fraction > 0 ? min(fraction, 1) : 0
        self.count = count
        self.countOfThisRun = countOfThisRun
        self.seconds = seconds
        self.initialFraction = initialFraction
    }

    /// Things a second.
    package var rate: Double { seconds > 0 ? Double(countOfThisRun) / seconds : 0 }

    /// The seconds that are left, or `nil` where too little is done to tell.
    package var remainingSeconds: Double? {
        let done = fraction - initialFraction
        return done > 0.001 ? seconds * (1 - fraction) / done : nil
    }

    // safe: a fraction is from 0 to 1, and a rate a count of lines
    /// A bar, the count, the rate and what is left.
    package func text(columns: Int) -> String {
        let numbers = [
            "\(Int(fraction * 100))%".rightAligned(toColumns: 4), "\(count)", "\(Int(min(max(rate, 0), 1e15)))/s",
            remainingSeconds.map { "\(Countdown.text($0)) left" } ?? "",
        ]
        let tail = numbers.joined(separator: "  ")
        let width = max(0, min(30, columns - tail.count - 4))
        let filled = Int((Double(width) * fraction).rounded(.down))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        return "\(bar)  \(tail)".truncated(toColumns: columns)
    }
}

/// Says how long something still takes.
package enum Countdown {
    // safe: 1e12 at most; the units are of a table
    /// `45 s`, `3 min 20 s`, `5 h 10 min` or `12 d 4 h`: the two largest units, rounded up to the second.
    package static func text(_ seconds: Double) -> String {
        let seconds = Int((seconds > 0 ? min(seconds, 1e12) : 0).rounded(.up))
        let units = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
        guard let index = units.firstIndex(where: { seconds >= $0.0 }) else { return "0 s" }
        let first = "\(seconds / units[index].0) \(units[index].1)"
        guard index + 1 < units.count else { return first }
        let rest = seconds % units[index].0 / units[index + 1].0
        return rest == 0 ? first : "\(first) \(rest) \(units[index + 1].1)"
    }
}
