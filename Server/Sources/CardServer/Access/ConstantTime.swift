/// Comparisons of secrets that take the same time wherever two of the same length differ.
package enum ConstantTime {
    /// Whether two collections of bytes are equal.
    package static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Whether two texts are equal byte by byte.
    package static func areEqual(_ left: String, _ right: String) -> Bool { areEqual(left.utf8, right.utf8) }
}
