import WireJSON

/// The one way in which a path is written.
///
/// The router passes over empty parts, so that `/v1//sync/` would reach what `/v1/sync` does, past every rule for that
/// path: limits, metrics, logs, what a proxy in front denies. Any other way to write a path is refused.
enum RequestPath {
    /// Whether a path begins with a slash, has no empty part, and is ASCII without spaces and control characters.
    static func isCanonical(_ path: String) -> Bool {
        let slash = UInt8(ascii: "/")
        var before: UInt8 = 0
        for byte in path.utf8 {
            guard (0x21...0x7E).contains(byte), before != 0 || byte == slash, byte != slash || before != slash else {
                return false
            }
            before = byte
        }
        return before != 0 && (before != slash || path.utf8.count == 1)
    }

    /// The same path without empty parts, or `nil` where it can't be written so.
    static func canonical(_ path: String) -> String? {
        let canonical = "/" + path.split(at: "/").joined(separator: "/")
        return isCanonical(canonical) ? canonical : nil
    }
}
