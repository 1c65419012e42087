import ContentCardsUI
import Testing

@testable import ContentCardsABK

@MainActor
@Suite("Documented cells")
struct DocumentedCellTests {
    @Test("have the reuse identifiers of the documents, and each a class of its own")
    func identifiers() {
        let cells = CardCellIdentifier.allCases.map { $0.documented }
        let names = [
            "ABKControlCardCell", "ABKBannerContentCardCell", "ABKCaptionedImageContentCardCell",
            "ABKClassicImageCardCell", "ABKClassicCardCell",
        ]
        #expect(cells.map(\.reuseIdentifier) == names)
        #expect(Set(cells.map { ObjectIdentifier($0.cellClass) }).count == cells.count)
    }
}
