/// A whole number that a setting gives.
package enum WholeNumber {
    /// Reads a number of a range.
    ///
    /// - Throws: `ConfigurationError` that names the setting.
    package static func read(
        _ value: SettingValues.Value,
        in range: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int {
        guard let number = Int(value.text), range.contains(number) else {
            throw ConfigurationError(
                "\(value.origin): a whole number from \(range.lowerBound) to \(range.upperBound) is expected, "
                    + "not \(value.text)."
            )
        }
        return number
    }
}
