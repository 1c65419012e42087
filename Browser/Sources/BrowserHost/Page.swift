import Foundation
import Hummingbird

/// Holds the page that draws an app, with its script and style.
struct Page: Sendable {
    struct Missing: Error {
        let name: String
    }

    /// The parts of the script, in their order: they are the body of one function.
    static let scripts = [
        "drawing", "focus", "reports", "scrolling", "touches", "rows", "fingers", "device",
    ]
    /// The parts of the style sheet, in their order: a later rule wins over one before it.
    static let styles = ["stage", "views", "lists", "bars", "tabs", "controls", "items"]

    private let html: String
    let script: String
    let style: String

    init(title: String) throws {
        let escaped = title.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        html = try Self.read("index", "html").replacingOccurrences(of: "{{title}}", with: escaped)
        let body = try Self.scripts.map { try Self.read($0, "js") }.joined(separator: "\n")
        script = "\"use strict\";\n(() => {\n\(body)})();\n"
        style = try Self.styles.map { try Self.read($0, "css") }.joined(separator: "\n")
    }

    private static func read(_ name: String, _ type: String) throws -> String {
        guard let url = Bundle.module.url(forResource: name, withExtension: type, subdirectory: "Page") else {
            throw Missing(name: "\(name).\(type)")
        }
        return try String(contentsOf: url, encoding: .utf8)
    }

    /// No script but the page's own file, and nothing that could send data elsewhere.
    ///
    /// Styles may stand in the HTML of a web view, whose frame inherits the policy; the page itself never parses HTML.
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self'",
        "connect-src 'self'", "frame-src http: https:", "frame-ancestors 'self'", "base-uri 'none'",
        "form-action 'none'",
    ].joined(separator: "; ")

    var response: Response { Self.response(html, "text/html; charset=utf-8") }

    static func response(_ text: String, _ type: String) -> Response {
        response(ByteBuffer(string: text), type)
    }

    static func response(_ bytes: ByteBuffer, _ type: String, caching: String = "no-cache") -> Response {
        var response = Response(status: .ok, body: .init(byteBuffer: bytes))
        response.headers[.contentType] = type
        response.headers[.cacheControl] = caching
        response.headers[.contentSecurityPolicy] = policy
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}
