import Mustache

/// The content type of every page: texts are escaped for HTML by their bytes.
///
/// The templates' own content type escapes whole characters, and to Swift a sign is a part of one with a mark that
/// follows it, or with a letter that precedes it: `"` with an accent ended an attribute, and `<` after a Malayalam dot
/// began a tag.
struct HTMLText: MustacheContentType {
    /// The line that begins a template: partials have the templates' own content type otherwise.
    static let pragma = "{{% CONTENT_TYPE:PAGE}}\n"

    /// Makes the content type known to templates that are read from now on.
    static func register() { MustacheContentTypes.register(HTMLText(), named: "PAGE") }

    func escapeText(_ text: String) -> String { text.escaped }
}

extension String {
    /// The text as it may stand in HTML and its attributes.
    var escaped: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
