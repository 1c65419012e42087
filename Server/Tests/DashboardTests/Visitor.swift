import CardModel
import CardServer
import CardStore
import Foundation
import HTTPTypes
import Hummingbird
import LiveTesting
import NIOCore
import SQLiteCardStore
import SQLiteTesting
import Synchronization
import Testing

@testable import Dashboard

/// A server with its dashboard over a new database, and a clock that tests set.
struct Workplace: Sendable {
    static let setupCode = "the-code-of-the-log"
    static let password = "correct horse battery"

    let client: LiveClient
    let store: SQLiteCardStore
    let time: TestTime
    /// What the server has logged.
    let log: RecordedLog
    /// The messages that were sent, where there is a mail server.
    let mail: MailRecorder
    /// Every page and form of the dashboard, such as `GET /dashboard/keys`.
    var routes: [String] { shownRoutes.list }
    private let shownRoutes: ShownRoutes

    static func run(
        in catalogs: [TextCatalog] = TextCatalog.all,
        mail sendsMail: Bool = false,
        openID: OpenIDSettings? = nil,
        change: (inout PlacardServer.Options) -> Void = { _ in },
        _ body: @escaping @Sendable (Workplace) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let time = TestTime(1_800_000_000)
        var storeOptions = SQLiteCardStore.Options()
        storeOptions.now = { time.now }
        let path = folder.appending(path: "placard.sqlite").path
        try await PreparedDatabase.put(at: path)
        let store = try SQLiteCardStore(path: path, options: storeOptions)
        var options = PlacardServer.Options()
        options.port = 0
        options.trustedProxies = TrustedProxies(ranges: try AddressRange.list("127.0.0.0/8, ::1"))
        options.clock = { time.now }
        // However busy the machine is.
        options.limits.headSeconds = 300
        options.limits.bodySeconds = 300
        options.limits.writeSeconds = 300
        let mail = try MailRecorder()
        if sendsMail {
            options.publicURL = "https://cards.example.com/"
            options.mail = MailSettings(host: "mail.example.com", sender: mail.sender)
            options.mailDelivery = mail
        }
        if let openID {
            options.publicURL = "https://cards.example.com/"
            options.openID = openID
        }
        change(&options)
        let log = RecordedLog()
        let routes = ShownRoutes()
        let server = try await PlacardServer(
            store: store,
            options: options,
            logger: log.logger(.notice),
            surfaces: [
                { inside in
                    let dashboard = Dashboard(
                        inside,
                        setupCode: setupCode,
                        catalogs: catalogs,
                        passwordCost: TestPassword.cost
                    )
                    routes.keep(dashboard.routes)
                    return dashboard
                }
            ]
        )
        try await LiveClient.run(server.application()) { client in
            let place = Workplace(
                client: client,
                store: store,
                time: time,
                log: log,
                mail: mail,
                shownRoutes: routes
            )
            try await body(place)
        }
        try await store.close()
    }

    /// Makes an administrator who isn't signed in.
    func insertAdmin() async throws {
        let member = TeamMember(
            email: "admin@example.com",
            role: .admin,
            passwordHash: try TestPassword.hash,
            createdAt: time.now
        )
        try await store.insertMember(member, by: .command)
    }

    /// Makes a member and signs them in.
    func member(_ role: Role, email: String? = nil) async throws -> Visitor {
        let email = email ?? "\(role.rawValue)@example.com"
        let member = TeamMember(
            email: email,
            role: role,
            passwordHash: try TestPassword.hash,
            createdAt: time.now
        )
        try await store.insertMember(member, by: .command)
        let visitor = Visitor(client: client)
        let answer = try await visitor.signIn(email)
        guard answer.status == 303 else { throw UnexpectedPage(answer: answer) }
        return visitor
    }

    /// Gives a member a second factor, as its form does but without the slow hashes of recovery codes.
    func addFactor(to email: String, keeping visitor: Visitor) async throws -> TimeBasedCode {
        guard var member = try await store.member(email) else { throw DashboardError.notFound }
        let codes = TimeBasedCode(secret: Array(repeating: 7, count: 20))
        member.codeSecret = codes.secret
        let hash = visitor.cookie("placard_session").flatMap(SecretBytes.bytes).map(SecretBytes.hash)
        try await store.updateMember(member, action: "member.factor-on", keeping: hash, at: time.now, by: .command)
        return codes
    }

    func audit() async throws -> [String] { try await store.latestAuditEntries(before: nil, limit: 100).map(\.action) }
}

/// One cheap hash for all tests.
enum TestPassword {
    /// Cheap, so that the tests of a slow machine don't wait for each other's hashes.
    static let cost = PasswordCost(rounds: 1_024, recoveryExponent: 4)

    static var hash: String { get throws { try made.get() } }
    private static let made = Result { try PasswordHash.make(Workplace.password, rounds: cost.rounds) }
}

/// The routes of a dashboard, which is made when its server starts.
final class ShownRoutes: Sendable {
    private let kept = Mutex<[String]>([])

    var list: [String] { kept.withLock { $0 } }

    func keep(_ routes: [String]) { kept.withLock { $0 = routes } }
}

/// A clock that stands still until it is moved.
final class TestTime: Sendable {
    private let moment: Mutex<UnixTime>

    init(_ start: UnixTime) { moment = Mutex(start) }

    var now: UnixTime { moment.withLock { $0 } }

    func advance(by seconds: Double) { moment.withLock { $0 += seconds } }
}

/// A browser: it keeps cookies and sends the forms that it was shown.
final class Visitor: Sendable {
    struct Page: Sendable {
        let status: Int
        let headers: HTTPFields
        let text: String

        var location: String? { headers[.location] }
        /// The form token of the page.
        var token: String? { text.firstMatch(of: /name="csrf" value="([^"]+)"/).map { String($0.1) } }
    }

    private let client: LiveClient
    private let cookies = Mutex<[String: String]>([:])
    /// The address as a proxy tells it, and whether the browser speaks HTTPS with the proxy.
    private let address: String
    private let isSecure: Bool
    /// From where the browser says that it sends.
    private let site: String?
    /// The languages that the browser prefers, as its header has them.
    private let languages: String?

    init(
        client: LiveClient,
        address: String = "192.0.2.1",
        isSecure: Bool = false,
        site: String? = nil,
        languages: String? = nil
    ) {
        self.site = site
        self.languages = languages
        self.client = client
        self.address = address
        self.isSecure = isSecure
    }

    func get(_ path: String) async throws -> Page { try await send(.get, path, nil) }

    /// Sends a form with the token of a page.
    func post(_ path: String, from page: String, _ fields: [String: String] = [:]) async throws -> Page {
        var fields = fields
        fields["csrf"] = try await get(page).token
        return try await post(path, fields)
    }

    /// Sends a form as it is.
    func post(_ path: String, _ fields: [String: String]) async throws -> Page {
        let body = fields.map { "\(Self.escape($0.key))=\(Self.escape($0.value))" }.joined(separator: "&")
        return try await send(.post, path, body)
    }

    func signIn(_ email: String, password: String = Workplace.password) async throws -> Page {
        try await post(
            "/dashboard/sign-in",
            from: "/dashboard/sign-in",
            ["email": email, "password": password, "next": "/dashboard"]
        )
    }

    func cookie(_ name: String) -> String? { cookies.withLock { $0[name] } }

    func setCookie(_ name: String, _ value: String?) { cookies.withLock { $0[name] = value } }

    /// The `Cookie` header of its requests.
    var cookieHeader: String {
        cookies.withLock { $0.map { "\($0.key)=\($0.value)" }.joined(separator: "; ") }
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String?,
        _ others: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    ) async throws -> Page {
        var headers: HTTPFields = body == nil ? [:] : others
        headers[.cookie] = cookieHeader
        headers[.forwardedFor] = address
        headers[.secFetchSite] = site
        headers[.acceptLanguage] = languages
        headers[.forwardedProto] = isSecure ? "https" : "http"
        let page = try await client.execute(
            uri: path,
            method: method,
            headers: headers,
            body: body.map { ByteBuffer(string: $0) }
        ) { Page(status: $0.status.code, headers: $0.headers, text: String(buffer: $0.body)) }
        for header in page.headers[values: .setCookie] {
            guard let pair = header.split(separator: ";").first?.split(separator: "=", maxSplits: 1), pair.count == 2
            else {
                continue
            }
            setCookie(String(pair[0]), String(pair[1]))
        }
        return page
    }

    private static func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}

extension HTTPField.Name {
    fileprivate static let forwardedFor = checked("X-Forwarded-For")
    fileprivate static let forwardedProto = checked("X-Forwarded-Proto")
}

/// A page that a test's preparations did not expect.
struct UnexpectedPage: Error, CustomStringConvertible {
    let answer: Visitor.Page

    var description: String { "\(answer.status) \(answer.text)" }
}
