import Foundation
import WireJSON

/// Gives objects ids that people can read, made of their names, each only once.
///
/// The same export gives the same ids.
struct NewIDs {
    /// The maximum number of bytes of an id that is made of a name, with room for a number behind it.
    private static let maximumBytes = 48

    private var taken: Set<String> = []
    private var counts: [String: Int] = [:]

    /// Creates ids of which none is taken.
    init() {}

    /// Takes an id that an object has already, and returns whether it was free.
    ///
    /// Ids that differ in case alone are the same here, as on some disks.
    mutating func take(_ id: String) -> Bool { taken.insert(id.lowercased()).inserted }

    /// Returns an id made of a name.
    ///
    /// - Parameters:
    ///   - name: The name, in any script.
    ///   - fallback: What it is made of where the name has no letter of ASCII.
    /// - Returns: An id that is free, which is taken then.
    mutating func id(for name: String, or fallback: String) -> String {
        let slug = Self.slug(name)
        let base = slug.isEmpty ? fallback : slug
        if take(base) { return base }
        while true {
            // safe: counts objects in memory
            let number = counts[base, default: 1] + 1
            counts[base] = number
            let id = "\(base)-\(number)"
            if take(id) { return id }
        }
    }

    /// The letters and digits of a name in lower case, without accents, with hyphens in place of what is between them.
    private static func slug(_ name: String) -> String {
        var slug = ""
        for scalar in name.decomposedStringWithCanonicalMapping.unicodeScalars {
            if scalar.properties.canonicalCombiningClass != .notReordered { continue }
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            if isPlain {
                slug += scalar.properties.lowercaseMapping
            } else if !slug.isEmpty, !slug.ends(withBytesOf: "-") {
                slug += "-"
            }
            if slug.utf8.count >= maximumBytes { break }
        }
        return slug.hasSuffix("-") ? String(slug.dropLast()) : slug
    }
}
