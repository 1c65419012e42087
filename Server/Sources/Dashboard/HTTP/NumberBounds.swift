import CardModel

extension Int64 {
    /// Creates the whole number nearest to a value, or the nearest that can be represented.
    ///
    /// Counts and times reach pages as `Double`, and some of them were chosen by whoever sent a form: a plain
    /// conversion of what is out of range ends the process.
    ///
    /// - Parameter value: The value; not a number counts as 0.
    init(nearest value: Double) {
        let rounded = value.rounded()
        self = Int64(exactly: rounded) ?? (rounded.isNaN ? 0 : rounded < 0 ? .min : .max)
    }

    /// Returns the sum, or the nearest number that can be represented.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }
}
