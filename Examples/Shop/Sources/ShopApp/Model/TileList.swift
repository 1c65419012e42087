/// The home page: tiles of cards in the order of the feed, then the shop's own.
///
/// A card that brings a product of the shop's own takes its place at the front; there are never two of one product.
struct TileList: Equatable {
    /// The tiles that are shown.
    private(set) var tiles: [Tile]
    /// The slots of control groups, each with the index of the tile that stands where it would have stood.
    private(set) var controls: [Slot] = []

    /// A place where nothing is shown.
    struct Slot: Equatable {
        let index: Int
        let tile: Tile
    }

    /// Creates the list.
    ///
    /// - Parameters:
    ///   - cards: tiles of cards, control slots among them, in the order of the feed.
    ///   - local: the shop's own tiles.
    ///   - priority: tags or words of titles whose tiles come first, most important first.
    init(cards: [Tile], local: [Tile], priority: [String] = []) {
        var ids: Set<String> = []
        tiles = []
        for tile in cards {
            if tile.isControl {
                controls.append(Slot(index: tiles.count, tile: tile))
            } else if ids.insert(tile.id).inserted {
                tiles.append(tile)
            }
        }
        tiles += local.filter { ids.insert($0.id).inserted }
        tiles = Self.sort(tiles, by: priority)
        let last = max(tiles.count - 1, 0)
        controls = controls.map { Slot(index: min($0.index, last), tile: $0.tile) }
    }

    /// The tiles at some indices, and the slots of control groups that would be seen with them.
    func seen(at indices: [Int]) -> [Tile] {
        let shown = Set(indices)
        return indices.filter(tiles.indices.contains).map { tiles[$0] }
            + controls.filter { shown.contains($0.index) }.map(\.tile)
    }

    /// Moves what matches a word to the front, word by word; all else keeps its order.
    private static func sort(_ tiles: [Tile], by priority: [String]) -> [Tile] {
        var rest = tiles
        var front: [Tile] = []
        for word in priority.map({ $0.lowercased() }) where !word.isEmpty {
            front += rest.filter { matches($0, word) }
            rest.removeAll { matches($0, word) }
        }
        return front + rest
    }

    private static func matches(_ tile: Tile, _ word: String) -> Bool {
        tile.tags.contains { $0.lowercased() == word } || tile.title.lowercased().contains(word)
    }
}
