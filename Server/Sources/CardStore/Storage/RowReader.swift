package import CardModel

/// Makes values of rows, and leaves out those that can't be read, so that one of them keeps none of the others from
/// use.
package struct RowReader: Sendable {
    /// The rows that were left out.
    package private(set) var unreadable: [UnreadableRow] = []

    /// Creates a reader that has left out nothing.
    package init() {}

    /// Returns what a row says, or `nil` where it can't be read.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - kind: What it is of.
    ///   - name: The column that names it.
    ///   - read: Makes the value; it asks nothing but the row.
    /// - Returns: The value.
    package mutating func value<Row: StoredRow, Value>(
        of row: Row,
        _ kind: UnreadableRow.UnreadableKind,
        named name: String = "id",
        _ read: (Row) throws -> Value
    ) -> Value? {
        do {
            return try read(row)
        } catch {
            unreadable.append(UnreadableRow(kind, id: (try? row.text(name)) ?? "?"))
            return nil
        }
    }

    /// Returns what rows say, without those that can't be read.
    package mutating func values<Row: StoredRow, Value>(
        of rows: [Row],
        _ kind: UnreadableRow.UnreadableKind,
        named name: String = "id",
        _ read: (Row) throws -> Value
    ) -> [Value] {
        var values: [Value] = []
        for row in rows {
            guard let value = value(of: row, kind, named: name, read) else { continue }
            values.append(value)
        }
        return values
    }

    /// Returns the settings of a text, or those that let nobody in where it can't be read.
    package mutating func settings(_ text: String) -> Settings {
        do {
            return try Settings(stored: text)
        } catch {
            unreadable.append(UnreadableRow(.settings, id: ""))
            return .unreadable
        }
    }
}

/// The audiences of the saved segments, and those of which it isn't known who is in them.
package struct SegmentAudiences: Sendable {
    /// The audiences of the segments that can be read, and whose parts can be.
    package private(set) var audiences: [SegmentID: Audience]
    /// The segments that can't be read, with those that they are part of.
    package private(set) var unreadable: Set<SegmentID>

    /// Reads segments, the archived too: they are good where they are used.
    package init(_ rows: [some StoredRow], _ reader: inout RowReader) {
        let segments = reader.values(of: rows, .segment) { try Segment($0) }
        audiences = Dictionary(segments.map { ($0.id, $0.content.audience) }, uniquingKeysWith: { first, _ in first })
        let named = reader.unreadable.filter { $0.kind == .segment }.map { SegmentID(rawValue: $0.id) }
        unreadable = Set(named)
        var isComplete = unreadable.isEmpty
        while !isComplete {
            let parents = audiences.filter { !$0.value.segments.isDisjoint(with: unreadable) }.map(\.key)
            for id in parents { audiences[id] = nil }
            unreadable.formUnion(parents)
            isComplete = parents.isEmpty
        }
    }

    /// Reads segments for those who need not know what was left out.
    package init(_ rows: [some StoredRow]) {
        var reader = RowReader()
        self.init(rows, &reader)
    }
}

extension Settings {
    /// The settings that hold while the stored ones can't be read: they refuse what any settings might refuse.
    package static var unreadable: Settings {
        var settings = Settings()
        settings.userTokens = .required
        settings.masksPersonalData = true
        settings.requiresTwoFactor = true
        settings.launchApproval = .everyone
        return settings
    }
}
