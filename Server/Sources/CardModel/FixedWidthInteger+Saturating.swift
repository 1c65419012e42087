extension FixedWidthInteger {
    /// Takes a number with a fraction: without the fraction, the nearest there is where it is too large, and 0 where it
    /// is none.
    ///
    /// The initialiser without a label ends the process for what does not fit.
    public init(saturating value: Double) {
        if let exact = Self(exactly: value.rounded(.towardZero)) {
            self = exact
        } else {
            self = value > 0 ? .max : value < 0 ? .min : 0
        }
    }
}
