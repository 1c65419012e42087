/// The reason why a service doesn't do what a page asks for, as the management API says the same over HTTP.
package struct ServiceError: Error, Sendable {
    /// The HTTP status.
    package let status: Int
    /// The code that stays the same.
    package let code: String
    /// The message that says what is wrong and what to do.
    package let message: String
    /// The field that is wrong, such as `variants[0].card.title`, or empty.
    package let path: String
    /// The seconds after which to try again, or `nil` where that isn't said.
    package let retryAfter: Int?

    /// Asks a service for something, and returns its answer.
    ///
    /// - Throws: `ServiceError`, whatever the service throws.
    package static func catching<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw Self(RequestError(error))
        }
    }

    /// Creates the refusal of something that is not shown.
    package init(notShown message: String) {
        self.init(RequestError(.unprocessableContent, "not_shown", message))
    }

    /// Creates the refusal of a request that can't be read, or `nil` for another error.
    package init?(ofUnreadRequest error: any Error) {
        guard let error = error as? any RequestRefusing else { return nil }
        self.init(error.refusal)
    }

    init(_ error: RequestError) {
        retryAfter = error.retryAfter
        status = error.status.code
        code = error.code
        message = error.message
        path = error.details.first { $0.name == "path" }?.value.string ?? ""
    }
}
