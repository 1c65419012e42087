import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("Codes for tests")
struct TestCodeTests {
    private let bed = TestBed()

    private func answer(_ body: String, status: Int = 201) {
        bed.transport.answer("v1/test-codes") { _ in .json(body, status: status) }
    }

    @Test("are asked for the user and the device, and end on the device's clock")
    func asks() async throws {
        answer(#"{"code":"KM4T-9XWD","expires_in":600,"expires_at":1}"#)
        let client = bed.launch()
        await client.identify("anna", token: "jwt")
        let code = try await client.testCode()
        #expect(code == .init(text: "KM4T-9XWD", expiresAt: bed.clock.now + 600))
        let request = try #require(bed.transport.requests(to: "v1/test-codes").first)
        #expect(request.method == "POST" && request.headers["Placard-User-Token"] == "jwt")
        let body = try JSONSerialization.jsonObject(with: request.body ?? Data()) as? [String: String]
        #expect(body == ["user_id": "anna", "device_id": client.core.feed.device.deviceID])
    }

    @Test(
        "of a user that the server doesn't know are asked for again after a sync",
        arguments: ["user_unknown", "token_expired"]
    )
    func unknown(_ reason: String) async throws {
        bed.serve([])
        bed.transport.answer("v1/test-codes") { [transport = bed.transport] _ in
            transport.requests(to: "v1/sync").isEmpty
                ? .json(#"{"error":{"code":"\#(reason)","message":"m"}}"#, status: reason == "user_unknown" ? 404 : 401)
                : .json(#"{"code":"KM4T-9XWD","expires_in":600}"#, status: 201)
        }
        let client = bed.launch()
        await client.identify("anna")
        #expect(try await client.testCode().text == "KM4T-9XWD")
        #expect(bed.transport.requests(to: "v1/test-codes").count == 2)
    }

    @Test("are refused for nobody, and with what the server says")
    func refusals() async throws {
        let client = bed.launch()
        let nobody = await #expect(throws: ContentCardsError.self) { try await client.testCode() }
        #expect(nobody?.code == .noUser && bed.transport.requests(to: "v1/test-codes").isEmpty)
        await client.identify("anna")
        answer(#"{"error":{"code":"too_many_codes","message":"m"}}"#, status: 429)
        let many = await #expect(throws: ContentCardsError.self) { try await client.testCode() }
        #expect(many?.code == .rateLimited && many?.serverCode == "too_many_codes")
    }

    @Test("are asked for no more than the server said, and too many of them keep nothing else from being asked for")
    func rests() async throws {
        bed.serve([])
        let client = bed.launch()
        await client.identify("anna")
        bed.transport.answer("v1/test-codes") { _ in .failure(429, code: "too_many_codes", retryAfter: "60") }
        await #expect(throws: ContentCardsError.self) { try await client.testCode() }
        try await client.refresh()
        bed.transport.answer("v1/test-codes") { _ in .failure(429, code: "rate_limited", retryAfter: "60") }
        await #expect(throws: ContentCardsError.self) { try await client.testCode() }
        let before = bed.transport.requests.count
        for _ in 0..<2 {
            let again = await #expect(throws: ContentCardsError.self) { try await client.testCode() }
            #expect(again?.code == .rateLimited)
        }
        let refused = await #expect(throws: ContentCardsError.self) { try await client.refresh() }
        #expect(refused?.code == .rateLimited)
        #expect(bed.transport.requests.count == before)
    }

    @Test(
        "are not taken from an answer that can't be one",
        arguments: [
            "{}", #"{"code":"","expires_in":600}"#, #"{"code":"K","expires_in":0}"#,
            #"{"code":"K","expires_in":1e300}"#,
            #"{"code":"K"}"#, "",
        ]
    )
    func wrong(_ body: String) async throws {
        answer(body)
        let client = bed.launch()
        await client.identify("anna")
        let error = await #expect(throws: ContentCardsError.self) { try await client.testCode() }
        #expect(error?.code == .invalidReply)
    }
}
