/// The rules for ids of users: those of the server, which refuses every request for another id.
enum UserIDRules {
    /// Returns whether an id has 1 to 512 bytes of UTF-8 and neither control nor directional characters.
    static func isValid(_ id: String) -> Bool {
        (1...512).contains(id.utf8.count) && !id.unicodeScalars.contains(where: isRefused)
    }

    /// The rule "Names" of the device API; characters that only turn the direction of writing make an id look like
    /// another.
    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
