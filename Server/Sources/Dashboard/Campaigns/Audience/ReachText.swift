import CardServer
import WireJSON

/// How many users an audience means, in words.
enum ReachText {
    static func read(_ visit: Visit, _ audience: JSONValue) async throws -> (text: String, problem: FieldProblem?) {
        do {
            let reach = try await visit.ask("/v1/audience/reach", ["audience": audience])
            let (users, total) = (reach["users"]?.integer ?? 0, reach["total"]?.integer ?? 0)
            let margin = reach["exact"]?.bool == false ? " ± \(Wording.count(reach["margin"]?.integer ?? 0))" : ""
            let share = total > 0 ? ", \(Wording.rate(users, of: total))" : ""
            return ("\(Wording.count(users))\(margin) of \(Wording.counted(total, "user"))\(share)", nil)
        } catch let refusal as ManagementAPI.Refusal {
            return ("Couldn’t estimate: \(refusal.message)", FieldProblem(refusal))
        }
    }
}
