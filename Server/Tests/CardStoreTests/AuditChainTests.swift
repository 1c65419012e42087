import CardModel
import CardStore
import CardStoreConformance
import Simulation
import Testing

@Suite("Audit log: the chain of entries")
struct AuditChainTests {
    /// A log of entries at positions from 1 on, and how it ends.
    private func log(_ count: Int) -> (entries: [AuditEntry], chain: AuditChain) {
        var chain = AuditChain()
        let entries = (0..<count).map { number in
            chain.append(
                AuditNote("test.\(number)", of: "s\(number)", details: ["n": 1], at: noon + Double(number), by: command)
            )
        }
        return (entries, chain)
    }

    private func problems(
        _ entries: [AuditEntry],
        _ chain: AuditChain,
        noted mark: AuditChain.Mark? = nil
    ) -> [AuditVerification.AuditFinding] {
        var verification = AuditVerification(of: chain, expecting: mark)
        verification.check(entries)
        return verification.finish()
    }

    private func entry(_ position: Int64, at time: UnixTime, _ texts: [String], details: String?) -> AuditEntry {
        AuditEntry(
            position: position,
            at: time,
            actor: texts[1],
            actorKind: texts[0],
            action: texts[2],
            subject: texts[3],
            details: details,
            hash: []
        )
    }

    @Test("The hash of an entry is the one that its documentation describes")
    func hashes() {
        // Computed with another program.
        let first = entry(1, at: noon, ["member", "ann", "key.create", "k\u{E4}se"], details: nil).chained(to: [])
        #expect(
            AuditChain.hexadecimal(first) == "210c6a581a2405ec313e84720815be8944012699df64a3afe14fc8581babbb74"
        )
        let second = entry(2, at: -0.5, ["command", "", "x", ""], details: #"{"n":1}"#).chained(to: first)
        #expect(
            AuditChain.hexadecimal(second) == "5d2e6088901417dccfa95550580bd3583d9087a856e278f44cfc141ab1061710"
        )
    }

    @Test("Texts that move from one part of an entry to another, or are spelled with other bytes, make another hash")
    func partsApart() {
        let entries = [
            entry(1, at: noon, ["a", "b", "cd", "e"], details: nil),
            entry(1, at: noon, ["a", "b", "c", "de"], details: nil),
            entry(1, at: noon, ["a", "bc", "d", "e"], details: nil),
            entry(1, at: noon, ["ab", "", "cd", "e"], details: nil),
            entry(1, at: noon, ["a", "b", "cd", "e"], details: ""),
            entry(1, at: noon, ["a", "b", "cd", ""], details: "e"),
            entry(1, at: noon, ["a", "b", "cd", "\u{E9}"], details: nil),
            entry(1, at: noon, ["a", "b", "cd", "e\u{301}"], details: nil),
            entry(2, at: noon, ["a", "b", "cd", "e"], details: nil),
            entry(1, at: noon.nextUp, ["a", "b", "cd", "e"], details: nil),
        ]
        #expect(Set(entries.map { $0.chained(to: []) }).count == entries.count)
        #expect(entries[0].chained(to: []) != entries[0].chained(to: [0]))
        // The sign of zero is a bit of the time.
        let zeros = [0.0, -0.0].map { entry(1, at: $0, ["", "", "", ""], details: nil).chained(to: []) }
        #expect(zeros[0] != zeros[1])
    }

    @Test(
        "A log that nobody touched has no problems, however it is read, and from each point that was noted",
        arguments: [0, 1, 2, 40]
    )
    func untouched(count: Int) {
        let (entries, chain) = log(count)
        #expect(problems(entries, chain).isEmpty)
        for size in [1, 3, 100] {
            var verification = AuditVerification(of: chain)
            for start in stride(from: 0, to: count, by: size) {
                verification.check(Array(entries[start..<min(start + size, count)]))
            }
            #expect(verification.finish().isEmpty)
        }
        for entry in entries {
            let mark = AuditChain.Mark(count: entry.position, position: 0, hash: entry.hash)
            #expect(problems(entries, chain, noted: mark).isEmpty)
        }
    }

    @Test("What is wrong is named by its place")
    func places() {
        let (entries, chain) = log(9)
        #expect(problems(Array(entries[..<3] + entries[5...]), chain) == [.missing(after: 3, before: 6)])
        #expect(problems(Array(entries[2...]), chain) == [.missing(after: 0, before: 3)])
        #expect(problems(Array(entries[..<7]), chain) == [.truncated(after: 7)])
        #expect(problems([], chain) == [.truncated(after: 0)])
        var changed = entries
        changed[4].subject = "other"
        #expect(problems(changed, chain) == [.changed(position: 5)])
        // Whoever computes the entry's hash again breaks the next one, or the end.
        changed[4].hash = changed[4].chained(to: entries[3].hash)
        #expect(problems(changed, chain) == [.changed(position: 6)])
        var last = entries
        last[8].action = "other"
        last[8].hash = last[8].chained(to: entries[7].hash)
        #expect(problems(last, chain) == [.truncated(after: 9)])
        #expect(problems(entries + [entries[8]], chain).first == .missing(after: 9, before: 9))
    }

    @Test("Canonically equivalent texts are a change")
    func equivalentTexts() {
        var chain = AuditChain()
        var entry = chain.append(AuditNote("x", of: "caf\u{E9}", at: noon, by: command))
        entry.subject = "cafe\u{301}"
        #expect(problems([entry], chain) == [.changed(position: 1)])
    }

    @Test("A log that was rewritten from some point on is found by a point that was noted after it, by none before")
    func rewritten() {
        let (entries, _) = log(8)
        var chain = AuditChain()
        var other = entries
        for index in 0..<8 {
            if index >= 4 { other[index].actor = "eve" }
            other[index].hash = other[index].chained(to: chain.last.hash)
            chain.last = AuditChain.Mark(count: Int64(index + 1), position: Int64(index + 1), hash: other[index].hash)
        }
        #expect(problems(other, chain).isEmpty)
        for entry in entries {
            let mark = AuditChain.Mark(count: entry.position, position: entry.position, hash: entry.hash)
            #expect(problems(other, chain, noted: mark) == (entry.position <= 4 ? [] : [.rewritten(mark)]))
        }
        // A point beyond the end is one of a longer log: this one goes back to before it.
        let beyond = AuditChain.Mark(count: 9, position: 9, hash: entries[7].hash)
        #expect(problems(entries, chain, noted: beyond).last == .rewritten(beyond))
    }

    @Test("What was pruned is neither missing nor compared with a point of before")
    func pruned() {
        var (entries, chain) = log(8)
        let marks = entries.map { AuditChain.Mark(count: $0.position, position: 0, hash: $0.hash) }
        chain.prune(3, through: entries[2])
        entries.removeFirst(3)
        chain.prune(1, through: entries[0])
        entries.removeFirst()
        #expect(chain.anchor.count == 4 && chain.anchor.position == 4)
        for mark in marks { #expect(problems(entries, chain, noted: mark).isEmpty) }
        let wrong = AuditChain.Mark(count: 4, position: 4, hash: marks[4].hash)
        #expect(problems(entries, chain, noted: wrong) == [.rewritten(wrong)])
        #expect(problems(Array(entries.dropFirst()), chain) == [.missing(after: 4, before: 6)])
        chain.prune(4, through: entries[3])
        #expect(problems([], chain).isEmpty)
    }

    @Test("An empty log has a point, too, and isn't the one that was noted where that had entries")
    func empty() throws {
        let beginning = try #require(AuditChain.Mark(AuditChain().last.description))
        #expect(beginning == AuditChain.Mark())
        #expect(problems([], AuditChain(), noted: beginning).isEmpty)
        let (entries, chain) = log(3)
        #expect(problems(entries, chain, noted: beginning).isEmpty)
        #expect(problems([], AuditChain(), noted: chain.last) == [.rewritten(chain.last)])
        #expect(problems([], chain).map(\.description) == ["All entries are missing."])
        let pruned = AuditChain(last: chain.last, anchor: chain.last)
        #expect(problems([], pruned, noted: beginning).isEmpty)
    }

    @Test("Random changes of an entry are found, wherever they are", arguments: 1...10)
    func randomChanges(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed), "audit")
        let (entries, chain) = log(Int.random(in: 1...30, using: &random))
        for _ in 0..<50 {
            var changed = entries
            let place = Int.random(in: 0..<changed.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: changed[place].at += 1
            case 1: changed[place].actor += "x"
            case 2: changed[place].actorKind = "member"
            case 3: changed[place].action.removeLast()
            case 4: changed[place].details = nil
            case 5: changed[place].hash[Int.random(in: 0..<32, using: &random)] ^= 1
            case 6: changed[place].position += 1
            default: changed.remove(at: place)
            }
            #expect(!problems(changed, chain).isEmpty)
        }
    }

    @Test("A file that says anything of its chain ends nothing")
    func hostileChains() {
        let mark = AuditChain.Mark(count: .max, position: .max, hash: [])
        var chain = AuditChain(last: mark, anchor: mark)
        let entry = chain.append(AuditNote("x", of: "y", at: .nan, by: command))
        #expect(entry.position == .min && chain.last.count == .min)
        chain.prune(.max, through: entry)
        #expect(problems([entry, entry], chain, noted: mark).count > 1)
    }
}

@Suite("Audit log: notes and points")
struct AuditNoteTests {
    @Test(
        "A text that isn't written as a point is none, also where each of its parts could be read as a number",
        arguments: [
            "+1:" + String(repeating: "a", count: 64), "1:" + String(repeating: "+a", count: 32),
            "1:" + String(repeating: "-0", count: 32), "1:" + String(repeating: "a", count: 62),
            "1:" + String(repeating: "a", count: 65), "1:" + String(repeating: "a", count: 64) + ":",
            "-1:" + String(repeating: "a", count: 64), "9223372036854775808:" + String(repeating: "a", count: 64),
            "1:" + String(repeating: "\u{FF11}", count: 64), "1:" + String(repeating: "a", count: 63) + "\u{301}",
        ]
    )
    func noPoints(text: String) {
        #expect(AuditChain.Mark(text) == nil)
    }

    @Test("A point is read in digits of either case, up to the largest count")
    func points() throws {
        let mark = try #require(AuditChain.Mark("9223372036854775807:" + String(repeating: "0aF9", count: 16)))
        #expect(mark.count == .max && mark.hash == (0..<32).map { $0 % 2 == 0 ? 0x0A : 0xF9 })
    }

    @Test("Subjects are kept up to 512 bytes and cut beyond, at a whole letter, with a sign that they were")
    func subjects() {
        func subject(_ text: String) -> String { AuditNote("a", of: text, at: 0, by: command).subject }
        let longest = String(repeating: "x", count: 512)
        #expect(subject(longest) == longest && subject("").isEmpty)
        #expect(subject(longest + "x") == String(repeating: "x", count: 506) + "…")
        for shift in 0..<4 {
            let cut = subject(String(repeating: "x", count: shift) + String(repeating: "\u{1F600}", count: 200))
            #expect(cut.utf8.count <= 512 && cut.hasSuffix("…"))
        }
    }

    @Test("Details are kept up to 16,384 bytes, and left out beyond; none are none")
    func details() {
        func details(_ count: Int) -> String? {
            // {"x":""} has eight bytes.
            AuditNote("a", of: "b", details: ["x": .string(String(repeating: "y", count: count))], at: 0, by: command)
                .details
        }
        #expect(details(16_376)?.utf8.count == 16_384)
        #expect(details(16_377) == #"{"omitted":true}"#)
        #expect(AuditNote("a", of: "b", at: 0, by: command).details == nil)
    }

    @Test("A pseudonym is the same in each run, differs with the key, and follows the bytes of an id")
    func pseudonyms() {
        let pseudonyms = UserPseudonyms(key: Array(0..<32))
        // Computed with another program.
        #expect(pseudonyms.text(of: UserID(rawValue: "k\u{E4}se")) == "user:253c3f588d3dd1495e1b93824bea8df2")
        let equivalent = ["ka\u{308}se", "k\u{E4}se"].map { pseudonyms.hash(of: UserID(rawValue: $0)) }
        #expect(equivalent[0] != equivalent[1])
        #expect(UserPseudonyms(key: Array(1..<33)).text(of: someone) != pseudonyms.text(of: someone))
        #expect(pseudonyms.hash(ofClient: "a") != pseudonyms.hash(of: UserID(rawValue: "a")))
    }
}
