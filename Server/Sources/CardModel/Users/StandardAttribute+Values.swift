extension StandardAttribute {
    /// The largest value, in UTF-8 bytes.
    public var valueLimit: Int {
        switch self {
        case .biography, .imageURL: 2_048
        default: 255
        }
    }

    /// Returns whether a text is a value of this attribute.
    ///
    /// The management API, imports, and the REST API share this rule, so that no way in keeps what another refuses.
    public func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= valueLimit else { return false }
        return switch self {
        case .timeZone: TimeZoneClock(named: text) != nil
        case .dateOfBirth: text.utf8.count == 10 && Timestamp.unixTime(of: text) != nil
        case .gender: ["M", "F", "O", "N", "P"].contains(text)
        default: true
        }
    }
}
