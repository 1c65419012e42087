import CardModel
import CardStore
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization
import WireJSON

/// The routes that an operator's tools ask: is it alive, is it ready, what has it counted, what does it speak.
struct OperationsController: Sendable {
    let services: Services
    /// The OpenAPI document as it is sent.
    let document: @Sendable () -> ByteBuffer

    /// The process answers.
    @Sendable func health(_ request: Request, _ context: AppContext) async throws -> Response {
        Response(json: [
            "status": "ok", "version": .string(BuildInformation.version),
            "commit": BuildInformation.commit.map(JSONValue.string) ?? .null,
        ])
    }

    /// Devices can be served, so traffic may come; whoever may manage is told what was looked at.
    @Sendable func ready(_ request: Request, _ context: AppContext) async throws -> Response {
        let report = await report()
        services.readinessLog.note(report, services.logger)
        let status: JSONValue = report.failure == nil ? "ready" : "unavailable"
        guard request.headers[.authorization] == nil else {
            _ = try services.authenticator.require(.manage, request.headers, from: context.client.provenAddress)
            var response = Response(
                json: ["status": status, "checks": .array(report.checks.map(\.json))],
                status: report.failure == nil ? .ok : .serviceUnavailable
            )
            if let seconds = RetryDelay.standard(for: response.status.code) {
                response.headers[.retryAfter] = String(seconds)
            }
            return response
        }
        guard report.failure == nil else { throw RequestError.unavailable }
        return Response(json: ["status": status])
    }

    /// Returns the report of the readiness; at once that the server is about to stop, before the store is asked.
    private func report() async -> Readiness.Report {
        if services.drain.isDraining { return Readiness.Report(checks: [DrainState.check]) }
        return await services.readiness.report()
    }

    @Sendable func metrics(_ request: Request, _ context: AppContext) async throws -> Response {
        let readiness = await report()
        let snapshot = MetricsSnapshot(
            connections: services.connections.count,
            liveStreams: services.hub.count,
            pageStreams: services.pageStreams.count,
            generation: services.catalog.current.catalog.generation,
            limiter: services.deviceLimiter,
            readiness: readiness,
            certificate: services.certificate.map { ($0.validity.ends, $0.reloadFailures) },
            tokenKeys: tokenKeys,
            // Metrics are wanted most while the store doesn't answer: then it isn't waited for.
            mails: await mails(isReady: readiness.failure == nil),
            lostLines: (LineLogHandler.lostLines, services.accessLog?.lostLines ?? 0),
            unreadable: services.catalog.current.source.unreadable,
            storage: services.store.storageSizes,
            traffic: services.store.traffic,
            commits: services.store.groupCommits?.counts ?? GroupCommitLog.Counts(),
            now: services.clock()
        )
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: services.metrics.text(snapshot)))
        )
    }

    /// The age of the keys of `jwks_url`, where it is set, and the number of times they could not be fetched.
    private var tokenKeys: (age: Double?, failures: Int) {
        let watch = services.catalog.keySetWatch
        let url = services.catalog.current.settings.keySetURL
        return (url.map { watch.age(of: $0, at: services.clock()) }, watch.failures)
    }

    /// The messages to members that wait, which is `nil` where the store can't say it now; `nil` without a mail server.
    private func mails(isReady: Bool) async -> (queue: MailQueue?, now: UnixTime)? {
        guard services.sendsMail else { return nil }
        guard isReady else { return (nil, services.clock()) }
        return (try? await services.store.mailQueue(), services.clock())
    }

    @Sendable func openAPI(_ request: Request, _ context: AppContext) async throws -> Response {
        var response = Response(json: document())
        // People read it in a browser.
        response.headers[.contentDisposition] = "inline; filename=\"openapi.json\""
        return response
    }
}

extension HealthCheck {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "status": failure == nil ? "ok" : "failed",
            "message": failure.map { .string($0.message) } ?? .null, "detail": detail.map(JSONValue.string) ?? .null,
            "seconds": .number(seconds),
        ]
    }
}

/// Logs that the server isn't ready any more, or is again, or found something else, but not every probe.
final class ReadinessLog: Sendable {
    private let last = Mutex<(failure: String?, details: [String: String])>((nil, [:]))

    /// Notes what a probe found.
    func note(_ report: Readiness.Report, _ logger: Logger) {
        let failure = report.failure
        let details = report.checks.compactMap { check in check.detail.map { (check.name, $0) } }
        let before = last.withLock { last in
            defer {
                last.failure = failure?.name
                last.details.merge(details) { $1 }
            }
            return last
        }
        for (name, detail) in details {
            guard let known = before.details[name], known != detail else { continue }
            let metadata: Logger.Metadata = ["check": "\(name)", "before": "\(known)", "now": "\(detail)"]
            logger.notice("Something else answers", metadata: metadata)
        }
        guard failure?.name != before.failure else { return }
        if let failure {
            logger.warning(
                "Not ready",
                metadata: ["check": "\(failure.name)", "error": "\(failure.failure?.message ?? "")"]
            )
        } else {
            logger.notice("Ready again")
        }
    }
}
