import WireJSON

/// A card as it was rendered when it was given, for each platform on which it differs.
///
/// It is kept as lines of UTF-8: the members for platforms without a card of their own, a line for each other platform,
/// which begins with its name, and last its ``Place``, which begins with an equals sign. JSON on one line has no line
/// feed, and members begin with a comma.
package enum FrozenCard {
    /// The place of a card in the feed, and the time for which it stays.
    struct Place: Hashable {
        /// Whether it stays on top of the feed.
        let isPinned: Bool
        /// Its priority among the cards of the feed.
        let priority: Int
        /// The time at which it expires, or `nil` for never.
        let expiresAt: UnixTime?
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let equalsSign = UInt8(ascii: "=")

    /// Returns what is kept of a card.
    ///
    /// - Parameters:
    ///   - members: The members for platforms without a card of their own.
    ///   - platforms: The members for others, each different from those.
    ///   - place: Where the card stands.
    /// - Returns: The lines.
    static func text(
        _ members: [UInt8],
        _ platforms: [(platform: CardTemplate.Platform, members: [UInt8])],
        _ place: Place
    ) -> [UInt8] {
        var text = platforms.reduce(into: members) { text, own in
            text.append(lineFeed)
            text += own.platform.rawValue.utf8
            text += own.members
        }
        text.append(lineFeed)
        text += "=\(place.isPinned ? 1 : 0),\(place.priority),\(place.expiresAt?.description ?? "")".utf8
        return text
    }

    /// Returns where a card stands, or `nil` where that wasn't kept.
    static func place(in text: [UInt8]) -> Place? {
        guard let end = text.lastIndex(of: lineFeed), text[(end + 1)...].first == equalsSign else { return nil }
        let values = String(decoding: text[(end + 2)...], as: UTF8.self)
            .split(at: ",", omittingEmptySubsequences: false)
        guard values.count == 3, let priority = Int(values[1]) else { return nil }
        return Place(isPinned: values[0] == "1", priority: priority, expiresAt: Double(values[2]))
    }

    /// Returns the members for a platform, or for an unknown one where it is `nil`.
    static func members(in text: [UInt8], on platform: CardTemplate.Platform?) -> [UInt8] {
        guard text.contains(lineFeed) else { return text }
        let lines = text.split(separator: lineFeed)
        let own = platform.flatMap { platform in
            let name = Array(platform.rawValue.utf8)
            // A name may begin another one, but no comma is in a name.
            return lines.dropFirst().first { $0.starts(with: name + [UInt8(ascii: ",")]) }?.dropFirst(name.count)
        }
        return (own ?? lines.first).map(Array.init) ?? []
    }

    /// Whether what was kept of a card can be shown on every platform.
    ///
    /// - Parameter text: The lines, as a store keeps them.
    /// - Returns: Whether the members for each platform can be shown.
    package static func isReadable(_ text: [UInt8]) -> Bool {
        isReadable(members: members(in: text, on: nil))
            && CardTemplate.Platform.allCases.allSatisfy { isReadable(members: members(in: text, on: $0)) }
    }

    /// Whether members that were kept make a card of a feed: a store's file can be damaged, and one card that is no
    /// JSON would make the whole answer none.
    ///
    /// - Parameter members: The members, each with a comma before it.
    /// - Returns: Whether they can be shown.
    package static func isReadable(members: [UInt8]) -> Bool {
        var object = Array(#"{"id":"""#.utf8)
        object.reserveCapacity(members.count + 8)
        object += members
        object.append(UInt8(ascii: "}"))
        var hasType = false
        do {
            try JSONReader.read(object) { reader throws(JSONError) in
                try reader.beginObject()
                while let key = try reader.nextKey() {
                    if key.matches("type") { hasType = true }
                    try reader.skipValue()
                }
            }
            return hasType
        } catch {
            return false
        }
    }
}
