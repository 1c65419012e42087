import CardModel
import Foundation
import Hummingbird

extension Request {
    /// Returns the value of a query parameter, or `nil` where there is none.
    ///
    /// The router's own decoding turns whatever isn't UTF-8 into U+FFFD, so that many spellings would be one id.
    ///
    /// - Throws: `RequestError` where it stands there twice, or isn't UTF-8 in percent encoding.
    func identity(_ name: String) throws(RequestError) -> String? {
        let prefix = Array("\(name)=".utf8)
        let values = (uri.query ?? "").utf8.split(separator: UInt8(ascii: "&")).filter { $0.starts(with: prefix) }
        guard let value = values.first else { return nil }
        guard values.count == 1, let text = String(value.dropFirst(prefix.count)),
            let decoded = text.removingPercentEncoding
        else { throw .fieldInvalid(name, expected: "given once, as percent-encoded UTF-8") }
        return decoded
    }
}

extension AppContext {
    /// Returns a part of the path, such as an id, as it was before it was percent-encoded.
    ///
    /// A client may encode any of its bytes. What isn't UTF-8 stays as it is, and no id is like that.
    func pathParameter(_ name: String) throws -> String {
        let text = try parameters.require(name)
        return text.removingPercentEncoding ?? text
    }

    /// Returns the user that the path names.
    ///
    /// - Throws: `RequestError` where it isn't a user id in UTF-8 and percent encoding.
    func user(_ name: String = "id") throws -> UserID {
        guard let text = try parameters.require(name).removingPercentEncoding, let id = UserID(checking: text) else {
            throw RequestError.userInvalid
        }
        return id
    }
}
