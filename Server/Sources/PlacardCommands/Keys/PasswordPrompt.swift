import Foundation
import Terminal

/// Gets a password from a person or a program.
enum PasswordPrompt {
    /// More bytes than any password has.
    private static let longest = 65_536

    /// Reads the password from standard input, up to the first line break.
    ///
    /// - Parameter descriptor: What is read; what follows the line stays there.
    /// - Returns: The password.
    /// - Throws: `CommandError` where there is none, or where it isn't UTF-8: the letters in the place of such bytes
    ///   can't be typed when the member signs in.
    static func readLine(from descriptor: Int32 = STDIN_FILENO) throws(CommandError) -> String {
        var (line, byte): ([UInt8], UInt8) = ([], 0)
        while line.count < longest {
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            line.append(byte)
        }
        let isWhole = line.count < longest
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard !line.isEmpty else { throw CommandError("Standard input holds no password.") }
        guard isWhole, let password = String(validating: line, as: UTF8.self) else {
            throw CommandError("The password is too long, or isn't UTF-8.")
        }
        return password
    }

    /// Asks for it twice, without showing it.
    static func askTwice() throws -> String {
        guard TerminalMode.hideTyping() else {
            throw CommandError("There is no terminal to ask at. Give the password by --password-stdin.")
        }
        defer { TerminalMode.leave() }
        let first = try ask("Password: ")
        guard try ask("Again: ") == first else { throw CommandError("The two are not the same. Nothing was made.") }
        return first
    }

    private static func ask(_ question: String) throws -> String {
        Console.sketch(question)
        defer { Console.sketch("\n") }
        return try readLine()
    }
}
