/// Names what fields have to be, as refusals say it.
enum Expected {
    static let boolean = "true or false"
    static let text = "a string"
    static let array = "an array"
    static let object = "a JSON object"
    static let wholeNumber = "a whole number"
    static let position = "a whole number from 0"
    static let time = "Unix seconds or an ISO 8601 time such as 2027-01-31T09:00:00Z"
    /// An id that is also a part of addresses.
    static let slug = "1 to 64 letters, digits, _, - and ."
    /// The name of a user or a device.
    static let identity = bytes(upTo: 512)

    static func bytes(upTo limit: Int) -> String { "1 to \(limit) bytes without control or directional characters" }
}
