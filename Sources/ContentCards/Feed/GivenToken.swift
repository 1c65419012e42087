/// A token that an app gave with a user.
struct GivenToken: Sendable, Hashable {
    let user: BytewiseText
    let token: String
}
