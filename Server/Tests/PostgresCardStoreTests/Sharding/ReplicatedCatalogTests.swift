import Testing

@testable import ShardedCardStore

@Suite("Sharded: the catalog that all databases are known to have")
struct ReplicatedCatalogTests {
    private let catalog = ReplicatedCatalog()

    private func moment(_ generation: Int64, _ history: UInt64 = 1) -> CatalogMoment {
        CatalogMoment(generation: generation, history: history)
    }

    private func note(_ moment: CatalogMoment, isComplete: Bool = true) -> Bool {
        catalog.note(moment) { isComplete }
    }

    private func admit(_ moment: CatalogMoment, isOpen: Bool = true) -> Bool? {
        catalog.admitting(moment) { isOpen }
    }

    @Test func `It is the newest one that was noted, and an earlier one is had with it`() {
        #expect(!catalog.has(moment(0)))
        #expect(note(moment(5)))
        #expect(note(moment(3)))
        #expect(catalog.has(moment(5)) && catalog.has(moment(3)) && !catalog.has(moment(6)))
        catalog.forget()
        #expect(!catalog.has(moment(3)))
    }

    @Test func `Nothing is noted where a database was opened in the meantime`() {
        #expect(!note(moment(5), isComplete: false))
        #expect(!catalog.has(moment(5)))
    }

    @Test func `A generation of another history says nothing, whether it is smaller or larger`() {
        #expect(note(moment(5)))
        for generation: Int64 in [4, 5, 6] { #expect(!catalog.has(moment(generation, 2))) }
        #expect(note(moment(2, 2)))
        #expect(catalog.has(moment(2, 2)) && !catalog.has(moment(1)))
    }

    @Test func `A database with an older catalog isn't added, and one of another history only with the next look`() {
        #expect(note(moment(5)))
        #expect(admit(moment(4)) == nil)
        #expect(admit(moment(5)) == true)
        #expect(admit(moment(5), isOpen: false) == false)
        #expect(admit(moment(9, 2)) == nil)
        // From here on others get it as well.
        #expect(!catalog.has(moment(5)))
        #expect(admit(moment(9, 2)) == true)
    }
}
