import WireJSON

/// An object of a request that could not be taken, while others could.
struct InputError: Sendable, Hashable {
    /// The arrays of requests, by the names that replies have for them.
    enum Array: String, Sendable {
        case attributes
        case events
        case purchases
        case recipients
        /// The users that a request names by whatever they are called.
        case users = "user_identifiers"
    }

    /// The message that says what is wrong.
    var type: String
    /// The array.
    var array: Array
    /// The place in it.
    var index: Int

    var json: JSONValue {
        ["type": .string(type), "input_array": .string(array.rawValue), "index": .integer(Int64(index))]
    }
}
