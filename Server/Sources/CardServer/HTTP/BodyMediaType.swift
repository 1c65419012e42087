import HTTPTypes
import WireJSON

/// Decides by what a body calls itself whether it is read as JSON.
///
/// `curl -d` and `fetch` name a type of their own where the caller names none, and backends rely on that; a form that
/// a browser sends from another site can't carry a key, so nothing is lost by taking these two.
enum BodyMediaType {
    private static let accepted: Set<String> = [
        "application/json", "text/json", "application/x-www-form-urlencoded", "text/plain",
    ]
    private static let charsets: Set<String> = ["utf-8", "utf8", "us-ascii"]

    /// Whether a value is what nearly every client sends.
    static func isPlainJSON(_ value: String) -> Bool {
        value.isHeader("application/json") || value.isHeader("application/json; charset=utf-8")
    }

    /// Returns whether a request's headers say nothing of its body that keeps it from being JSON in UTF-8.
    static func canBeJSON(_ headers: HTTPFields) -> Bool {
        let values = headers[values: .contentType]
        guard let value = values.first else { return true }
        guard values.count == 1 else { return false }
        return isPlainJSON(value) || canBeJSON(value)
    }

    private static func canBeJSON(_ value: String) -> Bool {
        let parts = value.split(at: ";", omittingEmptySubsequences: false).map { $0.trimmed.lowercased() }
        guard let type = parts.first else { return false }
        let isJSON = accepted.contains(type) || type.hasPrefix("application/") && type.hasSuffix("+json")
        let charset = parts.dropFirst().first { $0.hasPrefix("charset=") }?.dropFirst("charset=".count)
        let name = charset.map { $0.split(atAnyOf: "\"'").joined() }
        return isJSON && name.map(charsets.contains) ?? true
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let blanks: Set<Character> = [" ", "\t"]
        var text = drop { blanks.contains($0) }
        while let last = text.last, blanks.contains(last) { text.removeLast() }
        return text
    }
}
