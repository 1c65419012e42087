import CardServer
import Hummingbird
import WireJSON

/// The values of a form or the query of an address: names with values, in order, each as often as it was sent.
struct FormData: Sendable, Equatable {
    private(set) var fields: [(name: String, value: String)]

    /// The places of each name, by its bytes: two names that look alike are two.
    private var places: [[UInt8]: [Int]] = [:]

    static let empty = FormData()

    init(_ fields: [(name: String, value: String)] = []) {
        self.fields = fields
        findPlaces()
    }

    /// Reads `application/x-www-form-urlencoded`, by bytes: a mark that combines with a separator hides no field.
    init(urlEncoded text: some StringProtocol) {
        self.init(
            text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
                let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                return (Self.unescape(parts[0]), parts.count > 1 ? Self.unescape(parts[1]) : "")
            }
        )
    }

    /// Reads the query of a request's address.
    init(queryOf request: Request) { self.init(urlEncoded: request.uri.query ?? "") }

    private mutating func findPlaces() {
        places.removeAll()
        for (index, field) in fields.enumerated() { places[Array(field.name.utf8), default: []].append(index) }
    }

    // MARK: Changes

    /// Adds a field behind all others.
    mutating func append(_ name: String, _ value: String) {
        places[Array(name.utf8), default: []].append(fields.count)
        fields.append((name, value))
    }

    /// Adds a field in front of all others.
    mutating func prepend(_ name: String, _ value: String) {
        fields.insert((name, value), at: 0)
        findPlaces()
    }

    /// Removes the fields that are wanted no more.
    mutating func removeAll(where isUnwanted: ((name: String, value: String)) -> Bool) {
        fields.removeAll(where: isUnwanted)
        findPlaces()
    }

    // MARK: Fields

    static func == (left: FormData, right: FormData) -> Bool {
        left.fields.elementsEqual(right.fields) {
            $0.name.hasSameBytes(as: $1.name) && $0.value.hasSameBytes(as: $1.value)
        }
    }

    // safe: a place of the fields
    /// The last value of a name: a checkbox comes after the hidden field that stands for its absence.
    subscript(name: String) -> String? { places[Array(name.utf8)]?.last.map { fields[$0].value } }

    /// The last value of a name without spaces around it, or `nil` where nothing is left.
    func text(_ name: String) -> String? {
        guard let value = self[name]?.trimmingSpaces, !value.isEmpty else { return nil }
        return value
    }

    // safe: a place of the fields
    /// Every value of a name.
    func all(_ name: String) -> [String] { (places[Array(name.utf8)] ?? []).map { fields[$0].value } }

    /// The fields as they travel.
    var encoded: String { URLText.form(fields) }

    /// Percent-encodes all but what may stand anywhere in an address.
    static func escape(_ text: some StringProtocol) -> String { URLText.escape(text) }

    /// Percent-encodes an id as a part of a page's path.
    ///
    /// An id may have the name of a page beside those of its kind: `/dashboard/campaigns/new` is the editor, and the
    /// campaign `new` lies at `/dashboard/campaigns/%6Eew`. Routes are compared before a path is decoded.
    static func escape(part id: some StringProtocol) -> String {
        let escaped = escape(id)
        guard Dashboard.pageNames.contains(escaped), let first = escaped.utf8.first else { return escaped }
        return "%" + String(first, radix: 16, uppercase: true) + escaped.dropFirst()
    }

    /// Decodes a name or value; every line break becomes a line feed, whatever the browser's system writes.
    private static func unescape(_ text: some Collection<UInt8>) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), let value = escapedByte(rest.prefix(2)) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: withLineFeeds(bytes), as: UTF8.self)
    }

    /// Returns the byte that two hexadecimal digits say; a number is read with a sign, too, which no escape has.
    private static func escapedByte(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2, let first = digits.first, !"+-".utf8.contains(first) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func withLineFeeds(_ bytes: [UInt8]) -> [UInt8] {
        let (feed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        guard bytes.contains(carriageReturn) else { return bytes }
        var found: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if byte == feed, index > 0, bytes[index - 1] == carriageReturn { continue }
            found.append(byte == carriageReturn ? feed : byte)
        }
        return found
    }
}

extension StringProtocol {
    /// The text without spaces and line breaks at its ends.
    var trimmingSpaces: String {
        // By scalars: a mark behind a space is no space.
        let scalars = String(self).unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(scalars[...last])
    }
}
