import CardModel
import CardStore
import Foundation
import Hummingbird

/// Reads the query of a backend's request.
struct BackendQuery {
    private let request: Request

    init(_ request: Request) { self.request = request }

    func text(_ name: String) -> String? {
        // Brackets in a name may come encoded or not.
        let parameter = request.uri.queryParameters.first { $0.key.removingPercentEncoding == name }
        guard let text = parameter.map({ String($0.value) }), !text.isEmpty else { return nil }
        return text
    }

    func required(_ name: String) throws(RequestError) -> String {
        guard let text = text(name) else { throw .fatal("field_missing", "'\(name)' is required.") }
        return text
    }

    func flag(_ name: String) throws(RequestError) -> Bool? {
        switch text(name)?.lowercased() {
        case nil: nil
        case "true", "1": true
        case "false", "0": false
        default: throw .fatal("field_invalid", "'\(name)' has to be true or false.")
        }
    }

    func number(_ name: String, in range: ClosedRange<Int>) throws(RequestError) -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .fatal("field_invalid", "'\(name)' has to be from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// Reads a time; the plus sign of its zone may have come as the blank that it means in a query.
    func time(_ name: String) throws(RequestError) -> UnixTime? {
        guard let text = text(name) else { return nil }
        // characters: a time with marks in it is none
        let candidates = [text, text.replacing(" ", with: "+"), Self.withTwoDigitZone(text)]
        for candidate in candidates {
            if let time = BackendTime.read(.string(candidate)) { return time }
        }
        throw .fatal("field_invalid", "'\(name)' has to be an ISO 8601 time such as 2027-01-31T09:00:00Z.")
    }

    /// The time with the hour of its zone in two digits: the documented examples have `-5:00`.
    private static func withTwoDigitZone(_ text: String) -> String {
        // characters: a time with marks in it is none
        guard let match = text.firstMatch(of: /(?<sign>[+\- ])(?<hour>\d):(?<minute>\d\d)$/) else { return text }
        let sign = match.sign == "-" ? "-" : "+"
        return text[..<match.range.lowerBound] + "\(sign)0\(match.hour):\(match.minute)"
    }

    /// Reads `page` and `sort_direction`.
    func page() throws(RequestError) -> CampaignPage {
        var page = CampaignPage()
        // safe: a hundred thousand pages of a hundred
        page.offset = (try number("page", in: 0...100_000) ?? 0) * page.limit
        switch text("sort_direction") {
        case nil, "asc": break
        case "desc": page.isNewestFirst = true
        default: throw .fatal("field_invalid", "'sort_direction' has to be asc or desc.")
        }
        return page
    }
}
