extension StandardAttribute {
    /// The largest value, in UTF-8 bytes.
    public var valueLimit: Int {
        switch self {
        case .biography, .imageURL: 2_048
        default: 255
        }
    }

    /// Returns a text as it is kept as a value of this attribute, or `nil` where it can't be one.
    ///
    /// A country becomes its two letters of ISO 3166, and a time zone its name in the IANA database. The management
    /// API, imports, the REST API and devices share this rule: no way in keeps what another refuses, or keeps it
    /// otherwise.
    public func value(of text: String) -> String? {
        guard text.utf8.count <= valueLimit else { return nil }
        switch self {
        case .timeZone: return TimeZoneName.identifier(of: text)
        case .country: return CountryName.code(of: text)
        case .dateOfBirth: return text.utf8.count == 10 && Timestamp.unixTime(of: text) != nil ? text : nil
        case .gender: return ["M", "F", "O", "N", "P"].contains(text) ? text : nil
        case .emailSubscription, .pushSubscription:
            return ["opted_in", "subscribed", "unsubscribed"].contains(text) ? text : nil
        default: return text
        }
    }
}
