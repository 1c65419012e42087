import Hummingbird
import WireJSON

/// The part of a list that is asked for, and the size of one reply.
struct PageQuery {
    /// The bytes of JSON that one reply has at most; a single object is given whatever its size.
    static let maximumBytes = 16 << 20
    /// The number of objects that are read at once: the largest ones are a megabyte each.
    private static let pieceSize = 16
    /// The number of times that a page is read, at most, where the list changes in the meantime.
    private static let attempts = 10

    let limit: Int
    let offset: Int

    init(_ request: Request) throws(RequestError) {
        limit = try Self.number("limit", in: 1...1000, request) ?? 100
        offset = try Self.number("offset", in: 0...10_000_000, request) ?? 0
    }

    /// Reads a page piece by piece, so that what it takes in memory is bounded by bytes and not by a number of objects
    /// alone.
    ///
    /// A list may change between two pieces, which moves what comes next. So each piece begins with the last object of
    /// the one before: where that is another by then, the page is read again.
    ///
    /// - Parameters:
    ///   - json: Makes the JSON of an object.
    ///   - piece: Reads objects of the list: that many at most, after passing over some.
    /// - Returns: The objects as JSON.
    /// - Throws: `RequestError` with `page_too_large` where they are more than ``maximumBytes``, and with 503 where the
    ///   list changed all the while.
    func read<Element>(
        _ json: (Element) -> JSONValue,
        from piece: (_ limit: Int, _ offset: Int) async throws -> [Element]
    ) async throws -> [JSONValue] {
        for _ in 0..<Self.attempts {
            if let page = try await readOnce(json, from: piece) { return page }
        }
        throw Self.changing
    }

    /// Reads a page piece by piece, or returns `nil` where the list changed in between.
    private func readOnce<Element>(
        _ json: (Element) -> JSONValue,
        from piece: (_ limit: Int, _ offset: Int) async throws -> [Element]
    ) async throws -> [JSONValue]? {
        var (page, bytes): ([JSONValue], Int) = ([], 0)
        while page.count < limit {
            let known = page.isEmpty ? 0 : 1
            // safe: numbers of objects
            let (wanted, place) = (min(Self.pieceSize, limit - page.count) + known, offset + page.count - known)
            let elements = try await piece(wanted, place)
            if let last = page.last {
                guard let first = elements.first, json(first) == last else { return nil }
            }
            for element in elements.dropFirst(known) {
                let value = json(element)
                bytes += value.text.utf8.count
                guard bytes <= Self.maximumBytes || page.isEmpty else { throw Self.tooLarge(after: page.count) }
                page.append(value)
            }
            if elements.count < wanted { break }
        }
        return page
    }

    private static let changing = RequestError(
        .serviceUnavailable,
        "unavailable",
        "The list changed all the while that it was read. Try again.",
        retryAfter: 1
    )

    private static func tooLarge(after count: Int) -> RequestError {
        RequestError(
            .badRequest,
            "page_too_large",
            "The page would have more than \(maximumBytes >> 20) MiB. Ask for fewer: \(count) fit.",
            details: [("path", "limit")]
        )
    }

    private static func number(
        _ name: String,
        in range: ClosedRange<Int>,
        _ request: Request
    ) throws(RequestError) -> Int? {
        guard let text = request.uri.queryParameters[Substring(name)] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .fieldInvalid(name, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
