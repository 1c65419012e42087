import CardModel
import CardStore
import Simulation
import Testing
import WireJSON

/// Checks that what several audiences have in common is what each of them means by itself.
enum OverlapChecks {
    static let checks: [ConformanceCheck] = [sums, bounds]

    static let sums = ConformanceCheck(
        "Audiences have the users in common that each of them means"
    ) { stores in
        try await stores.withStore { store in
            var random = SeededRandom(seed: 91)
            let people = (0..<40).map { RandomPerson(number: $0, using: &random) }
            for person in people { try await person.save(in: store) }
            for _ in 0..<20 {
                let audiences = try (0..<3).map { _ in
                    AudienceMatcher(try Audience(json: RandomAudience.tree(depth: 2, using: &random)))
                }
                let overlap = try await store.audienceOverlap(of: audiences, at: noon)
                #expect((overlap.total, overlap.asked, overlap.isExact) == (40, 40, true))
                for places in [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]] {
                    let all = AudienceMatcher(.all(places.map { audiences[$0].audience }))
                    let reach = try await store.audienceReach(of: all, at: noon, exactly: true)
                    #expect(overlap.reach(ofAll: places).found == reach.found, "\(places)")
                }
                let any = AudienceMatcher(.any(audiences.map(\.audience)))
                let reach = try await store.audienceReach(of: any, at: noon, exactly: true)
                #expect(overlap.reach(ofMoreThan: 0, among: [0, 1, 2]).found == reach.found)
            }
        }
    }

    static let bounds = ConformanceCheck(
        "No more audiences are compared than may be, and none at all mean nobody"
    ) { stores in
        try await stores.withStore { store in
            try await store.updateUsers([UserUpdate(id: UserID(rawValue: "anna"))], at: noon)
            let many = [AudienceMatcher](
                repeating: AudienceMatcher(.everyone),
                count: AudienceOverlap.limit + 1
            )
            let overlap = try await store.audienceOverlap(of: many, at: noon)
            #expect(overlap == AudienceOverlap(users: [.max: 1], asked: 1, total: 1, isExact: true))
            let places = Array(0...AudienceOverlap.limit)
            #expect(overlap.reach(ofMoreThan: AudienceOverlap.limit - 1, among: places).users == 1)
            #expect(overlap.reach(ofMoreThan: AudienceOverlap.limit, among: places).users == 0)
            let none = try await store.audienceOverlap(of: [], at: noon)
            #expect(none == AudienceOverlap(users: [:], asked: 1, total: 1, isExact: true))
        }
    }
}
