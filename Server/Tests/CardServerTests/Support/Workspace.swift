import CardModel
import CardStore
import Foundation
import HTTPTypes
import Hummingbird
import LiveTesting
import Logging
import NIOCore
import SQLiteCardStore
import SQLiteTesting
import Synchronization
import Testing
import WireJSON

@testable import CardServer

/// A server over a new SQLite database on a free port of the loopback interface, with a clock that tests set.
struct Workspace: Sendable {
    let client: LiveClient
    let store: SQLiteCardStore
    let time: TestTime
    let publishable: String
    let secret: String

    /// The address for a real client.
    var endpoint: URL {
        get throws { try #require(URL(string: "http://127.0.0.1:\(client.port)")) }
    }

    /// Runs a server for as long as `body` takes.
    static func run(
        realTime: Bool = false,
        asksPrivateHosts: Bool = false,
        limits: DeviceLimits = .unlimited,
        proxies: TrustedProxies = .none,
        server: ServerLimits = .patient,
        requests: RequestExecutor = .shared,
        accessLog: AccessLog? = nil,
        surfaces: [@Sendable (ServerInside) -> any ServerSurface] = [],
        change: (inout PlacardServer.Options) -> Void = { _ in },
        _ body: @escaping @Sendable (Workspace) async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let time = TestTime(realTime ? nil : 1_800_000_000)
        var storeOptions = SQLiteCardStore.Options()
        storeOptions.now = { time.ofStore }
        let path = directory.appending(path: "placard.sqlite").path
        try await PreparedDatabase.put(at: path)
        let store = try SQLiteCardStore(path: path, options: storeOptions)
        let publishable = KeySecret(name: "app", kind: .publishable, permissions: [], createdAt: time.now)
        let secret = KeySecret(name: "backend", kind: .secret, permissions: [.manage], createdAt: time.now)
        try await store.insertKey(publishable.key, by: .command)
        try await store.insertKey(secret.key, by: .command)
        var settings = Settings()
        settings.deviceLimits = limits
        try await store.saveSettings(settings, at: time.now, by: .command)
        var options = PlacardServer.Options()
        options.port = 0
        options.clock = { time.now }
        options.uptime = { time.uptime }
        options.trustedProxies = proxies
        options.limits = server
        options.requests = requests
        options.accessLog = accessLog
        options.allowsPrivateContentHosts = asksPrivateHosts
        options.allowsPrivateWebhookHosts = asksPrivateHosts
        // However busy the machine is.
        options.contentTimeout = 60
        options.keySetTimeout = 60
        options.readinessPatience = .seconds(60)
        options.images = ImageSubprocess.patient
        change(&options)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = try await PlacardServer(store: store, options: options, logger: logger, surfaces: surfaces)
        try await LiveClient.run(server.application()) { client in
            try await body(
                Workspace(
                    client: client,
                    store: store,
                    time: time,
                    publishable: publishable.text,
                    secret: secret.text
                )
            )
        }
        try await store.close()
    }
}

extension ImageSubprocess {
    /// Gives each picture minutes, however busy the machine is.
    static var patient: ImageSubprocess {
        var images = ImageSubprocess()
        images.patience = .seconds(600)
        return images
    }
}

extension ServerLimits {
    /// The usual limits, but for the times, which a client that is held up by a busy machine doesn't reach.
    static var patient: ServerLimits {
        var limits = ServerLimits()
        limits.headSeconds = 300
        limits.bodySeconds = 300
        limits.writeSeconds = 300
        return limits
    }
}

/// A clock that stands still until it is moved, or the real one.
final class TestTime: Sendable {
    private let fixed: Mutex<UnixTime?>
    /// How far the clock was set back in all, in seconds.
    private let setBack = Mutex(0.0)
    private let hook = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ start: UnixTime?) { fixed = Mutex(start) }

    var now: UnixTime {
        hook.withLock { $0 }?()
        return ofStore
    }

    /// The same time for the store, whose own threads ask for it: nothing is done then.
    var ofStore: UnixTime { fixed.withLock { $0 } ?? Date().timeIntervalSince1970 }

    /// Has something done wherever the time is asked for.
    func whenAsked(_ hook: (@Sendable () -> Void)?) { self.hook.withLock { $0 = hook } }

    /// Seconds of a clock that moves with this one, but is never set back.
    var uptime: Double { now + setBack.withLock { $0 } }

    /// Moves the clock, or sets it back.
    func advance(by seconds: Double) {
        setBack.withLock { $0 += max(0, -seconds) }
        fixed.withLock { $0? += seconds }
    }
}

/// What the server answered.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPFields
    let json: JSONValue
    let text: String

    var code: String? { json["error"]?["code"]?.string }
    var path: String? { json["error"]?["path"]?.string }
    var cards: [JSONValue] { json["cards"]?.array ?? [] }
    var removed: [String] { json["removed"]?.array?.compactMap(\.string) ?? [] }
    var cursor: String { json["cursor"]?.string ?? "" }
}

// MARK: Requests

extension Workspace {
    /// Sends a request with the bytes of a body.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        raw body: String?,
        key: String?,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        if let key { headers[.authorization] = "Bearer \(key)" }
        return try await client.execute(
            uri: path,
            method: method,
            headers: headers,
            body: body.map { ByteBuffer(string: $0) }
        ) { response in
            let text = String(buffer: response.body)
            return Answer(
                status: response.status.code,
                headers: response.headers,
                json: (try? JSONValue(parsing: text)) ?? .null,
                text: text
            )
        }
    }

    /// Sends a request of the management API.
    @discardableResult
    func manage(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil) async throws -> Answer {
        try await send(method, path, raw: body?.text, key: secret)
    }

    /// Syncs a device.
    func sync(
        _ user: String,
        device: String = "device-1",
        cursor: String? = nil,
        events: [JSONValue] = [],
        locale: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        var body: JSONValue = ["user_id": .string(user), "device_id": .string(device)]
        if case .object(var members) = body {
            members["cursor"] = cursor.map(JSONValue.string)
            members["locale"] = locale.map(JSONValue.string)
            if !events.isEmpty { members["events"] = .array(events) }
            body = .object(members)
        }
        return try await send(.post, "/v1/sync", raw: body.text, key: publishable, headers: headers)
    }

    /// An event as a device would send it now.
    func event(_ type: String, _ card: String? = nil, id: UUID = UUID(), at: UnixTime? = nil) -> JSONValue {
        var members: JSONValue = [
            "id": .string(id.uuidString.lowercased()), "type": .string(type), "at": .number(at ?? time.now),
        ]
        if let card, case .object(var object) = members {
            object["card_id"] = .string(card)
            members = .object(object)
        }
        return members
    }

    // MARK: Campaigns

    static let classic: JSONValue = ["type": "classic", "title": "Hello", "description": "World"]

    /// Creates a campaign and launches it.
    func launch(
        _ id: String,
        card: JSONValue = classic,
        audience: JSONValue = .null,
        variants: JSONValue? = nil,
        delivery: JSONValue = .null,
        rules: JSONValue = .null
    ) async throws {
        try await create(id, card: card, audience: audience, variants: variants, delivery: delivery, rules: rules)
        let launched = try await manage(.post, "/v1/campaigns/\(id)/launch")
        guard launched.status == 200 else { throw Unexpected(answer: launched) }
    }

    /// Creates a draft.
    func create(
        _ id: String,
        card: JSONValue = classic,
        audience: JSONValue = .null,
        variants: JSONValue? = nil,
        delivery: JSONValue = .null,
        rules: JSONValue = .null
    ) async throws {
        let created = try await manage(
            .post,
            "/v1/campaigns",
            [
                "id": .string(id), "name": .string(id), "audience": audience, "delivery": delivery,
                "rules": rules,
                "variants": variants ?? [["card": card]],
            ]
        )
        guard created.status == 201 else { throw Unexpected(answer: created) }
    }

    /// Changes a campaign's only card.
    func edit(_ id: String, card: JSONValue) async throws -> Answer {
        let known = try await manage(.get, "/v1/campaigns/\(id)")
        guard case .object(var members) = known.json else { throw Unexpected(answer: known) }
        members["variants"] = [["id": "a", "card": card]]
        return try await manage(.put, "/v1/campaigns/\(id)", .object(members))
    }

    func totals(_ id: String) async throws -> JSONValue {
        try await manage(.get, "/v1/campaigns/\(id)/report").json["totals"] ?? .null
    }
}

/// An answer that a test's preparations did not expect.
struct Unexpected: Error, CustomStringConvertible {
    let answer: Answer

    var description: String { "\(answer.status) \(answer.text)" }
}
