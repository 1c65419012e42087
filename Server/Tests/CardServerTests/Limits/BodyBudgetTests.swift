import CardModel
import Testing

@testable import CardServer

@Suite("Room for bodies")
struct BodyBudgetTests {
    private func client(_ number: UInt8) throws -> ClientKey {
        ClientKey(try #require(IPAddress("192.0.2.\(number)")))
    }

    @Test("A few addresses that hold what they get leave room for others", arguments: [1, 5, 40])
    func holders(_ count: UInt8) throws {
        let budget = BodyBudget(total: 64 << 20, perAddress: 16 << 20)
        for _ in 0..<2_000 {
            for number in 1...count { try? budget.take(64 << 10, for: client(number)) }
        }
        let holder = try client(1)
        #expect(throws: BodyBudget.BodyError.self) { try budget.take(1 << 20, for: holder) }
        let stranger = try client(200)
        try budget.take(1 << 20, for: stranger)
        budget.giveBack(1 << 20, of: stranger)
        try budget.take(1 << 20, for: nil)
    }

    @Test("What is given back can be taken again, up to the bound of an address")
    func bounds() throws {
        let budget = BodyBudget(total: 100, perAddress: 30)
        let first = try client(1)
        try budget.take(30, for: first)
        #expect(throws: BodyBudget.BodyError.address) { try budget.take(1, for: first) }
        budget.giveBack(30, of: first)
        #expect(budget.used == 0)
        try budget.take(30, for: first)
        try budget.take(70, for: nil)
        let other = try client(2)
        #expect(throws: BodyBudget.BodyError.full) { try budget.take(1, for: other) }
    }

    @Test("Of bodies that don't fit beside each other, the first has room to its end, and others have it afterwards")
    func reserved() throws {
        let budget = BodyBudget(total: 64 << 20, perAddress: 16 << 20)
        let size = 9_300_000
        let sender = try client(1)
        try budget.reserve(size, for: sender)
        #expect(throws: BodyBudget.BodyError.address) { try budget.reserve(size, for: sender) }
        for _ in 0..<10 { try budget.take(size / 10, for: sender, isReserved: true) }
        #expect(budget.used == size)
        budget.giveBack(size, reserved: size, of: sender)
        #expect(budget.used == 0)
        try budget.reserve(16 << 20, for: sender)
    }

    @Test("Whoever announces bodies and sends none takes nothing from other addresses, and gives all back")
    func announced() throws {
        let budget = BodyBudget(total: 40, perAddress: 30)
        for number in 1...9 { try budget.reserve(30, for: client(UInt8(number))) }
        #expect(budget.used == 0)
        let stranger = try client(200)
        try budget.take(20, for: stranger)
        let first = try client(1)
        #expect(throws: BodyBudget.BodyError.address) { try budget.take(1, for: first) }
        budget.giveBack(0, reserved: 30, of: first)
        try budget.take(20, for: first)
    }
}
