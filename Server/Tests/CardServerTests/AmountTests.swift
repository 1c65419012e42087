import CardModel
import Foundation
import Testing
import WireJSON

@testable import CardServer

@Suite("Amounts")
struct AmountTests {
    private func purchase(
        _ workspace: Workspace,
        _ price: JSONValue,
        _ currency: String = "USD",
        quantity: Int64 = 1
    ) -> JSONValue {
        [
            "id": .string(UUID().uuidString), "type": "purchase", "product_id": "tea", "currency": .string(currency),
            "price": price, "quantity": .integer(quantity), "at": .number(workspace.time.now),
        ]
    }

    private func launch(_ workspace: Workspace) async throws {
        let made = try await workspace.manage(
            .post,
            "/v1/campaigns",
            [
                "id": "sale", "name": "Sale", "variants": [["id": "a", "card": Workspace.classic]],
                "conversions": [["id": "buy", "on": ["purchase": true]]],
            ]
        )
        #expect(made.status == 201, "\(made.text)")
        _ = try await workspace.manage(.post, "/v1/campaigns/sale/launch")
        _ = try await workspace.sync("ann")
        workspace.time.advance(by: 60)
    }

    private func day(_ workspace: Workspace) async throws -> JSONValue? {
        try await workspace.backend("/campaigns/data_series?campaign_id=sale&length=1").json["data"]?.array?.first
    }

    @Test("Ten times 0.10 is one, in reports, series, exports, histories and audiences")
    func tenTimes() async throws {
        try await Workspace.run { workspace in
            try await launch(workspace)
            for _ in 0..<10 { _ = try await workspace.sync("ann", events: [purchase(workspace, 0.1)]) }

            let report = try await workspace.manage(.get, "/v1/campaigns/sale/report").json
            let conversion = report["variants"]?.array?.first?["conversions"]?.array?.first
            #expect(conversion?["amounts"]?.array?.first?["amount"] == 1)
            #expect(
                report["days"]?.array?.first?["conversions"]?.array?.first?["amounts"]?.array?.first?["amount"] == 1
            )
            #expect(try await day(workspace)?["revenue"] == 1)
            let user = try await workspace.manage(.get, "/v1/users/ann").json
            #expect(user["history"]?["purchases"]?.array?.first?["revenue"] == 1)
            let exported = try await workspace.backend("/users/export/ids", ["external_ids": ["ann"]]).json
            #expect(exported["users"]?.array?.first?["total_revenue"] == 1)
            let audience: JSONValue = [
                "purchase": [
                    "measure": "revenue", "currency": "USD", "comparison": "greater_than_or_equal_to", "value": 1,
                ]
            ]
            let reach = try await workspace.manage(.post, "/v1/audience/reach", ["audience": audience]).json
            #expect(reach["users"] == 1, "\(reach.text)")
        }
    }

    @Test("Currencies are never added: several are told one by one")
    func currencies() async throws {
        try await Workspace.run { workspace in
            try await launch(workspace)
            #expect(try await day(workspace)?["revenue"] == 0)
            #expect(try await day(workspace)?["revenue_by_currency"] == [:])
            _ = try await workspace.sync("ann", events: [purchase(workspace, 10)])
            #expect(try await day(workspace)?["revenue"] == 10)
            #expect(try await day(workspace)?["revenue_by_currency"] == ["USD": 10])
            _ = try await workspace.sync("ann", events: [purchase(workspace, 5_000, "JPY")])
            #expect(try await day(workspace)?["revenue"] == .null)
            #expect(try await day(workspace)?["revenue_by_currency"] == ["JPY": 5_000, "USD": 10])

            let exported = try await workspace.backend("/users/export/ids", ["external_ids": ["ann"]]).json
            let user = exported["users"]?.array?.first
            #expect(user?["total_revenue"] == nil)
            #expect(user?["revenue_by_currency"] == ["JPY": 5_000, "USD": 10])
        }
    }

    @Test("A price keeps nine decimals from the request to the export, and more are rounded")
    func prices() async throws {
        try await Workspace.run { workspace in
            let prices = ["123456789012.123456789", "0.000000001", "0.30000000000000004", "-2.50", "1000000000000"]
            for price in prices {
                let event = purchase(workspace, "PRICE").text.replacing("\"PRICE\"", with: price)
                let body = #"{"user_id":"ann","device_id":"d","events":[\#(event)]}"#
                let reply = try await workspace.send(.post, "/v1/events", raw: body, key: workspace.publishable)
                #expect(reply.json["events"]?["rejected"] == [], "\(reply.text)")
            }
            let expected = ["123456789012.123456789", "0.000000001", "0.3", "-2.5", "1000000000000"]
            let lines = try await workspace.backend("/v1/events/export?type=purchase").text.split(separator: "\n")
            #expect(lines.count == 5)
            for (line, price) in zip(lines, expected) { #expect(line.contains(#""price":\#(price),"#), "\(line)") }
            let rows = try await workspace.backend("/v1/events/export?type=purchase&format=csv").text
            for price in expected { #expect(rows.contains(",\(price),"), "\(rows)") }
            let user = try await workspace.manage(.get, "/v1/users/ann").text
            #expect(user.contains(#""revenue":1123456789009.92345679"#), "\(user)")
        }
    }

    @Test("A backend's price is rounded from its digits, however many there are, and as a device's is")
    func longPrices() async throws {
        try await Workspace.run { workspace in
            let prices = [
                "123456789012.1234567894": "123456789012.123456789", "123456789012.123456789": "123456789012.123456789",
                "8000000.1234567894999": "8000000.123456789", "0.0000000025000000000000000001": "0.000000003",
                "0.0000000025": "0.000000002", "0.10000000000000000000000000000000000001": "0.1",
                "999999999999.99999999949": "999999999999.999999999", "1.5e-9": "0.000000002",
                "-33.3333333333333333333333333333": "-33.333333333", "19.99": "19.99", "1980": "1980",
            ]
            for (index, (price, expected)) in prices.enumerated() {
                let user = "user \(index) "
                let purchase = #"{"product_id":"tea","currency":"USD","price":\#(price),"#
                let tracked = #"{"purchases":[\#(purchase)"external_id":"\#(user)b","time":"2027-01-15T08:00:00Z"}]}"#
                let reply = try await workspace.send(.post, "/users/track", raw: tracked, key: workspace.secret)
                #expect(reply.json["errors"] == nil, "\(reply.text)")
                let told = #"{"user_id":"\#(user)d","device_id":"d","events":[\#(purchase)"type":"purchase","#
                let end = #""id":"\#(UUID().uuidString)","at":\#(workspace.time.now)}]}"#
                _ = try await workspace.send(.post, "/v1/events", raw: told + end, key: workspace.publishable)
                let lines = try await workspace.backend("/v1/events/export?type=purchase").text.split(separator: "\n")
                let found = lines.filter { $0.contains(user) }
                #expect(found.count == 2 && found.allSatisfy { $0.contains(#""price":\#(expected),"#) }, "\(found)")
            }
        }
    }

    @Test("A currency is a code of ISO 4217 as it is written")
    func currencyLetters() async throws {
        try await Workspace.run { workspace in
            for currency in ["uſd", "uß", "US", "USDT", "U D", "ＵＳＤ", "1SD", "ABC", "qqq"] {
                let reply = try await workspace.sync("ann", events: [purchase(workspace, 1, currency)])
                let rejected = reply.json["events"]?["rejected"]?.array?.first
                #expect(rejected?["code"] == "field_invalid", "\(currency): \(reply.text)")
                let tracked: JSONValue = [
                    "external_id": "ann", "product_id": "tea", "currency": .string(currency), "price": 1,
                    "time": "2027-01-15T08:00:00Z",
                ]
                let answer = try await workspace.backend("/users/track", ["purchases": [tracked]])
                #expect(answer.text.contains("code of ISO 4217"), "\(currency): \(answer.text)")
            }
        }
    }

    @Test("A purchase that two conversions count is revenue once, by the first of them")
    func revenueOnce() async throws {
        try await Workspace.run { workspace in
            let conversions: JSONValue = [
                ["id": "open", "on": ["session_start": true]], ["id": "tea", "on": ["purchase": "tea"]],
                ["id": "buy", "on": ["purchase": true]],
            ]
            let campaign: JSONValue = [
                "id": "sale", "name": "Sale", "variants": [["id": "a", "card": Workspace.classic]],
                "conversions": conversions,
            ]
            #expect(try await workspace.manage(.post, "/v1/campaigns", campaign).status == 201)
            _ = try await workspace.manage(.post, "/v1/campaigns/sale/launch")
            _ = try await workspace.sync("ann")
            workspace.time.advance(by: 60)
            _ = try await workspace.sync("ann", events: [purchase(workspace, 10), purchase(workspace, 0.5)])

            #expect(try await day(workspace)?["revenue"] == 10.5)
            #expect(try await day(workspace)?["revenue_by_currency"] == ["USD": 10.5])
            #expect(try await day(workspace)?["conversions1"] == 1)
            #expect(try await day(workspace)?["conversions2"] == 1)
        }
    }

    @Test(
        "A price beyond a million millions is refused, by devices and backends",
        arguments: ["1000000000000.01", "-1e13", "1e300"]
    )
    func limit(_ price: String) async throws {
        try await Workspace.run { workspace in
            let event = purchase(workspace, "PRICE").text.replacing("\"PRICE\"", with: price)
            let body = #"{"user_id":"ann","device_id":"d","events":[\#(event)]}"#
            let reply = try await workspace.send(.post, "/v1/events", raw: body, key: workspace.publishable).json
            #expect(reply["events"]?["rejected"]?.array?.first?["code"] == "field_invalid")
            let tracked = try await workspace.backend(
                "/users/track",
                [
                    "purchases": [
                        [
                            "external_id": "ann", "product_id": "tea", "currency": "USD",
                            "time": "2027-01-15T08:00:00Z",
                            "price": try JSONValue(parsing: price),
                        ]
                    ]
                ]
            )
            #expect(tracked.text.contains("from -1000000000000 to 1000000000000"), "\(tracked.text)")
        }
    }
}
