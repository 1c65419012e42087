/// A setting that is true or false.
package enum TruthValue {
    /// Reads `true` or `false`.
    ///
    /// - Throws: `ConfigurationError` that names the setting.
    package static func read(_ value: SettingValues.Value) throws(ConfigurationError) -> Bool {
        guard let flag = Bool(value.text) else {
            throw ConfigurationError("\(value.origin): true or false is expected, not \(value.text).")
        }
        return flag
    }
}
