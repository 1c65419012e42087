import ContentCardsTesting
import Foundation
import Testing

@testable import ContentCards

/// A menu whose items hold menus, as an app decodes from an extra in JSON.
private final class MenuItem: Decodable, Sendable {
    let title: String
    let next: MenuItem?
    let children: [MenuItem]?
}

private struct Menu: CardContent {
    static let classType = ContentCardClassType(rawValue: "menu")

    let root: MenuItem?
    let count: Int
}

/// A content that may hold another one of its kind.
private final class Chain: CardContent {
    static let classType = ContentCardClassType(rawValue: "chain")

    let name: String
    let rest: Chain?
}

private struct Numbers: Decodable {
    var small: Float?
    var large: Double?
    var byte: UInt8?
    var whole: Int?
    var exact: Decimal?
    var at: Date?
    var list: [Int]?
}

@Suite("Contents with extreme extras")
struct ExtremeContentTests {
    private func numbers(_ extras: [String: String]) throws -> Numbers {
        try ExtrasDecoder.decode(Numbers.self, from: .fixture { $0.extras = extras })
    }

    @Test("describe themselves where their types hold optional values of the same type")
    func recursion() {
        #expect(Menu.schema.fields == [.init("root", .json, isRequired: false), .init("count", .integer)])
        #expect(Chain.schema.fields == [.init("name", .string), .init("rest", .json, isRequired: false)])
    }

    @Test("decode values of their own type to any depth that JSON may have")
    func nesting() throws {
        let root = #"{"title":"a","next":{"title":"b","children":[{"title":"c"}]}}"#
        let menu = try ExtrasDecoder.decode(Menu.self, from: .fixture { $0.extras = ["root": root, "count": "1"] })
        #expect(menu.root?.next?.children?.first?.title == "c" && menu.root?.next?.next == nil)
        let start = String(repeating: #"{"title":"a","next":"#, count: 5_000)
        let end = String(repeating: "}", count: 5_000)
        let deep = start + "null" + end
        #expect(throws: ContentError.self) {
            try ExtrasDecoder.decode(Menu.self, from: .fixture { $0.extras = ["root": deep, "count": "1"] })
        }
    }

    @Test(
        "hold no numbers that their types have no room for",
        arguments: [
            ("small", "1e39"), ("small", "-1e300"), ("small", "1e999"), ("large", "1e999"), ("large", "inf"),
            ("large", "nan"), ("byte", "256"), ("byte", "-1"), ("byte", "1e2.5"), ("whole", "9223372036854775808"),
            ("whole", "1e19"), ("whole", "0.5"), ("whole", "0x1"), ("whole", "１"), ("at", "1e999"), ("list", "1,x"),
        ]
    )
    func overflow(name: String, text: String) {
        let error = #expect(throws: ContentError.self) { try numbers([name: text]) }
        #expect(error?.field == name)
    }

    @Test("hold the largest and smallest numbers of their types, also in the notation of floating point")
    func limits() throws {
        #expect(try numbers(["small": "3.4e38"]).small == 3.4e38)
        #expect(try numbers(["small": "1e-60"]).small == 0)
        #expect(try numbers(["large": "-1.7e308"]).large == -1.7e308)
        #expect(try numbers(["byte": "2.55e2"]).byte == 255)
        #expect(try numbers(["whole": "-9223372036854775808"]).whole == Int.min)
        #expect(try numbers(["whole": "9223372036854775807"]).whole == Int.max)
        #expect(try numbers(["whole": "+7"]).whole == 7)
        #expect(try numbers(["exact": "-0.1"]).exact == Decimal(string: "-0.1"))
    }

    @Test("quote no more than eighty characters of what is wrong in them")
    func quotes() throws {
        let long = String(repeating: "ü", count: 10_000)
        let error = try #require(throws: ContentError.self) { try numbers(["whole": long]) }
        #expect(error.message.contains(String(repeating: "ü", count: 80)))
        #expect(!error.message.contains(String(repeating: "ü", count: 81)))
    }

    @Test("read a list as JSON or with commas, and are wrong where it is neither")
    func lists() throws {
        #expect(try numbers(["list": " [1, 2] "]).list == [1, 2])
        #expect(try numbers(["list": "[]"]).list == [])
        #expect(try numbers(["list": " "]).list == nil)
        for text in ["[1,", "[1] 2", #"{"0":1}"#] {
            #expect(throws: ContentError.self, "\(text)") { try numbers(["list": text]) }
        }
    }

    @Test("are wrong by the name of the extra, also where a member of its JSON is")
    func members() {
        for root in [#"{"title":7}"#, #"{"next":null}"#, #"{"title":"a","children":[{}]}"#, "[]", "7"] {
            let card = ContentCard.fixture { $0.extras = ["root": root, "count": "1"] }
            let error = #expect(throws: ContentError.self) { try ExtrasDecoder.decode(Menu.self, from: card) }
            #expect(error?.field == "root", "\(root)")
            #expect(error?.message != "The extra is missing.", "\(root)")
        }
    }

    @Test("prefer the extra with the very name of the property to the one in snake case")
    func names() throws {
        struct Price: Decodable {
            var salePrice: Int
        }
        let card = ContentCard.fixture { $0.extras = ["salePrice": "1", "sale_price": "2"] }
        #expect(try ExtrasDecoder.decode(Price.self, from: card).salePrice == 1)
        let snake = ContentCard.fixture { $0.extras = ["sale_price": "2", "SALE_PRICE": "3"] }
        #expect(try ExtrasDecoder.decode(Price.self, from: snake).salePrice == 2)
        let error = #expect(throws: ContentError.self) { try ExtrasDecoder.decode(Price.self, from: .fixture()) }
        #expect(error == ContentError(field: "sale_price", message: "The extra is missing."))
    }
}
