import CardModel
import CardStore
import Logging
import ServiceLifecycle
import WireJSON

/// Sends the events of the log to the webhook, in order and each at least once.
///
/// How far it is, is kept in the store once the receiver has taken a batch, so a process that dies in between sends
/// that batch again. Of several nodes, the one that has claimed the webhook sends; a claim runs out unless it is
/// renewed.
struct WebhookWorker: Service {
    /// The time for which a claim holds by the store's clock, in seconds: longer than any request takes.
    static let claim = 60.0
    /// The time that a worker that has nothing to do waits, in seconds.
    static let pause = 1.0

    let store: any CardStore
    let sender: any WebhookSending
    /// The worker's name among those of all nodes.
    let name: String
    let clock: @Sendable () -> UnixTime
    /// Gives a number from 0 to 1.
    let chance: @Sendable () -> Double
    let logger: Logger
    /// Counts requests.
    var metrics = ServerMetrics()
    /// Traces requests, or `nil` where nothing is traced.
    var tracer: Tracer?
    var size = WebhookBatchSize()

    func run() async throws {
        await WorkLoop().run { await step() }
    }

    /// Sends one batch, if there is one, and returns how many seconds to wait before the next step.
    func step() async -> Double {
        do {
            // Nobody who has no webhook pays for one with a write.
            let now = clock()
            guard let known = try await store.webhookState() else {
                metrics.note(nil, at: now)
                return Self.pause
            }
            if metrics.isWebhookQueueOld(at: now) { await lookAtQueue(at: now) }
            let rest = known.progress.rest(at: now)
            guard rest <= 0 else { return min(rest, Self.pause) }
            guard let state = try await store.claimWebhook(for: name, seconds: Self.claim) else {
                return Self.pause
            }
            return try await send(state)
        } catch {
            logger.error("The webhook's events could not be read", metadata: ["error": "\(error)"])
            return Self.pause
        }
    }

    /// Notes for the metrics what waits; what can't be read is no reason to send nothing.
    private func lookAtQueue(at now: UnixTime) async {
        do {
            metrics.note(try await store.webhookQueue(), at: now)
        } catch {
            logger.warning("What waits for the webhook could not be read", metadata: ["error": "\(error)"])
        }
    }

    private func send(_ state: WebhookState) async throws -> Double {
        let (webhook, old) = (state.webhook, state.progress)
        let limits = size.limits
        let page = try await store.eventPage(after: old.position, webhook.filter, limit: limits.events)
        page.noteUnreadable(in: logger, metrics)
        // Read after the page, so that a deletion goes out before what the log has of another user with that id.
        let notices = try await store.webhookNotices(limit: limits.events)
        guard page.position > old.position || !notices.isEmpty else { return Self.pause }
        let batch =
            notices.isEmpty
            ? WebhookBatch(page, size: limits.bytes) : WebhookBatch(notices, at: old.position, size: limits.bytes)
        var taken: Int64?
        var progress = old
        if notices.isEmpty, page.events.isEmpty {
            progress.advance(to: page.position, sent: false, at: clock())
        } else {
            switch await deliver(request(batch, webhook)) {
            case .taken:
                size.note(isTaken: true)
                metrics.countWebhookRequest(isTaken: true)
                progress.advance(to: batch.position, sent: true, at: clock())
                taken = batch.noticePosition
            case .failed(let reason, let pause):
                size.note(isTaken: false)
                metrics.countWebhookRequest(isTaken: false)
                progress.fail(reason, retryAfter: pause, chance: chance(), at: clock())
                note(progress)
            }
        }
        guard try await store.saveWebhookProgress(progress, noticesThrough: taken, of: webhook, by: name) else {
            return Self.pause
        }
        if progress.failures > 0 { return min(progress.nextAttemptAt - clock(), Self.pause) }
        return taken == nil && page.isLast && batch.position == page.position ? Self.pause : 0
    }

    private func deliver(_ request: WebhookRequest) async -> WebhookAnswer {
        await tracer.job("webhook.deliver") {
            let answer = await sender.send(request)
            if case .failed = answer { ActiveSpan.current?.fail("WebhookFailure") }
            return answer
        }
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

/// The body of one request: as many events of a page, or notices, as are not too much.
private struct WebhookBatch {
    let body: [UInt8]
    /// The position up to which nothing is missing once the receiver has it.
    let position: Int64
    /// The position of the last notice, or `nil` for a batch of events.
    let noticePosition: Int64?

    init(_ page: EventPage, size: Int) {
        let (items, count) = Self.items(page.events.lazy.map(\.exported), size)
        // safe: one or more, of as many events
        position = count < page.events.count ? page.events[count - 1].position : page.position
        noticePosition = nil
        body = Self.body(items, position)
    }

    /// Notices have no place in the log, so the position stays.
    init(_ notices: [WebhookNotice], at position: Int64, size: Int) {
        let (items, count) = Self.items(notices.lazy.map(\.exported), size)
        self.position = position
        // safe: one or more, of as many notices
        noticePosition = notices.prefix(count).last?.position
        body = Self.body(items, position)
    }

    /// Writes values one after another, one at least, as long as they fit, and returns how many.
    private static func items(_ values: some Collection<JSONValue>, _ size: Int) -> (text: [UInt8], count: Int) {
        var writer = JSONWriter(capacity: values.count * 256)
        for (index, value) in values.enumerated() {
            let end = writer.bytes.count
            if index > 0 { writer.raw(",") }
            writer.write(value)
            if index > 0, writer.bytes.count > size { return (Array(writer.bytes.prefix(end)), index) }
        }
        return (writer.bytes, values.count)
    }

    private static func body(_ items: [UInt8], _ position: Int64) -> [UInt8] {
        Array(#"{"events":["#.utf8) + items + Array(#"],"position":\#(position)}"#.utf8)
    }
}

extension WebhookNotice {
    /// The notice as a receiver reads it: an event without a place in the log.
    fileprivate var exported: JSONValue {
        let (user, campaign): (JSONValue, JSONValue) =
            switch subject {
            case .user(let user): (.string(user.rawValue), .null)
            case .campaign(let campaign): (.null, .string(campaign.rawValue))
            }
        return [
            "position": .null, "id": .string(id.description), "user_id": user, "type": .string(kind.rawValue),
            "at": .string(BackendTime.text(at)), "received_at": .string(BackendTime.text(at)), "card_id": .null,
            "campaign_id": campaign, "variant_id": .null, "details": details,
        ]
    }
}
