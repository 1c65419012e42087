import Hummingbird
import WireJSON

/// The part of a list that is asked for, and the size of one reply.
struct PageQuery {
    /// The bytes of JSON that one reply has at most; a single object is given whatever its size.
    static let maximumBytes = 16 << 20
    /// The number of objects that are read at once: the largest ones are a megabyte each.
    private static let pieceSize = 16

    let limit: Int
    let offset: Int

    init(_ request: Request) throws(RequestError) {
        limit = try Self.number("limit", in: 1...1000, request) ?? 100
        offset = try Self.number("offset", in: 0...10_000_000, request) ?? 0
    }

    /// Reads a page piece by piece, so that what it takes in memory is bounded by bytes and not by a number of objects
    /// alone.
    ///
    /// - Parameters:
    ///   - json: Makes the JSON of an object.
    ///   - piece: Reads objects of the list: that many at most, after passing over some.
    /// - Returns: The objects as JSON.
    /// - Throws: `RequestError` with `page_too_large` where they are more than ``maximumBytes``.
    func read<Element>(
        _ json: (Element) -> JSONValue,
        from piece: (_ limit: Int, _ offset: Int) async throws -> [Element]
    ) async throws -> [JSONValue] {
        var (page, bytes): ([JSONValue], Int) = ([], 0)
        while page.count < limit {
            // safe: numbers of objects
            let (wanted, place) = (min(Self.pieceSize, limit - page.count), offset + page.count)
            let elements = try await piece(wanted, place)
            for element in elements {
                let value = json(element)
                bytes += value.text.utf8.count
                guard bytes <= Self.maximumBytes || page.isEmpty else { throw Self.tooLarge(after: page.count) }
                page.append(value)
            }
            if elements.count < wanted { break }
        }
        return page
    }

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
        guard let number = Int(text), range.contains(number) else { throw RequestError.fieldInvalid(name) }
        return number
    }
}
