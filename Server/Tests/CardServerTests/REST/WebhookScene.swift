import CardModel
import CardStore
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import LiveTesting
import Logging
import SQLiteCardStore
import Synchronization
import WireJSON

@testable import CardServer

/// A store with a webhook whose receiver listens on the loopback interface.
struct WebhookScene: Sendable {
    let store: SQLiteCardStore
    let receiver: Receiver
    let time: TestTime
    let url: String
    let secret = "whsec_0123456789abcdef"
    let metrics = ServerMetrics()
    let size = WebhookBatchSize()

    static func run(_ body: @escaping @Sendable (WebhookScene) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let time = TestTime(1_800_000_000)
        var options = SQLiteCardStore.Options()
        options.now = { time.ofStore }
        let store = try SQLiteCardStore(path: directory.appending(path: "placard.sqlite").path, options: options)
        var settings = Settings()
        settings.deviceLimits.user.eventNames = 10_000
        try await store.saveSettings(settings, at: 1_800_000_000, by: .command)
        let receiver = Receiver()
        let router = Router()
        router.post("/events") { request, _ in try await receiver.receive(request) }
        let app = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        try await LiveClient.run(app) { client in
            let url = "http://127.0.0.1:\(client.port)/events"
            let scene = WebhookScene(store: store, receiver: receiver, time: time, url: url)
            let hook = Webhook(url: url, secret: scene.secret, createdAt: scene.time.now)
            try await store.saveWebhook(hook, after: 0, at: scene.time.now, by: .command)
            try await body(scene)
        }
        try await store.close()
    }

    /// Does one step of a worker of that name, by a clock that is ahead.
    func step(as name: String = "worker", ahead: Double = 0) async throws -> Double {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var sender = OutboundWebhookSender(client: OutboundClient(allowsPrivateHosts: true), logger: logger)
        // However busy the machine is.
        sender.timeout = 300
        return await WebhookWorker(
            store: store,
            sender: sender,
            name: name,
            clock: { time.now + ahead },
            chance: { 0.5 },
            logger: logger,
            metrics: metrics,
            size: size
        ).step()
    }

    /// Records events that are named by numbers.
    func record(_ numbers: ClosedRange<Int>) async throws {
        let events = numbers.map { number in
            DeviceEvent(
                id: EventID(high: 1, low: UInt64(number)),
                kind: .custom(name: "\(number)"),
                at: time.now
            )
        }
        _ = try await store.recordEvents(
            EventBatch(user: UserID(rawValue: "ann"), events: events, receivedAt: time.now)
        )
    }

    /// What the receiver got, and how it is to answer.
    final class Receiver: Sendable {
        struct Received: Sendable {
            let body: [UInt8]
            let signature: String
            let isTaken: Bool

            var numbers: [Int] {
                let events = (try? JSONValue(parsing: body))?["events"]?.array ?? []
                return events.compactMap { $0["details"]?["name"]?.string.flatMap { Int($0) } }
            }

            /// Checks the signature as a receiver would.
            func isSigned(with secret: String) -> Bool {
                let fields = signature.split(separator: ",").map {
                    $0.split(separator: "=", maxSplits: 1).map(String.init)
                }
                guard fields.count == 2, fields[0][0] == "t", fields[1][0] == "v1" else { return false }
                let signed = Data("\(fields[0][1]).".utf8) + Data(body)
                let digest = HMAC<SHA256>.authenticationCode(
                    for: signed,
                    using: SymmetricKey(data: Data(secret.utf8))
                )
                return digest.map { String(format: "%02x", $0) }.joined() == fields[1][1]
            }
        }

        private struct State {
            var requests: [Received] = []
            var answers: [HTTPResponse.Status] = []
            var action: (@Sendable () async -> Void)?
            var refuses: @Sendable (_ size: Int) -> Bool = { _ in false }
        }

        private let state = Mutex(State())

        var requests: [Received] { state.withLock { $0.requests } }
        var numbers: [Int] { requests.flatMap(\.numbers) }
        var taken: [Int] { requests.filter(\.isTaken).flatMap(\.numbers) }

        /// The next answers; 200 afterwards.
        func answer(_ statuses: HTTPResponse.Status...) { state.withLock { $0.answers += statuses } }

        /// Which bodies are too large for it, by their sizes.
        func refuses(_ body: @escaping @Sendable (_ size: Int) -> Bool) { state.withLock { $0.refuses = body } }

        /// Does something while the next request is under way.
        func whenAsked(_ action: @escaping @Sendable () async -> Void) { state.withLock { $0.action = action } }

        func receive(_ request: Request) async throws -> Response {
            let body = try await request.body.collect(upTo: 1 << 22)
            let signature = request.headers.first { $0.name.canonicalName == "placard-signature" }?.value ?? ""
            let (status, action) = state.withLock { state in
                var status: HTTPResponse.Status = state.answers.isEmpty ? .ok : state.answers.removeFirst()
                if state.refuses(body.readableBytes) { status = .contentTooLarge }
                state.requests.append(
                    Received(body: Array(body.readableBytesView), signature: signature, isTaken: status == .ok)
                )
                defer { state.action = nil }
                return (status, state.action)
            }
            await action?()
            var headers: HTTPFields = [:]
            if status == .found { headers[.location] = "/elsewhere" }
            return Response(status: status, headers: headers)
        }
    }
}
