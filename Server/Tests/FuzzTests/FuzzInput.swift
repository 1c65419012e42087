import Foundation

/// An input as the files of `Fuzz` keep it: a line in which all but printable ASCII is `\xNN`.
struct FuzzInput {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    init(line: some StringProtocol) {
        var bytes: [UInt8] = []
        var rest = line.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"),
                let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        self.bytes = bytes
    }

    /// The input as a line, to be kept in `Fuzz/Regressions`.
    var line: String {
        bytes.map { byte in
            let isPlain = (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\\")
            let digits = String(byte, radix: 16)
            return isPlain ? String(Unicode.Scalar(byte)) : "\\x" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }

    /// What fuzzing has kept to begin with.
    static func corpus(of target: String) throws -> [FuzzInput] { try inputs("Corpus", target) }

    /// What once found something; lines that begin with a number sign are remarks.
    static func regressions(of target: String) throws -> [FuzzInput] {
        try inputs("Regressions", target) { !$0.hasPrefix("#") }
    }

    private static func inputs(
        _ folder: String,
        _ target: String,
        _ isInput: (Substring) -> Bool = { _ in true }
    ) throws -> [FuzzInput] {
        let fuzz = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Fuzz").standardized
        let file = fuzz.appendingPathComponent("\(folder)/\(target).txt")
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        let text = try String(contentsOf: file, encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().filter(isInput)
            .map { FuzzInput(line: $0) }
    }
}
