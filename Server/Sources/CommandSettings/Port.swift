/// A TCP port.
package enum Port {
    /// Reads a port, 0 (any free one) to 65535.
    ///
    /// - Throws: `ConfigurationError` that names the setting.
    package static func number(_ value: SettingValues.Value) throws(ConfigurationError) -> Int {
        guard let port = Int(value.text), (0...65_535).contains(port) else {
            throw ConfigurationError("\(value.origin): a port from 0 to 65535 is expected, not \(value.text).")
        }
        return port
    }
}
