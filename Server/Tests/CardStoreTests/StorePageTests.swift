import CardModel
import CardStore
import CardStoreConformance
import Simulation
import Testing

@Suite("Pages of what is read piece by piece")
struct StorePageTests {
    // MARK: The log of events

    /// Follows a log from a position on, as a reader does; `nil` where that takes too many pages.
    private func follow(
        _ positions: [Int64],
        matching isMatch: (Int64) -> Bool,
        from start: Int64,
        last: Int64,
        limit: Int
    ) throws -> [Int64]? {
        var filter = EventFilter()
        filter.types = ["click"]
        var (found, position): ([Int64], Int64) = ([], start)
        for _ in 0..<5_000 {
            // safe: positions begin at 1
            let first = positions.first { $0 > position }.map { $0 - 1 } ?? last
            let range = EventLogRange(after: position, filter, first: first, last: last)
            let matching = positions.filter { $0 > range.start && $0 <= range.searchedTo && isMatch($0) }.prefix(limit)
            let rows = matching.map { RowCase.deliveries[0].row.with("position", .integer($0)) }
            let page = range.page(of: try EventRows(rows), limit: limit)
            #expect(page.position >= position)
            found += page.events.map(\.position)
            position = page.position
            if page.isLast { return found }
        }
        return nil
    }

    @Test("A reader who follows the log misses no event and has none twice, whatever gaps there are", arguments: 1...12)
    func following(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed), "log")
        var positions: [Int64] = []
        for _ in 0..<Int.random(in: 0...120, using: &random) {
            let longest: Int64 = Bool.random(using: &random) ? 3 : 70_000
            positions.append((positions.last ?? 0) + Int64.random(in: 1...longest, using: &random))
        }
        let last = (positions.last ?? 0) + Int64.random(in: 0...50_000, using: &random)
        let share = Int64.random(in: 1...5, using: &random)
        let start = Int64.random(in: 0...(last + 10), using: &random)
        for (from, limit) in [(0, 1), (0, 7), (start, 3), (start, 1_000)] as [(Int64, Int)] {
            let found = try follow(positions, matching: { $0 % share == 0 }, from: from, last: last, limit: limit)
            #expect(found == positions.filter { $0 > from && $0 % share == 0 })
        }
    }

    @Test("A position from outside is one that the log can end at, however large or small it is")
    func hostilePositions() throws {
        for position in [Int64.min, -1, 0, 41, .max] {
            let range = EventLogRange(after: position, EventFilter(), first: 40, last: 40)
            let page = range.page(of: try EventRows([SampleRow]()), limit: 10)
            #expect(page.isLast && page.events.isEmpty && page.position == max(position, 40))
        }
        var filter = EventFilter()
        filter.types = ["click"]
        let range = EventLogRange(after: .min, filter, first: 0, last: .max)
        #expect(range.start == 0 && range.searchedTo == EventLogRange.window)
    }

    @Test("Events that can't be read are passed over, also where a page has nothing else")
    func unreadableEvents() throws {
        let damaged = RowCase.deliveries[0].row.with("id", .bytes([]))
        let rows = [damaged.with("position", .integer(5)), damaged.with("position", .integer(6))]
        let range = EventLogRange(after: 4, EventFilter(), first: 4, last: 9)
        let full = range.page(of: try EventRows(rows), limit: 2)
        #expect(full.position == 6 && !full.isLast && full.unreadable == [5, 6])
        let last = range.page(of: try EventRows(rows), limit: 3)
        #expect(last.position == 9 && last.isLast)
    }

    // MARK: The search for users

    /// Walks through all pages of a search; `nil` where that takes too many.
    private func search(_ users: [String], for text: String, limit: Int, piece: Int) -> [String]? {
        var (found, place): ([String], UserSearchPlace?) = ([], nil)
        for _ in 0..<1_000 {
            var pages = UserSearchPages(text: text, limit: limit, after: place)
            pages.addBeginning { start, limit in
                Array(users.filter { $0 > start?.rawValue ?? "" && $0.hasPrefix(text) }.prefix(limit))
            }
            pages.addInside { start, limit in
                let rest = users.filter { $0 > start ?? "" }
                let looked = rest.prefix(piece)
                let ids = looked.filter { !$0.hasPrefix(text) && $0.contains(text) }
                guard ids.count <= limit else { return (Array(ids.prefix(limit)), ids[limit - 1]) }
                return (ids, looked.count < rest.count ? looked.last : nil)
            }
            #expect(pages.ids.count <= limit)
            found += pages.ids
            place = pages.next
            if place == nil { return found }
        }
        return nil
    }

    @Test("A search finds each user once: first those that begin with the text, then the others", arguments: 1...12)
    func searching(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed), "search")
        var names: Set<String> = []
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            var name = ""
            for _ in 0..<Int.random(in: 1...5, using: &random) { name += Bool.random(using: &random) ? "a" : "b" }
            names.insert(name)
        }
        let users = names.sorted()
        for text in ["", "a", "ab", "bba", "abababab"] {
            let beginning = users.filter { $0.hasPrefix(text) }
            let inside = text.isEmpty ? [] : users.filter { !$0.hasPrefix(text) && $0.contains(text) }
            for (limit, piece) in [(1, 1), (2, 3), (3, 1), (50, 4), (50, 100)] {
                #expect(search(users, for: text, limit: limit, piece: piece) == beginning + inside)
            }
        }
    }

    // MARK: Changes

    @Test("A user that two devices changed is told to both, and one that a device changed twice to all others")
    func touches() {
        var changes = GroupChanges()
        changes.touch(someone, by: "phone")
        changes.touch(someone, by: "phone")
        #expect(changes.users == [someone: "phone"])
        changes.touch(someone, by: "tablet")
        changes.touch(someone, by: "tablet")
        #expect(changes.users == [someone: nil])
        var equivalent = GroupChanges()
        equivalent.touch(someone, by: "caf\u{E9}")
        equivalent.touch(someone, by: "cafe\u{301}")
        #expect(equivalent.users == [someone: nil])
    }

    @Test("Fifty users are told of one by one, and more at once")
    func bulk() {
        func users(_ count: Int) -> [UserID: String?] {
            Dictionary(uniqueKeysWithValues: (0..<count).map { (UserID(rawValue: "\($0)"), "phone" as String?) })
        }
        #expect(StoreChange.of(users(50)).count == 50 && StoreChange.of([:]).isEmpty)
        #expect(StoreChange.of(users(51)) == [.users(users(51))])
        #expect(StoreChange.of([someone: nil]) == [.user(someone, except: nil)])
    }

    @Test("Who falls behind is told that anything may have changed, in the last place; who keeps up isn't")
    func slowListeners() async {
        let listeners = ChangeListeners(bufferSize: 2)
        let (slow, other) = (listeners.listen(), listeners.listen())
        let changes = (0..<4).map { StoreChange.removed(UserID(rawValue: "\($0)")) }
        for change in changes[..<2] { listeners.announce(change) }
        var iterator = other.makeAsyncIterator()
        for change in changes[..<2] { #expect(await iterator.next() == change) }
        listeners.announce(changes[2])
        listeners.announce(GroupChanges())
        listeners.close()
        listeners.announce(changes[3])
        var heard: [StoreChange] = []
        for await change in slow { heard.append(change) }
        #expect(heard == [changes[2], .anything])
        #expect(await iterator.next() == changes[2])
        #expect(await iterator.next() == nil)
        var late = listeners.listen().makeAsyncIterator()
        #expect(await late.next() == nil)
    }
}
