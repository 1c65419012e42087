import CardModel
import CardStore
import Logging
import ServiceLifecycle
import WireJSON

/// Sends the events of the log to the webhook, in order and each at least once.
///
/// How far it is, is kept in the store once the receiver has taken a batch, so a process that dies in between sends that
/// batch again. Of several nodes, the one that has claimed the webhook sends; a claim runs out unless it is renewed.
struct WebhookWorker: Service {
    /// How many events one request carries.
    static let batchSize = 500
    /// How long a claim holds, in seconds: longer than any request takes.
    static let claim = 60.0
    /// How long a worker waits that has nothing to do, in seconds.
    static let pause = 1.0

    let store: any CardStore
    let sender: any WebhookSending
    /// The worker's name among those of all nodes.
    let name: String
    let clock: @Sendable () -> UnixTime
    /// Gives a number from 0 to 1.
    let chance: @Sendable () -> Double
    let logger: Logger

    func run() async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let pause = await step()
            guard pause > 0 else { continue }
            // safe: an hour at most
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(pause)) }
        }
    }

    /// Sends one batch, if there is one, and returns how many seconds to wait before the next step.
    func step() async -> Double {
        do {
            // Nobody who has no webhook pays for one with a write.
            guard let known = try await store.webhook() else { return Self.pause }
            let now = clock()
            guard known.progress.nextAttemptAt <= now else {
                return min(known.progress.nextAttemptAt - now, Self.pause)
            }
            guard let state = try await store.claimWebhook(for: name, until: now + Self.claim, at: now) else {
                return Self.pause
            }
            return try await send(state)
        } catch {
            logger.error("The webhook's events could not be read", metadata: ["error": "\(error)"])
            return Self.pause
        }
    }

    private func send(_ state: WebhookState) async throws -> Double {
        let (webhook, old) = (state.webhook, state.progress)
        let page = try await store.events(after: old.position, webhook.filter, limit: Self.batchSize)
        guard page.position > old.position else { return Self.pause }
        let batch = WebhookBatch(page)
        var progress = old
        if page.events.isEmpty {
            progress.advance(to: page.position, sent: false, at: clock())
        } else {
            switch await sender.send(request(batch, webhook)) {
            case .taken: progress.advance(to: batch.position, sent: true, at: clock())
            case .failed(let reason, let pause):
                progress.fail(reason, retryAfter: pause, chance: chance(), at: clock())
                note(progress)
            }
        }
        guard try await store.save(progress, of: webhook, by: name) else { return Self.pause }
        if progress.failures > 0 { return min(progress.nextAttemptAt - clock(), Self.pause) }
        return page.isLast && batch.position == page.position ? Self.pause : 0
    }

    private func note(_ progress: WebhookProgress) {
        logger.warning(
            "The webhook did not take a batch",
            metadata: ["reason": "\(progress.lastFailure ?? "")", "failures": "\(progress.failures)"]
        )
    }

    private func request(_ batch: WebhookBatch, _ webhook: Webhook) -> WebhookRequest {
        WebhookRequest(
            url: webhook.url,
            body: batch.body,
            headers: [
                "Content-Type": "application/json; charset=utf-8", "User-Agent": "placard",
                "Placard-Signature": WebhookSignature.header(for: batch.body, secret: webhook.secret, at: clock()),
            ]
        )
    }
}

/// The body of one request: as many events of a page as are not too much.
private struct WebhookBatch {
    /// How much JSON one request carries, unless a single event is more.
    private static let sizeLimit = 1 << 20

    let body: [UInt8]
    /// The position up to which nothing is missing once the receiver has it.
    let position: Int64

    init(_ page: EventPage) {
        var writer = JSONWriter(capacity: page.events.count * 256)
        var end = page.position
        writer.raw(#"{"events":["#)
        for (index, event) in page.events.enumerated() {
            if index > 0 { writer.raw(",") }
            writer.write(event.exported)
            if writer.bytes.count > Self.sizeLimit, index + 1 < page.events.count {
                end = event.position
                break
            }
        }
        writer.raw(#"],"position":"#)
        writer.integer(end)
        writer.raw("}")
        body = writer.bytes
        position = end
    }
}
