import WireJSON

/// The addresses of a user that one of the user's own devices set last, so that no backend has vouched for them.
///
/// A device may set whatever address it likes, another user's too. Only users whose address a backend set are found by
/// it, where there is one.
public struct ClaimedAddresses: OptionSet, Sendable, Hashable {
    /// The e-mail address.
    public static let email = ClaimedAddresses(rawValue: 1)
    /// The telephone number.
    public static let phone = ClaimedAddresses(rawValue: 2)

    /// The addresses, a bit each.
    public let rawValue: UInt8

    /// Creates a set of addresses from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates a set of one address, or an empty one for an attribute by which no user is found.
    public init(_ attribute: StandardAttribute) {
        switch attribute {
        case .email: self = .email
        case .phone: self = .phone
        default: self = []
        }
    }
}

/// The source of a change of a user's attributes.
public enum AttributeSource: Sendable, Hashable {
    /// A backend, a member of the team, or an import.
    case backend
    /// A device of the user, whose word proves nothing about an address.
    case device
}

extension StandardAttribute {
    /// Whether two values are the same address, whoever writes it: of e-mail addresses in any case of the letters A to
    /// Z.
    func isSameAddress(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
        guard case .email = self, let one = one?.string, let other = other?.string else { return one == other }
        return one.utf8.elementsEqual(other.utf8) { Self.lowercased($0) == Self.lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
