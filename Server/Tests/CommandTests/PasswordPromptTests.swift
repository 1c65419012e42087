import Foundation
import Testing

@testable import PlacardCommands

/// Passwords that programs hand over by standard input.
struct PasswordPromptTests {
    /// Reads passwords one after the other from bytes, as from standard input.
    private static func passwords(_ bytes: [UInt8], count: Int = 1) throws -> [String] {
        let path = FileManager.default.temporaryDirectory.appending(path: "placard-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(bytes).write(to: URL(filePath: path))
        let handle = try #require(FileHandle(forReadingAtPath: path))
        var found: [String] = []
        for _ in 0..<count { found.append(try PasswordPrompt.readLine(from: handle.fileDescriptor)) }
        withExtendedLifetime(handle) {}
        return found
    }

    /// Returns the message of what can't be a password.
    private static func problem(_ bytes: [UInt8]) -> String? {
        do {
            _ = try passwords(bytes)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "The password is the first line, without its end and with everything else",
        arguments: [
            ("correct horse", "correct horse"), ("correct horse\n", "correct horse"), ("pass\r\nmore\n", "pass"),
            (" pass \t\n", " pass \t"), ("pässwört 春\n", "pässwört 春"), ("a\rb\n", "a\rb"), ("a\r\r\n", "a\r"),
            ("a\u{2028}b\n", "a\u{2028}b"),
        ]
    )
    func lines(_ text: String, _ password: String) throws {
        let found = try Self.passwords(Array(text.utf8))
        #expect(found.map { Array($0.utf8) } == [Array(password.utf8)])
    }

    @Test func `Each line is a password of its own, and none takes from the next`() throws {
        #expect(try Self.passwords(Array("one\ntwo\r\nthree".utf8), count: 3) == ["one", "two", "three"])
    }

    @Test func `Nothing, and a line with nothing, are no password`() {
        for text in ["", "\n", "\r\n", "\nsecond\n"] {
            #expect(Self.problem(Array(text.utf8)) == "Standard input holds no password.", "\(text)")
        }
        // A stream that can't be read has none either.
        let failure = #expect(throws: CommandError.self) { _ = try PasswordPrompt.readLine(from: -1) }
        #expect(failure?.description == "Standard input holds no password.")
    }

    @Test(
        "What isn't UTF-8 is refused, since nobody could type what it would become",
        arguments: [[0x70, 0xE4, 0x0A], [0xFF, 0xFE, 0x70, 0x00, 0x0A], [0x70, 0xC3]] as [[UInt8]]
    )
    func otherEncodings(_ bytes: [UInt8]) {
        #expect(Self.problem(bytes) == "The password is too long, or isn't UTF-8.")
    }

    @Test func `A line without an end is no password, however much comes`() {
        let line = [UInt8](repeating: UInt8(ascii: "p"), count: 100_000)
        let problem = Self.problem(line)
        #expect(problem == "The password is too long, or isn't UTF-8." && problem?.contains("pp") == false)
    }
}
