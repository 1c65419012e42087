/// Ends a command with exit status 1 and a message that says what to do.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
