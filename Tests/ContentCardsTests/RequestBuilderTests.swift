import Foundation
import Testing

@testable import ContentCards

@Suite("Requests of the device API")
struct RequestBuilderTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000.5)

    private func builder(version: String? = "1.2", platform: String? = "ios") throws -> RequestBuilder {
        RequestBuilder(
            endpoint: try #require(URL(string: "https://cards.example/base/")),
            key: "pk_1",
            deviceID: { "device" },
            appVersion: version,
            platform: platform,
            timeout: 7
        )
    }

    private func body(_ request: TransportRequest) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: try #require(request.body))
    }

    private func members(of value: JSONValue) -> [String: JSONValue] {
        if case .object(let members) = value { members } else { [:] }
    }

    /// Returns a member of an object; what is not there is `null`.
    private func member(_ name: String, of value: JSONValue) -> JSONValue {
        members(of: value)[name, default: .null]
    }

    @Test("say who asks, with which key and token, below the path of the endpoint")
    func head() throws {
        let request = try builder().sync(user: "ann", cursor: "c", generation: 4, events: [], token: "t", at: now)
        #expect(request.method == "POST" && request.url.absoluteString == "https://cards.example/base/v1/sync")
        let headers = [
            "Authorization": "Bearer pk_1", "Placard-User-Token": "t", "Content-Type": "application/json",
        ]
        #expect(request.headers == headers && request.timeout == 7)
        let body = try body(request)
        let names = ["user_id", "device_id", "cursor", "app_version", "platform", "sdk_version"]
        let values = names.map { member($0, of: body) }
        let expected: [JSONValue] = ["ann", "device", "c", "1.2", "ios", .string(SDK.version)]
        #expect(values == expected)
        #expect(member("generation", of: body) == .integer(4) && member("events", of: body) == .array([]))
        #expect(Set(members(of: body).keys).isSuperset(of: ["time_zone", "locale", "sent_at"]))
    }

    @Test("leave out what is not known, and send no header of no token")
    func optional() throws {
        let builder = try builder(version: nil, platform: nil)
        let request = builder.sync(user: "ann", cursor: nil, generation: nil, events: [], token: nil, at: now)
        let body = try body(request)
        let names = Set(members(of: body).keys)
        #expect(names.isDisjoint(with: ["cursor", "generation", "app_version", "platform"]))
        #expect(request.headers["Placard-User-Token"] == nil)
    }

    @Test(
        "carry ids and names as they are, whatever they hold",
        arguments: ["\"},{\"", "a\\", "日本語 🙂", "e\u{301}", "\u{7F}\u{2028}", "{{ x }}"]
    )
    func hostile(text: String) throws {
        let events = [
            LoggedEvent(sequence: 1, id: "1", type: "custom", time: 5, members: NewEvent.custom(text, [text: "v"]).text)
        ]
        let request = try builder().events(user: text, generation: nil, events: events, token: nil, at: now)
        let body = try body(request)
        guard case .string(let user) = member("user_id", of: body), case .array(let sent) = member("events", of: body)
        else {
            Issue.record("no user or events")
            return
        }
        #expect(user.hasSameBytes(as: text) && sent.count == 1)
        let name = member("name", of: try #require(sent.first))
        #expect(name == .string(text))
    }

    @Test("name the user of a live stream in the query, encoded once, and nothing else of them")
    func live() throws {
        let request = try builder().live(user: "ann&device_id=x %41/é", token: "t", timeout: 80)
        let query = "user_id=ann%26device_id%3Dx%20%2541%2F%C3%A9&device_id=device"
        #expect(request.url.absoluteString == "https://cards.example/base/v1/live?\(query)")
        #expect(request.method == "GET" && request.body == nil && request.timeout == 80)
        #expect(request.headers["Accept"] == "text/event-stream" && request.headers["Content-Type"] == nil)
    }

    @Test("tell of no event later than themselves, as a clock that was set back makes it")
    func times() throws {
        let events = [1_700_000_000.0, 1_800_000_000].map { time in
            LoggedEvent(sequence: 1, id: "e", type: "session_start", time: time, members: "")
        }
        let request = try builder().events(user: "ann", generation: nil, events: events, token: nil, at: now)
        guard case .array(let sent) = member("events", of: try body(request)) else {
            Issue.record("no events")
            return
        }
        let times = sent.map { member("at", of: $0) }
        let expected: [JSONValue] = [.integer(1_700_000_000), .number(now.timeIntervalSince1970)]
        #expect(times == expected)
    }

    @Test(
        "are made to web addresses with a host alone",
        arguments: ["", "cards.example", "ftp://cards.example", "file:///etc", "https://", "javascript:alert(1)"]
    )
    func invalid(address: String) {
        #expect(URL(string: address).map(RequestBuilder.isValid) != true)
    }

    @Test("are made in any spelling of the scheme, and to a port", arguments: ["HTTPS://a", "http://127.0.0.1:8080/x"])
    func valid(address: String) throws {
        #expect(RequestBuilder.isValid(try #require(URL(string: address))))
    }
}
