import CardModel
import Statistics
import Testing

@Suite("Audiences that have users in common")
struct AudienceOverlapTests {
    /// Users by the audiences that they are in, one bit each, as they are counted for an overlap.
    private func overlap(_ members: [Set<Int>], total: Int64? = nil) -> AudienceOverlap {
        var users: [UInt32: Int64] = [:]
        for audiences in members where !audiences.isEmpty {
            users[audiences.reduce(0) { $0 | 1 << UInt32($1) }, default: 0] += 1
        }
        let asked = Int64(members.count)
        return AudienceOverlap(users: users, asked: asked, total: total ?? asked, isExact: total == nil)
    }

    private func members(_ random: inout SplitMix) -> [Set<Int>] {
        (0..<Int.random(in: 0...60, using: &random)).map { _ in
            Set((0..<6).filter { _ in Int.random(in: 0...2, using: &random) == 0 })
        }
    }

    @Test("Users of all, of more than some, and the most at once are those that are counted one by one")
    func counts() {
        var random = SplitMix(seed: 71)
        for _ in 0..<200 {
            let members = members(&random)
            let overlap = overlap(members)
            let places = (0..<6).filter { _ in Bool.random(using: &random) }
            guard !places.isEmpty else { continue }
            let wanted = Set(places)
            let all = members.filter { $0.isSuperset(of: wanted) }.count
            #expect(overlap.reach(ofAll: places).users == Int64(all))
            for count in 0...6 {
                let more = members.filter { $0.intersection(wanted).count > count }.count
                #expect(overlap.reach(ofMoreThan: count, among: places).users == Int64(more))
            }
        }
    }

    @Test("Two audiences have as many users together as each by itself, less those that are in both")
    func inclusion() {
        var random = SplitMix(seed: 72)
        for _ in 0..<100 {
            let overlap = overlap(members(&random))
            for (left, right) in [(0, 1), (2, 5), (4, 4)] {
                let apart = overlap.reach(ofAll: [left]).users + overlap.reach(ofAll: [right]).users
                let either = overlap.reach(ofMoreThan: 0, among: [left, right]).users
                #expect(apart - overlap.reach(ofAll: [left, right]).users == either)
            }
        }
    }

    @Test("A sample is scaled to all users, with bounds around it")
    func samples() {
        let members = (0..<100).map { number -> Set<Int> in number < 30 ? [0, 1] : number < 50 ? [0] : [] }
        let overlap = overlap(members, total: 1_000)
        let both = overlap.reach(ofAll: [0, 1])
        #expect(both.users == 300 && both.found == 30 && both.asked == 100 && !both.isExact)
        #expect(both.bounds.contains(300) && both.bounds.lowerBound >= 30 && both.bounds.upperBound <= 930)
        #expect(overlap.reach(ofMoreThan: 0, among: [0, 1]).users == 500)
        #expect(overlap.reach(ofMoreThan: 1, among: [0]).users == 0)
    }

    @Test("The last of the audiences is counted, and places that no audience has mean nothing")
    func places() {
        let overlap = overlap([[31], [31, 0], [0]])
        #expect(overlap.reach(ofAll: [31]).users == 2)
        #expect(overlap.reach(ofAll: [31, 0]).users == 1)
        #expect(overlap.reach(ofMoreThan: 0, among: [32, -1]).users == 0)
    }
}
