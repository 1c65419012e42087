import Terminal

/// Ends a command with exit status 1 and a message that says what to do.
///
/// Wrong usage is a `ValidationError` or, of a setting, a `ConfigurationError`: both end with status 64.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description.printable }
}
