import CardStore
import Foundation
import Testing

@Suite("Folded texts")
struct FoldedTextTests {
    @Test(
        "Case, accents and width are left out",
        arguments: [
            ("André", "andre"), ("Andre\u{301}", "andre"), ("GROẞ", "gross"), ("Groß", "gross"), ("İpek", "ipek"),
            ("Łukasz", "lukasz"), ("Sørensen", "sorensen"), ("ΑΘΗΝΑΣ", "αθηνασ"), ("Ａｎｎａ　１", "anna 1"), ("ｱﾝﾅ", "あんな"),
            ("アンナ", "あんな"), ("佐\u{E0100}藤", "佐藤"), ("\u{301}", ""), ("Ħamrun", "hamrun"), ("ØŁĐ", "old"),
        ]
    )
    func folding(text: String, folded: String) {
        #expect(FoldedText.folded(text).utf8.elementsEqual(folded.utf8))
    }

    @Test(
        "Marks that make another letter stay",
        arguments: [("ｶﾞ", "が"), ("か\u{3099}", "が"), ("각", "각"), ("가", "가"), ("สมชาย", "สมชาย"), ("हिन्दी", "हिन्दी")]
    )
    func letters(text: String, folded: String) {
        #expect(FoldedText.folded(text).utf8.elementsEqual(folded.utf8))
    }

    @Test(
        "A sound mark after its kana joins it, and stands for itself elsewhere",
        arguments: [
            ("か\u{309B}", "が"), ("カ\u{309B}", "が"), ("ｶ\u{309B}", "が"), ("は\u{309C}", "ぱ"), ("ウ\u{309B}", "ゔ"),
            ("あ\u{309B}", "あ\u{3099}"), ("ゝ\u{309B}", "ゞ"), ("a\u{309B}", "a \u{3099}"), ("\u{309B}", " \u{3099}"),
            ("みすゝ", "みすゝ"), ("ミスヽ", "みすヽ"),
        ]
    )
    func soundMarks(text: String, folded: String) {
        #expect(FoldedText.folded(text).utf8.elementsEqual(folded.utf8))
        #expect(FoldedText.folded(folded).utf8.elementsEqual(folded.utf8))
    }

    @Test("Folding what is folded changes nothing, and composed texts fold as decomposed ones do")
    func again() {
        let wrong = (0...0xFFFF).compactMap(Unicode.Scalar.init as (UInt32) -> Unicode.Scalar?).filter { scalar in
            let folded = FoldedText.folded(String(scalar))
            let decomposed = FoldedText.folded(String(scalar).decomposedStringWithCanonicalMapping)
            return !FoldedText.folded(folded).utf8.elementsEqual(folded.utf8)
                || !decomposed.utf8.elementsEqual(folded.utf8)
        }
        #expect(wrong.isEmpty)
    }

    @Test("A folder that remembers letters folds as one that doesn't, and counts what it has folded")
    func remembering() {
        var folder = FoldedText.Folder()
        for _ in 0..<2 {
            for text in ["Андрей", "Zoë", "ｶﾞｷﾞ", "Ένα", "\u{FDFA}", "가각", "plain"] {
                #expect(folder.folded(text).utf8.elementsEqual(FoldedText.folded(text).utf8))
            }
        }
        let before = folder.bytes
        _ = folder.folded(String(repeating: "\u{FDFA}", count: 100))
        #expect(folder.bytes > before + 1_800)
    }
}
