extension String {
    /// The text as one word of a command for a shell: in quotes where a shell would read anything else in it.
    package var shellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "%+,-./:=@_".utf8.contains(byte)
        }
        guard !isPlain || isEmpty else { return self }
        var word = "'"
        for scalar in unicodeScalars {
            if scalar == "'" { word += "'\\''" } else { word.unicodeScalars.append(scalar) }
        }
        return word + "'"
    }
}

extension Sequence<String> {
    /// The texts as words of a command for a shell, with spaces between them.
    package var shellWords: String { map(\.shellWord).joined(separator: " ") }
}
