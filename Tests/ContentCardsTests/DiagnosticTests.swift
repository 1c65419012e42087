import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

@Suite("Diagnostics", .timeLimit(.minutes(20)))
struct DiagnosticTests {
    private struct Offer: CardContent {
        static let classType = ContentCardClassType(rawValue: "offer")
        var percentage: Int
    }

    @Test("quote no text that a user was sent in the log, which names the card and the field; the app is told all")
    func quotes() async throws {
        let bed = TestBed()
        bed.serve([.fixture("bad") { $0.extras = ["class_type": "offer", "percentage": "for Ann Smith"] }])
        let reports = Collected<Diagnostic>()
        let client = bed.launch { $0.log = { reports.add($0) } }
        await client.identify("ann")
        let feed = try #require(await client.updates.first { $0.count == 1 })
        #expect(feed.objects(Offer.self).isEmpty)
        let report = try #require(reports.all.first { $0.privateDetail != nil })
        #expect(report.description == "The card bad is no offer (percentage).")
        #expect(report.privateDetail?.contains("Ann Smith") == true)
        await client.close()
    }

    @Test("name neither the user nor the token nor the endpoint, whatever goes wrong")
    func secrets() async throws {
        let bed = TestBed()
        bed.transport.answer("v1/sync") { _ in TransportResponse(status: 401, body: Data()) }
        let reports = Collected<Diagnostic>()
        let client = bed.launch { $0.log = { reports.add($0) } }
        await client.identify("ann-smith", token: "secret-token")
        try? await client.refresh()
        client.logEvent(String(repeating: "ann-smith ", count: 2_000))
        await client.identify("ann-smith\u{202E}")
        #expect(!reports.all.isEmpty)
        let lines = reports.all.map(\.description) + [Diagnostic.invalidEndpoint("ftp://secret-token@host").description]
        for line in lines { #expect(!line.contains("ann-smith") && !line.contains("secret-token"), "\(line)") }
        await client.close()
    }

    @Test("name a clicked card that is to open inside the app and has no address of the web, which opens all the same")
    func webView() async throws {
        let bed = TestBed()
        let addresses = ["app": "shop://item/1", "page": "HTTPS://shop.example", "none": " "]
        let cards = addresses.map { id, address in
            ContentCard.fixture(id) {
                $0.urlString = address
                $0.opensInWebView = true
            }
        }
        bed.serve(cards + [.fixture("outside") { $0.urlString = "shop://item/2" }])
        let reports = Collected<Diagnostic>()
        let client = bed.launch { $0.log = { reports.add($0) } }
        await client.identify("ann")
        _ = try #require(await client.updates.first { $0.count == 4 })
        for id in ["app", "page", "outside"] { #expect(client.logClick(cardID: id)) }
        #expect(client.logClick(cardID: "none", customAction: true))
        let named = reports.all.filter { if case .webViewImpossible = $0 { true } else { false } }
        #expect(named == [.webViewImpossible(cardID: "app")])
        #expect(named.first?.description.hasPrefix("The card app can't open inside the app") == true)
        await client.close()
    }

    @Test("go to every listener, and a slow one finds the newest hundred")
    func listeners() async {
        let log = DiagnosticLog { _ in }
        let (one, other) = (log.stream(), log.stream())
        for count in 1...150 { log.report(.cardsSkipped(count: count)) }
        log.finish()
        for stream in [one, other] {
            var counts: [Int] = []
            for await case .cardsSkipped(let count) in stream { counts.append(count) }
            #expect(counts == Array(51...150))
        }
        #expect(await log.stream().first { _ in true } == nil)
    }
}
