import Testing
import WireJSON

struct TextBytesTests {
    @Test(arguments: ["a\u{301},b", "a,\u{301}b", "a\u{600},b", "a,\u{200D}b", "\u{600},b", "é,日本"])
    func `A separator splits whatever marks stand around it`(text: String) {
        let parts = text.split(at: ",", omittingEmptySubsequences: false)
        #expect(parts.count == 2)
        #expect(Array(parts.joined(separator: ",").utf8) == Array(text.utf8))
        #expect(text.divided(at: ",").map { "\($0.before),\($0.behind)" }.map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test func `Parts are as many as asked for, and empty ones are left out where that is wanted`() {
        #expect("a,,b,c".split(at: ",") == ["a", "b", "c"])
        #expect("a,,b,c".split(at: ",", maxSplits: 2, omittingEmptySubsequences: false) == ["a", "", "b,c"])
        #expect("".split(at: ",").isEmpty)
        #expect("".split(at: ",", omittingEmptySubsequences: false) == [""])
        #expect("a.b[c]\u{301}d".split(atAnyOf: ".[]").count == 4)
        #expect("abc".divided(at: ",") == nil)
    }

    @Test func `A beginning is found by its bytes`() {
        #expect("=\u{301}cmd".starts(withBytesOf: "="))
        #expect(!"a=".starts(withBytesOf: "="))
    }

    @Test func `An end is found by its bytes`() {
        #expect("x\u{600}.".ends(withBytesOf: "."))
        #expect(".".ends(withBytesOf: "."))
        #expect(!".x".ends(withBytesOf: "."))
        #expect(!"".ends(withBytesOf: "."))
        #expect(!"b".ends(withBytesOf: "ab"))
    }

    @Test func `What follows a beginning keeps all of its bytes`() {
        #expect("[\u{301}a".dropping(bytesOf: "[").map { Array($0.utf8) } == Array("\u{301}a".utf8))
        #expect("[".dropping(bytesOf: "[") == "")
        #expect("a[".dropping(bytesOf: "[") == nil)
        #expect("".dropping(bytesOf: "[") == nil)
    }

    @Test func `What stands before a sign ends at its byte`() {
        #expect("a\u{D4E}?\u{301}b?c".prefix(before: "?") == "a\u{D4E}")
        #expect("?a".prefix(before: "?").isEmpty)
        #expect("ab".prefix(before: "?") == "ab")
        #expect("".prefix(before: "?").isEmpty)
    }

    @Test(arguments: ["{{", "a{{\u{301}b", "\u{D4E}{{ b", "\u{301}{{", "{{{"])
    func `A text is found in another one whatever marks stand around it`(text: String) {
        #expect(text.contains(bytesOf: "{{"))
        #expect(text.dropFirst(0).contains(bytesOf: "{{"))
    }

    @Test(arguments: ["", "{", "{ {", "{\u{301}{", "\u{FF5B}\u{FF5B}"])
    func `A text isn't found where its bytes don't follow each other`(text: String) {
        #expect(!text.contains(bytesOf: "{{"))
    }
}
