import Foundation
import Testing

@testable import BrowserUIKit

@Suite("Delays")
struct DelayTests {
    @Test("A delay is at least none and at most a day, whatever the app asks for")
    func bounds() {
        #expect(Delay.nanoseconds(of: 0.25) == 250_000_000)
        #expect([0, -1, -.infinity, .nan].map(Delay.nanoseconds(of:)) == [0, 0, 0, 0])
        #expect(Delay.nanoseconds(of: .infinity) == 86_400_000_000_000)
        #expect(Delay.nanoseconds(of: 1e300) == Delay.nanoseconds(of: Delay.longest))
    }
}
