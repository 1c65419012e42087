import Foundation
import Testing

@testable import CardModel

struct Base64URLTests {
    @Test func `Every value has one text`() {
        for length in 0..<70 {
            let value = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ length) }
            let text = Data(value).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
            #expect(Base64URL.decode(text.utf8) == value)
        }
        for last in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" {
            #expect((Base64URL.decode("A\(last)".utf8) != nil) == "AQgw".contains(last), "\(last)")
            #expect((Base64URL.decode("AA\(last)".utf8) != nil) == "AEIMQUYcgkosw048".contains(last), "\(last)")
        }
    }

    @Test(arguments: ["A", "AAAAA", "AA==", "AA=", "+/+/", "AA AA", "AAAA\n", "ÀAAA", "AA.A"])
    func `Anything else is no text of a value`(_ text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }
}
