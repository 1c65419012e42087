import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// Whether the browser, where it says so, sends the form from a page of the dashboard.
    var isFromOwnPage: Bool {
        headers[.secFetchSite].map { ["same-origin", "none"].contains($0) } ?? true
    }

    /// Returns the form that the request brings.
    ///
    /// - Parameter limit: The most bytes that are read.
    /// - Returns: The form's fields, in order.
    /// - Throws: `FormBounds.Exceeded` where it has more fields, or longer ones, than pages have.
    func form(atMost limit: Int = FormBounds.bytes) async throws -> FormData {
        let buffer = try await body.collect(upTo: limit)
        try FormBounds.check(encoded: buffer.readableBytesView)
        let form = FormData(urlEncoded: String(buffer: buffer))
        try FormBounds.check(form)
        return form
    }
}
