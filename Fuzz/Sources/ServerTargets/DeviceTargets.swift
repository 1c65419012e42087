import CardModel
import HTTPTypes
import Hummingbird
import NIOHTTP1
import WireJSON

@testable import CardServer
@testable import SQLiteCardStore

#if canImport(FuzzTargets)
import FuzzTargets
#endif

/// What devices and proxies send.
extension FuzzTarget {
    private static let now = 1_800_000_000.0

    /// The body of a sync, whose events are checked and written to the log.
    static let sync = FuzzTarget("sync", maximumLength: 2_048) { input in
        guard let request = try? SyncRequest(input) else { return }
        try require(request.events.count <= SyncRequest.maximumEvents, "No more events than one request may have")
        try requireSame(UserID(checking: request.user.rawValue), request.user, "The user's id is valid")
        for sentAt in request.sentAt.map({ [$0] }) ?? [nil, now + 86_400] {
            let found = EventValidator(now: now, sentAt: sentAt).validate(request.events)
            try requireSame(
                found.events.count + found.rejected.count,
                request.events.count,
                "Every event is accepted or rejected"
            )
            for event in found.events { try check(event) }
        }
    }

    private static func check(_ event: DeviceEvent) throws {
        let range = now - EventValidator.oldest...now + EventValidator.furthest
        try require(range.contains(event.at), "An event has a possible time: \(event.at)")
        if let details = event.details {
            try require(try JSONValue(parsing: details).object != nil, "What the log keeps is an object")
        }
        guard case .attributes(let changes) = event.kind else { return }
        var profile = UserProfile(id: UserID(rawValue: "u"), createdAt: 0)
        var usage = AttributeUsage(of: profile)
        _ = try? profile.apply(changes, within: UserLimits(), &usage)
        try requireSame(usage, AttributeUsage(of: profile), "The size of attributes is kept up to date")
    }

    /// The head of a request: lines with a name, a colon and a value.
    static let headers = FuzzTarget("headers", maximumLength: 1_024) { input in
        var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/v1/sync")
        for line in input.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            // The parser refuses other names before any of our code sees them.
            guard !parts[0].isEmpty, parts[0].allSatisfy({ (0x21...0x7E).contains($0) }) else { continue }
            let value = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
            head.headers.add(name: String(decoding: parts[0], as: UTF8.self), value: value)
        }
        let check = RequestHeadCheck(head)
        if check.refusal == nil, let bytes = check.bodyBytes {
            try require((0...RequestBodyLimit.bytes).contains(bytes), "A body has a possible size: \(bytes)")
        }
        if let request = ShortcutRequest(head) {
            try require(request.bodySize <= ShortcutRequest.maximumBody, "The shortcut takes small bodies only")
        }
        for header in TrustedProxies.Header.allCases { try checkClient(of: head.headers, header) }
        let cookies = Cookies(from: head.headers["cookie"])
        _ = (cookies["placard_session"]?.value, cookies["__Host-placard_device"]?.value)
    }

    private static let ranges = ["10.0.0.0/8", "fd00::/8"].compactMap { AddressRange($0) }

    private static func checkClient(of headers: HTTPHeaders, _ header: TrustedProxies.Header) throws {
        let proxies = TrustedProxies(ranges: ranges, header: header)
        for peer in ["10.1.2.3", "192.0.2.1"].compactMap({ IPAddress($0) }) {
            let client = proxies.client(peer: .network(peer)) { headers[$0] }
            try require(client.address != nil, "A connection with an address has a client")
            if !proxies.contains(peer) {
                try requireSame(client.address, peer, "A client that is no proxy can't forward")
            }
            guard let address = client.address else { continue }
            try requireSame(IPAddress(address.description), address, "An address is read back")
            _ = ClientKey(address)
        }
    }

    /// The query of an address.
    static let query = FuzzTarget("query", maximumLength: 512) { input in
        // The check of a request's head lets nothing else in.
        let text = String(decoding: input.filter { (0x21...0x7E).contains($0) }, as: UTF8.self)
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/v1/users/\(text)?\(text)")
        let request = Request(head: head, body: RequestBody(buffer: .init()))
        let query = BackendQuery(request)
        _ = (query.text("a"), try? query.flag("b"), try? query.number("n", in: 0...Int.max), try? query.page())
        if let time = try? query.time("t") {
            try require(Timestamp.range.contains(time), "A time is a possible one: \(time)")
        }
        if let page = try? PageQuery(request) {
            try require(page.offset >= 0 && page.limit > 0, "A page lies in its list")
        }
        if let id = try? request.identity("user_id") {
            try require(String(validating: id.utf8, as: UTF8.self) != nil, "An id is UTF-8")
        }
        try require(LoggedPath.text(request.uri.path).count <= 200, "A path fits a line of the log")
    }

    /// A time as backends write it.
    static let backendTime = FuzzTarget("backend-time", maximumLength: 64) { input in
        let text = String(decoding: input, as: UTF8.self)
        _ = BackendTime.local(text)
        guard let time = BackendTime.read((try? JSONValue(parsing: input)) ?? .string(text)) else { return }
        let again = BackendTime.read(.string(BackendTime.text(time)))
        let isNear = again.map { abs($0 - time) < 0.001 } ?? false
        try require(isNear || !Timestamp.range.contains(time), "A time is read back: \(time)")
    }
}
