import Statistics
import Testing
import WireJSON

@testable import CardModel

@Suite("The end of a user")
struct UserEndTests {
    private static let ann = UserID(rawValue: "ann")
    private static let guest = UserID(rawValue: "unidentified-1")
    private let recorder = Recorder()

    private func profile(_ id: UserID = ann, createdAt: UnixTime = 100) -> UserProfile {
        UserProfile(id: id, createdAt: createdAt)
    }

    @Test("A deletion leaves a tombstone, a notice with the aliases in byte order, and an entry in the audit log")
    func deletion() {
        let aliases = [("é", "1"), ("a", "2"), ("Z", "3"), ("e\u{301}", "4")].map { UserAlias(label: $0, name: $1) }
        let end = recorder.delete(profile(), aliases: aliases, at: 150)
        #expect(end.user == Self.ann && end.successor == .none && end.at == 150)
        #expect(end.auditAction == "user.delete")
        #expect(end.notice.kind == .userDeleted && end.notice.at == 150)
        let labels = end.notice.details["aliases"]?.array?.compactMap { $0["alias_label"]?.string } ?? []
        #expect(labels.map { Array($0.utf8) } == ["Z", "a", "e\u{301}", "é"].map { Array($0.utf8) })
        let reversed = recorder.delete(profile(), aliases: aliases.reversed(), at: 150)
        #expect(reversed == end)
    }

    @Test("Nobody ends before they began, though the clock was set back")
    func clock() {
        let end = recorder.delete(profile(createdAt: 500), aliases: [], at: 150)
        #expect(end.at == 500)
        #expect(end.notice.at == 150)
    }

    @Test("A merge leaves a tombstone that names the other user, a notice, and no entry in the log")
    func merge() throws {
        let state = MergeState(
            user: MergeState.Account(profile(Self.guest, createdAt: 300), version: 1),
            identity: MergeState.Account(profile(), version: 1)
        )
        guard case .accepted(let writes) = recorder.merge(state, into: Self.ann, at: 200) else {
            Issue.record("The merge was refused")
            return
        }
        #expect(writes.end.user == Self.guest && writes.end.successor == .user(Self.ann) && writes.end.at == 300)
        #expect(writes.end.notice.kind == .userMerged)
        #expect(writes.end.notice.details == ["merged_into": "ann"])
        #expect(writes.end.notice.at == 200 && writes.end.auditAction == nil)
        #expect(writes.end.end(ofMergedAt: 250) == 250)
    }

    @Test("Those who had become a user end with them, and never before their own merge")
    func formerUsers() {
        let end = recorder.delete(profile(), aliases: [], at: 150)
        #expect(end.end(ofMergedAt: 120) == 150)
        #expect(end.end(ofMergedAt: 900) == 900)
    }

    @Test("Users of one id are created at different times, whatever the clock does", arguments: 1...50)
    func beginnings(_ seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var creations: [UnixTime] = []
        var ends: [UnixTime] = []
        for _ in 0..<40 {
            let created = recorder.beginning(of: UnixTime(Int.random(in: 1_000...1_020, using: &random)), after: ends)
            #expect(creations.allSatisfy { $0 < created })
            creations.append(created)
            let user = profile(createdAt: created)
            let deleted = recorder.delete(user, aliases: [], at: UnixTime(Int.random(in: 900...1_020, using: &random)))
            // A store keeps what it knows of the last one, or of a merge beside it.
            ends = Bool.random(using: &random) ? [deleted.at] : [deleted.at, deleted.end(ofMergedAt: created)]
        }
    }
}
