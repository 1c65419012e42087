/// Knows the short keys that wrappers of the documented SDK use.
enum WireKeys {
    private static let keys = [
        "tp": "type", "ca": "created_at", "ea": "expires_at", "tt": "title", "ds": "description", "i": "image",
        "ar": "image_aspect_ratio", "u": "url", "uw": "open_url_in_web_view", "dm": "domain", "e": "extras",
        "v": "viewed", "cl": "clicked", "p": "pinned", "r": "dismissed", "db": "dismissible",
    ]
    private static let types = ["short_news": "classic", "banner_image": "banner"]

    /// Returns the dictionary with the keys and types of the device API; keys that are not text are left out.
    static func spelledOut(_ dictionary: [AnyHashable: Any]) -> [String: Any] {
        var result: [String: Any] = [:]
        for (key, value) in dictionary {
            guard let key = key.base as? String else { continue }
            result[keys[key] ?? key] = value
        }
        if let type = result["type"] as? String { result["type"] = types[type] ?? type }
        return result
    }
}
