import WireJSON

/// The place where the bytes of a picture are.
public enum MediaPlace: Sendable, Hashable {
    /// The store itself: beside the database's file, or in the database.
    case store
    /// In the operator's bucket.
    case bucket(BucketFolder)
}

/// The objects of one upload of a picture in a bucket.
///
/// Each upload has a name of its own, so that what is removed for one of them is never that of another one, and what is
/// at a key never changes.
public struct BucketFolder: Sendable, Hashable {
    /// The bytes of a name, at most.
    private static let longestName = 64

    /// The name that tells it apart from other uploads of the same picture: letters and digits.
    public let name: String
    /// The size of each object in bytes, by the width in pixels.
    public let sizes: [Int: Int]

    /// Creates a folder, or returns `nil` where the name has other than letters and digits, or a size is below 1.
    public init?(name: String, sizes: [Int: Int]) {
        let isName =
            (1...Self.longestName).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            }
        guard isName, sizes.allSatisfy({ $0.key > 0 && $0.value > 0 }) else { return nil }
        self.name = name
        self.sizes = sizes
    }

    /// Reads what ``text`` writes, or returns `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(at: " ")
        guard let name = parts.first else { return nil }
        var sizes: [Int: Int] = [:]
        for part in parts.dropFirst() {
            let numbers = part.split(at: ":", omittingEmptySubsequences: false)
            guard numbers.count == 2, let width = Int(numbers[0]), let size = Int(numbers[1]), sizes[width] == nil
            else { return nil }
            sizes[width] = size
        }
        self.init(name: String(name), sizes: sizes)
    }

    /// The name and the sizes, the largest width first, such as `Xy7 960:2048 480:700`.
    public var text: String {
        ([name] + sizes.sorted { $0.key > $1.key }.map { "\($0.key):\($0.value)" }).joined(separator: " ")
    }
}
