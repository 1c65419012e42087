import Testing

@testable import CardServer

@Suite("A system that has nothing left for connections")
struct ShortageTests {
    @Test("is told of once, and that it is over when nothing has failed for a while")
    func told() {
        var shortage = Shortage()
        let before = shortage.recovery(at: 0)
        #expect(before == nil)
        let told = [1, 2, 9].map { shortage.began(at: $0) }
        #expect(told == [true, false, false])
        let ends = [18.9, 19, 30].map { shortage.recovery(at: $0) }
        #expect(ends == [nil, 8, nil])
        let again = shortage.began(at: 31)
        #expect(again)
    }
}
