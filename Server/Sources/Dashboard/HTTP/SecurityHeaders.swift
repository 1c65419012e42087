import HTTPTypes
import Hummingbird

/// The headers that tell browsers what to refuse.
enum SecurityHeaders {
    /// No script, style or frame but our own files; nothing may be sent elsewhere, and nobody may frame us.
    static let pagePolicy = policy([
        "style-src 'self'", "script-src 'self'", "img-src 'self' data: https: http:", "connect-src 'self'",
        "frame-src 'self'", "form-action 'self'", "frame-ancestors 'none'",
    ])

    /// Returns the policy for what a card looks like: it runs nothing, sends nothing, and is of no origin; only our
    /// pages may frame it.
    ///
    /// - Parameter styleHash: The SHA-256 of its style sheet in base 64.
    /// - Returns: The policy.
    static func previewPolicy(styleHash: String) -> String {
        policy([
            "style-src 'self' 'sha256-\(styleHash)'", "img-src data: https: http:", "form-action 'none'",
            "frame-ancestors 'self'", "sandbox",
        ])
    }

    private static func policy(_ directives: [String]) -> String {
        (["default-src 'none'", "base-uri 'none'"] + directives).joined(separator: "; ")
    }

    static func apply(to response: inout Response, isSecure: Bool) {
        if response.headers[.contentSecurityPolicy] == nil { response.headers[.contentSecurityPolicy] = pagePolicy }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "same-origin"
        response.headers[.crossOriginOpenerPolicy] = "same-origin"
        if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
    }
}

extension HTTPField.Name {
    static let clearSiteData = checked("Clear-Site-Data")
    static let referrerPolicy = checked("Referrer-Policy")
    static let crossOriginOpenerPolicy = checked("Cross-Origin-Opener-Policy")
    static let secFetchSite = checked("Sec-Fetch-Site")

    static func checked(_ name: String) -> HTTPField.Name {
        // safe: names in the source
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is not a header name") }
        return name
    }
}
