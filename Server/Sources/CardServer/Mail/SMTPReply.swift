/// A reply of a mail server to a command: a number of three digits, and a text of one line or more.
struct SMTPReply: Sendable, Equatable {
    let code: Int
    let lines: [String]

    /// Whether the command was carried out.
    var isPositive: Bool { (200..<300).contains(code) }
    /// Whether the same may be carried out later.
    var isTransient: Bool { (400..<500).contains(code) }

    /// The number and the text, for a log: short, and without anything that a terminal or a log takes for its own.
    var summary: String {
        let text = "\(code) \(lines.joined(separator: " "))"
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars.prefix(200)))
    }
}

/// The reason why a message was not sent.
package enum SMTPError: Error, Equatable {
    /// Nothing can be sent for now: the server can't be reached, doesn't let us in, or doesn't speak SMTP.
    case unavailable(String)
    /// The server doesn't take this message for now.
    case deferred(String)
    /// The server will never take this message.
    case rejected(String)

    /// The reason in words.
    var reason: String {
        switch self {
        case .unavailable(let reason), .deferred(let reason), .rejected(let reason): reason
        }
    }
}

/// Reads replies from bytes as they come, and no more of them than any server has to say.
struct SMTPReplyReader {
    /// The longest line, in bytes; RFC 5321 has 512.
    private static let lineLimit = 2_048
    /// The most lines of a reply.
    private static let lineCountLimit = 128

    private var line: [UInt8] = []
    private var lines: [String] = []
    private var code: Int?

    /// Whether no reply has begun.
    var isEmpty: Bool { line.isEmpty && lines.isEmpty }

    /// Takes a byte, and returns the reply that it ends.
    mutating func read(_ byte: UInt8) throws(SMTPError) -> SMTPReply? {
        guard byte == UInt8(ascii: "\n") else {
            guard line.count < Self.lineLimit else { throw .unavailable("The mail server sent a line without end") }
            line.append(byte)
            return nil
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        defer { line = [] }
        return try readLine()
    }

    private mutating func readLine() throws(SMTPError) -> SMTPReply? {
        let digits = line.prefix(3)
        let mark = line.dropFirst(3).first ?? UInt8(ascii: " ")
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let code = Int(String(decoding: digits, as: UTF8.self)), (200..<600).contains(code),
            mark == UInt8(ascii: " ") || mark == UInt8(ascii: "-"), self.code ?? code == code
        else { throw .unavailable("The mail server doesn't speak SMTP") }
        lines.append(String(decoding: line.dropFirst(4), as: UTF8.self))
        guard lines.count <= Self.lineCountLimit else {
            throw .unavailable("The mail server sent a reply without end")
        }
        guard mark == UInt8(ascii: " ") else {
            self.code = code
            return nil
        }
        defer { (lines, self.code) = ([], nil) }
        return SMTPReply(code: code, lines: lines)
    }
}
