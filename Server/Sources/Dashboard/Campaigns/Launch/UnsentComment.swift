import CardServer
import HTTPTypes

/// A comment that wasn't sent, because what it was to go with is no longer possible: the page says why, and shows it.
struct UnsentComment {
    /// The message that says what is wrong and what to do.
    let problem: String
    /// The comment, where the page has no field for it any more.
    let text: String?
    let status: HTTPResponse.Status

    /// Creates it of a refusal that leaves the page to show, or returns `nil` for any other.
    init?(_ refusal: ServiceError, _ context: PageContext) {
        guard [400, 409, 422].contains(refusal.status) else { return nil }
        let typed = context.form.trimmed(.comment)
        problem = localized(sentence: refusal.message)
        text = typed.isEmpty ? nil : typed
        status = HTTPResponse.Status(code: refusal.status)
    }

    private init(problem: String, text: String?, status: HTTPResponse.Status) {
        self.problem = problem
        self.text = text
        self.status = status
    }

    /// Returns it as a page shows it that has a field for comments, or has none.
    func shown(hasField: Bool) -> UnsentComment {
        UnsentComment(problem: problem, text: hasField ? nil : text, status: status)
    }
}
