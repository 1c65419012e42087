import HTTPTypes

/// The headers of every reply for browsers, which aren't meant to show replies of the API.
enum APIHeaders {
    /// The value of `X-Content-Type-Options`: the type is what it says, and isn't guessed from the body.
    static let noSniffing = "nosniff"
    /// The value of `Content-Disposition` of JSON: whoever opens it in a browser saves a file.
    static let attachment = "attachment; filename=\"api.json\""

    /// Adds what a reply doesn't say itself.
    static func complete(_ headers: inout HTTPFields) {
        if headers[.xContentTypeOptions] == nil { headers[.xContentTypeOptions] = noSniffing }
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
    }
}
