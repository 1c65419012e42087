import CardModel
import CardServer
import WireJSON

/// The number of users in an audience, in words.
enum ReachText {
    /// The text, whether any user is meant, and why it can't be said.
    struct Answer {
        let text: String
        let hasUsers: Bool
        var problem: FieldProblem?
    }

    static func read(_ context: PageContext, _ audience: JSONValue) async throws -> Answer {
        do {
            let reach = try await context.ask { server, _ in
                try await server.segments.reach(of: Audience(json: audience))
            }
            let margin = reach.isExact ? "" : " ± \(PageFormatter.count(reach.margin))"
            let share = reach.total > 0 ? localized(", \(PageFormatter.rate(reach.users, of: reach.total))") : ""
            let (users, total) = (PageFormatter.count(reach.users), PageFormatter.counted(reach.total, .user))
            return Answer(text: localized("\(users)\(margin) of \(total)\(share)"), hasUsers: reach.users > 0)
        } catch let refusal as ServiceError {
            let text = localized("Couldn’t estimate: \(localized(sentence: refusal.message))")
            return Answer(text: text, hasUsers: false, problem: FieldProblem(refusal))
        }
    }
}
