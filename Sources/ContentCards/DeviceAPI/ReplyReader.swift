import Foundation

/// Reads answers of the device API.
enum ReplyReader {
    /// Decodes the body of a success, or throws what the answer says went wrong.
    static func read<Reply: Decodable>(
        _ response: TransportResponse,
        as type: Reply.Type,
        at now: Date
    ) throws(RequestFailure) -> Reply {
        try check(response, at: now)
        do {
            return try JSONDecoder().decode(type, from: response.body)
        } catch {
            throw .invalidReply
        }
    }

    /// Throws if the answer is no success.
    static func check(_ response: TransportResponse, at now: Date) throws(RequestFailure) {
        guard !(200..<300).contains(response.status) else { return }
        let error = try? JSONDecoder().decode(ErrorReply.self, from: response.body).error
        throw .status(
            response.status,
            code: error?.code,
            message: error?.message,
            retryAfter: RetryAfter.seconds(response.headers["retry-after"], date: response.headers["date"], at: now)
        )
    }
}
