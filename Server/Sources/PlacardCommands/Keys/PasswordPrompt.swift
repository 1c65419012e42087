import Terminal

/// Gets a password from a person or a program.
enum PasswordPrompt {
    /// Reads the password from standard input.
    static func readLine() throws -> String {
        guard let line = Swift.readLine(strippingNewline: true), !line.isEmpty else {
            throw CommandFailure("Standard input holds no password.")
        }
        return line
    }

    /// Asks for it twice, without showing it.
    static func askTwice() throws -> String {
        guard TerminalMode.hideTyping() else {
            throw CommandFailure("There is no terminal to ask at. Give the password by --password-stdin.")
        }
        defer { TerminalMode.leave() }
        let first = try ask("Password: ")
        guard try ask("Again: ") == first else { throw CommandFailure("The two are not the same. Nothing was made.") }
        return first
    }

    private static func ask(_ question: String) throws -> String {
        Console.sketch(question)
        defer { Console.sketch("\n") }
        return try readLine()
    }
}
