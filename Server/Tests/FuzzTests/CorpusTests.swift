import Foundation
import Testing

/// Replays in an ordinary test what fuzzing has kept, so that the gate needs no build with coverage.
@Suite("What comes from outside")
struct CorpusTests {
    @Test("is read without a finding, as far as fuzzing has kept it", arguments: FuzzTarget.everything.map(\.name))
    func corpus(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let inputs = try FuzzInput.corpus(of: name)
        #expect(!inputs.isEmpty, "Fuzz/Corpus has nothing for \(name)")
        for input in inputs { try FuzzRun.take(input, target) }
    }

    @Test("does not bring back what was found and fixed", arguments: FuzzTarget.everything.map(\.name))
    func regressions(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        for input in try FuzzInput.regressions(of: name) { try FuzzRun.take(input, target) }
    }

    @Test("is read without a finding when it is changed a little", arguments: FuzzTarget.everything.map(\.name))
    func mutations(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        var mutations = try Mutations(of: FuzzInput.corpus(of: name), name: name, maximumLength: target.maximumLength)
        for _ in 0..<FuzzRun.mutationCount / max(1, target.slowness) { try FuzzRun.take(mutations.next(), target) }
    }

    @Test("is written in the corpus as a line, and read back")
    func lines() {
        #expect(FuzzInput(line: #"a\x00\xffb\x5c"#).bytes == [0x61, 0, 0xFF, 0x62, 0x5C])
        #expect(FuzzInput([0x61, 0, 0xFF, 0x62, 0x5C]).line == #"a\x00\xffb\x5c"#)
    }
}

extension FuzzTarget {
    /// Every target, or those that `PLACARD_FUZZ_TARGETS` names, with commas between them.
    static let everything = (all + server).filter { FuzzRun.names?.contains($0.name) ?? true }

    static func named(_ name: String) -> FuzzTarget? { everything.first { $0.name == name } }
}
