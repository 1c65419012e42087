import CardModel
import CardServer
import WireJSON

/// How many users an audience means, in words.
enum ReachText {
    static func read(_ visit: Visit, _ audience: JSONValue) async throws -> (text: String, problem: FieldProblem?) {
        do {
            let reach = try await visit.ask { server, _ in
                try await server.segments.reach(of: Audience(json: audience))
            }
            let margin = reach.isExact ? "" : " ± \(Wording.count(reach.margin))"
            let share = reach.total > 0 ? localized(", \(Wording.rate(reach.users, of: reach.total))") : ""
            return (
                localized("\(Wording.count(reach.users))\(margin) of \(Wording.counted(reach.total, .user))\(share)"),
                nil
            )
        } catch let refusal as ServiceRefusal {
            return (localized("Couldn’t estimate: \(localized(sentence: refusal.message))"), FieldProblem(refusal))
        }
    }
}
