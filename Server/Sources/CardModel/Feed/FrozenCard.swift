/// A card as it was rendered when it was given, for each platform on which it differs.
///
/// It is kept as lines of UTF-8: the members for platforms without a card of their own, and a line for each other platform,
/// which begins with its name. JSON on one line has no line feed, and members begin with a comma.
enum FrozenCard {
    private static let lineFeed = UInt8(ascii: "\n")

    /// Returns what is kept of a card.
    ///
    /// - Parameters:
    ///   - members: The members for platforms without a card of their own.
    ///   - platforms: The members for others, each different from those.
    /// - Returns: The lines.
    static func text(
        _ members: [UInt8],
        _ platforms: [(platform: CardTemplate.Platform, members: [UInt8])]
    ) -> [UInt8] {
        platforms.reduce(into: members) { text, own in
            text.append(lineFeed)
            text += own.platform.rawValue.utf8
            text += own.members
        }
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
}
