import CardModel
import CardStore
import HTTPTypes
import Hummingbird
import WireJSON

/// `POST /v1/test-codes`: a code for an app to show, by which a member sends a test to its device.
struct TestCodeController: Sendable {
    /// Two devices hardly ever have the same code by chance, and never so often.
    private static let attempts = 4

    let services: Services

    @Sendable func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let key = try context.requireCaller()
        let snapshot = services.catalog.current
        let limits = snapshot.settings.deviceLimits
        try take(.key, key.id, limits)
        let (user, device) = try Self.names(try await request.readRequiredObject())
        let now = services.clock()
        try snapshot.tokens.verify(request.headers[.placardUserToken], for: user, at: now)
        // Only now is it known that the request may speak for the user: nobody can use up what is another's.
        try take(.user, user.rawValue, limits)
        let holder = TestCodeHolder(user: user, device: device, client: context.clientKey?.text)
        let code = try await code(for: holder, at: now)
        return Response(
            json: [
                "code": .string(code.description), "expires_in": .number(TestCode.lifetime),
                "expires_at": .number(now + TestCode.lifetime),
            ],
            status: .created
        )
    }

    private func code(for holder: TestCodeHolder, at now: UnixTime) async throws -> TestCode {
        for _ in 0..<Self.attempts {
            let code = services.makeTestCode()
            switch try await services.store.insertTestCode(code, of: holder, at: now) {
            case .saved: return code
            case .taken: continue
            case .userUnknown: throw RequestError.unknownUser
            case .tooMany(let wait): throw RequestError.tooManyCodes(wait)
            }
        }
        throw RequestError.unavailable
    }

    private func take(
        _ kind: DeviceLimiter.DeviceRequestKind,
        _ name: String,
        _ limits: DeviceLimits
    ) throws(RequestError) {
        do {
            try services.deviceLimiter.take(kind, of: name, limits)
        } catch {
            throw RequestError(error)
        }
    }

    /// The user and the device of a body; fields of later versions are let pass, as in a sync.
    private static func names(_ body: JSONValue) throws -> (user: UserID, device: String) {
        guard let user = try body.optional("user_id", expected: Expected.text, \.string) else {
            throw RequestError.fieldMissing("user_id")
        }
        guard let device = try body.optional("device_id", expected: Expected.text, \.string) else {
            throw RequestError.fieldMissing("device_id")
        }
        guard let user = UserID(checking: user) else { throw RequestError.userInvalid }
        guard UserID(checking: device) != nil else {
            throw RequestError.fieldInvalid("device_id", expected: Expected.identity)
        }
        return (user, device)
    }
}

extension RequestError {
    fileprivate static let unknownUser = RequestError(
        .notFound,
        "user_unknown",
        "There is no such user. A user is created by the first sync."
    )

    fileprivate static func tooManyCodes(_ wait: Double) -> RequestError {
        RequestError(
            .tooManyRequests,
            "too_many_codes",
            "There are too many codes for tests. Wait as long as Retry-After says.",
            retryAfter: max(1, Int(saturating: wait.rounded(.up)))
        )
    }
}
