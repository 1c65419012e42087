extension SyncController {
    /// Notes a sync that the shortcut has answered, unless it isn't to be traced: nothing is allocated for one that
    /// isn't.
    func note(_ request: ShortcutRequest, _ status: Int, took duration: Duration, in tracer: Tracer) {
        let isTrusted = tracer.trustsProxies && request.isFromProxy
        tracer.note(.server, took: duration, mayFollow: isTrusted) {
            Tracer.Origin(request.traceParent.map { [$0] } ?? [], traceState: { [] }, isTrusted: { isTrusted })
        } complete: { span in
            let answer = TracedAnswer(
                method: "POST",
                route: ServerMetrics.Route.sync.label,
                isSecure: request.isSecure || services.certificate != nil,
                status: status,
                requestID: request.requestID
            )
            span.set(answer)
        }
    }
}
