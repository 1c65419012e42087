import CardModel
import OrderedCollections
import WireJSON
import WireYAML

/// A field that a file and the server have different.
package struct FieldDifference: Sendable, Hashable {
    /// The place, such as `variants[a].card.title`.
    package let path: String
    /// The server's value, or `nil` for none.
    package let server: JSONValue?
    /// The file's value, or `nil` for none.
    package let file: JSONValue?

    /// Returns the differences of two values, in the order of the file's fields; none where they mean the same.
    ///
    /// The order of an object's members means nothing. The elements of an array that all have an id are compared by it,
    /// but where their order differs, too, it is a difference.
    package static func between(server: JSONValue, file: JSONValue, at path: String = "") -> [FieldDifference] {
        switch (server, file) {
        case (.object(let mine), .object(let others)): objects(mine, others, path)
        case (.array(let mine), .array(let others)): arrays(mine, others, path)
        // A number is the same whether it was computed or read.
        case _ where server == file || server.bytes == file.bytes: []
        default: [FieldDifference(path: path, server: server, file: file)]
        }
    }

    private static func objects(_ server: JSONObject, _ file: JSONObject, _ path: String) -> [FieldDifference] {
        var names: OrderedSet<ByteString> = []
        for name in file.keys + server.keys { names.append(ByteString(name)) }
        return names.flatMap { (name: ByteString) -> [FieldDifference] in
            let place = path.isEmpty ? name.text : "\(path).\(name.text)"
            return optional(server[name.text], file[name.text], place)
        }
    }

    private static func arrays(_ server: [JSONValue], _ file: [JSONValue], _ path: String) -> [FieldDifference] {
        guard let mine = ids(server), let others = ids(file) else {
            guard server.count == file.count else {
                return [FieldDifference(path: path, server: .array(server), file: .array(file))]
            }
            return zip(server, file).enumerated().flatMap { index, pair in
                between(server: pair.0, file: pair.1, at: "\(path)[\(index)]")
            }
        }
        let known = Dictionary(zip(mine, server), uniquingKeysWith: { first, _ in first })
        let wanted = Dictionary(zip(others, file), uniquingKeysWith: { first, _ in first })
        var differences = others.union(mine).flatMap { (id: ByteString) -> [FieldDifference] in
            optional(known[id], wanted[id], "\(path)[\(id.text)]")
        }
        if mine != others, Set(mine) == Set(others) {
            let orders = [mine, others].map { JSONValue.array($0.map { .string($0.text) }) }
            differences.append(FieldDifference(path: "\(path) (order)", server: orders.first, file: orders.last))
        }
        return differences
    }

    private static func optional(_ server: JSONValue?, _ file: JSONValue?, _ path: String) -> [FieldDifference] {
        switch (server, file) {
        case (let server?, let file?): between(server: server, file: file, at: path)
        case (nil, nil): []
        default: [FieldDifference(path: path, server: server, file: file)]
        }
    }

    /// The ids of the elements, where each has one of its own.
    private static func ids(_ elements: [JSONValue]) -> OrderedSet<ByteString>? {
        var ids: OrderedSet<ByteString> = []
        for element in elements {
            guard let id = (element["id"] ?? element["name"])?.string else { return nil }
            ids.append(ByteString(id))
        }
        return ids.count == elements.count ? ids : nil
    }
}

extension FieldDifference {
    /// The maximum number of bytes of a value in a line for people.
    private static let shownBytes = 160
    private static let shownLines = 40

    /// The difference for people, a line or several.
    package var lines: [String] {
        switch (server, file) {
        case (let server?, let file?):
            if let old = server.string, let new = file.string, let changed = Self.changedLines(from: old, to: new) {
                return ["\(path.visible):"] + changed
            }
            return ["\(path.visible): \(Self.shown(server)) → \(Self.shown(file))"]
        case (nil, let file?): return ["+ \(path.visible): \(Self.shown(file))"]
        case (let server?, nil): return ["- \(path.visible): \(Self.shown(server))"]
        case (nil, nil): return []
        }
    }

    /// The difference by its names in JSON.
    package var json: JSONValue {
        ["path": .string(path), "server": server ?? .null, "file": file ?? .null]
    }

    private static func shown(_ value: JSONValue) -> String {
        let text = value.yamlLine
        guard text.utf8.count > shownBytes else { return text }
        var bytes = text.utf8.prefix(shownBytes + 1)
        // A letter of several bytes is shown as a whole or not at all: the first byte behind begins another one.
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        return String(decoding: bytes, as: UTF8.self) + "…"
    }

    /// The lines that go and come, of texts of several lines; `nil` for others.
    private static func changedLines(from old: String, to new: String) -> [String]? {
        let (old, new) = (byteLines(old), byteLines(new))
        guard old.count > 1 || new.count > 1, old.count + new.count <= 2_000 else { return nil }
        var places: [(offset: Int, order: Int, text: String)] = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, let line, _): places.append((offset, 0, "  - \(shown(.string(line.text)))"))
            case .insert(let offset, let line, _): places.append((offset, 1, "  + \(shown(.string(line.text)))"))
            }
        }
        places.sort { ($0.0, $0.1) < ($1.0, $1.1) }
        let more =
            places.count > shownLines
            ? ["  … and \(Quantity.text(places.count - shownLines, "more line"))"] : []
        return places.prefix(shownLines).map(\.text) + more
    }

    private static func byteLines(_ text: String) -> [ByteString] {
        text.split(at: "\n", omittingEmptySubsequences: false).map { ByteString($0) }
    }
}
