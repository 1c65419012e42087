import Foundation

/// Writes the requests of the device API.
struct RequestBuilder: Sendable {
    let endpoint: URL
    let key: String
    let deviceID: @Sendable () -> String
    let appVersion: String?
    let platform: String?
    let timeout: TimeInterval

    /// Whether requests can be made to an endpoint.
    static func isValid(_ endpoint: URL) -> Bool {
        guard let scheme = endpoint.scheme?.lowercased(), let host = endpoint.host else { return false }
        return ["http", "https"].contains(scheme) && !host.isEmpty
    }

    func sync(
        user: String,
        cursor: String?,
        generation: Int64?,
        events: [LoggedEvent],
        token: String?,
        at now: Date
    ) -> TransportRequest {
        var body = head(user, generation)
        if let cursor { member("cursor", cursor, &body) }
        member("locale", Locale.current.identifier.replacingOccurrences(of: "_", with: "-"), &body)
        member("time_zone", TimeZone.current.identifier, &body)
        if let appVersion { member("app_version", appVersion, &body) }
        member("sdk_version", SDK.version, &body)
        if let platform { member("platform", platform, &body) }
        return post("v1/sync", body + tail(events, at: now), token: token)
    }

    func events(
        user: String,
        generation: Int64?,
        events: [LoggedEvent],
        token: String?,
        at now: Date
    ) -> TransportRequest {
        post("v1/events", head(user, generation) + tail(events, at: now), token: token)
    }

    func contentTypes(_ types: JSONValue, token: String?) -> TransportRequest {
        var body = "{\"types\":" + types.text
        if let appVersion { member("app_version", appVersion, &body) }
        var request = post("v1/content-types", body + "}", token: token)
        request.method = "PUT"
        return request
    }

    func testCode(user: String, token: String?) -> TransportRequest {
        post("v1/test-codes", head(user) + "}", token: token)
    }

    func live(user: String, token: String?, timeout: TimeInterval) -> TransportRequest {
        // With its id, the device is not told of what it has just done itself.
        let query = [("user_id", user), ("device_id", deviceID())].map { name, value in
            name + "=" + (value.addingPercentEncoding(withAllowedCharacters: .placardUnreserved) ?? "")
        }
        let text = address("v1/live").absoluteString + "?" + query.joined(separator: "&")
        let url = URL(string: text) ?? address("v1/live")
        var headers = headers(token)
        headers["Accept"] = "text/event-stream"
        return TransportRequest(method: "GET", url: url, headers: headers, timeout: timeout)
    }

    private func address(_ path: String) -> URL { endpoint.appendingPathComponent(path) }

    private func post(_ path: String, _ body: String, token: String?) -> TransportRequest {
        var headers = headers(token)
        headers["Content-Type"] = "application/json"
        let body = Data(body.utf8)
        return TransportRequest(method: "POST", url: address(path), headers: headers, body: body, timeout: timeout)
    }

    private func headers(_ token: String?) -> [String: String] {
        var headers = ["Authorization": "Bearer \(key)"]
        headers["Placard-User-Token"] = token
        return headers
    }

    private func head(_ user: String, _ generation: Int64? = nil) -> String {
        var body = "{\"user_id\":"
        JSONText.write(user, to: &body)
        member("device_id", deviceID(), &body)
        if let generation { body += ",\"generation\":\(generation)" }
        return body
    }

    private func member(_ name: String, _ value: String, _ body: inout String) {
        body += ",\"\(name)\":"
        JSONText.write(value, to: &body)
    }

    private func tail(_ events: [LoggedEvent], at now: Date) -> String {
        let sentAt = now.timeIntervalSince1970
        let list = events.map { $0.json(sentAt: sentAt) }.joined(separator: ",")
        return ",\"sent_at\":\(JSONText.number(sentAt)),\"events\":[\(list)]}"
    }
}

extension CharacterSet {
    fileprivate static let placardUnreserved = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
    )
}
