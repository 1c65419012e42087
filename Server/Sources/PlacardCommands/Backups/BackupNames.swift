import CardModel
import Foundation
import WireJSON

/// The names of the backups that a command makes by itself, such as `cards-20270131T030000Z.sqlite` of `cards.sqlite`:
/// by the name it knows which may be its own, and which is the oldest.
///
/// The time is UTC, so that no hour comes twice.
struct BackupNames: Sendable {
    private static let end = ".sqlite"
    /// The places of a time without marks at which ISO 8601 has one, the last one first.
    private static let marks: [(place: Int, mark: UInt8)] = [
        (13, UInt8(ascii: ":")), (11, UInt8(ascii: ":")), (6, UInt8(ascii: "-")), (4, UInt8(ascii: "-")),
    ]

    private let beginning: String

    /// Creates the names of the backups of a database.
    ///
    /// - Parameter path: The database: copies of another one in the same folder aren't its own. `.sqlite` at its end is
    ///   left out of the names, and nothing else: `cards.v1` and `cards.v2` are two.
    init(database path: String) {
        let name = URL(fileURLWithPath: path).lastPathComponent
        beginning = (name.hasSuffix(Self.end) ? String(name.dropLast(Self.end.count)) : name) + "-"
    }

    /// Returns the name of a backup that is made at a time.
    func name(at time: UnixTime) -> String {
        let stamp = Timestamp.text(of: time).utf8.filter { byte in !Self.marks.contains { $0.mark == byte } }
        return beginning + String(decoding: stamp, as: UTF8.self) + Self.end
    }

    /// Returns when a backup was made, or `nil` where the name is none of this database's backups.
    func time(of name: String) -> UnixTime? {
        let bytes = name.utf8
        guard bytes.starts(with: beginning.utf8) else { return nil }
        var stamp = Array(bytes.dropFirst(beginning.utf8.count).prefix(16))
        guard stamp.count == 16 else { return nil }
        for (place, mark) in Self.marks { stamp.insert(mark, at: place) }
        guard let time = Timestamp.unixTime(of: String(decoding: stamp, as: UTF8.self)) else { return nil }
        return self.name(at: time).hasSameBytes(as: name) ? time : nil
    }

    /// Returns the names of the backups that aren't kept; names of anything else are never among them.
    ///
    /// - Parameters:
    ///   - names: What is in the folder.
    ///   - kept: How many stay; one at the least.
    ///   - newest: The time of the newest backup. One of a later time, made while the clock was wrong, stays and
    ///     doesn't count: otherwise it would outlive all that are made from now on.
    /// - Returns: The names, the oldest first.
    func surplus(_ names: [String], keeping kept: Int, until newest: UnixTime) -> [String] {
        let own = names.compactMap { name in time(of: name).map { (name: name, time: $0) } }
        return own.filter { $0.time <= newest }.sorted { $0.time < $1.time }.dropLast(max(1, kept)).map(\.name)
    }
}
