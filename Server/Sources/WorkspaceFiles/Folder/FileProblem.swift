import WireJSON
import WireYAML

/// Something that is wrong with a file.
package struct FileProblem: Error, Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The file's path in its folder.
    package let file: String
    /// The line, from 1, where it is known.
    package let line: Int?
    /// The message that says what is wrong.
    package let message: String

    /// Creates a problem.
    package init(_ file: String, line: Int? = nil, _ message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    /// The file, the line and what is wrong, in the form of compilers.
    package var description: String { "\(file.visible)\(line.map { ":\($0)" } ?? ""): \(message.visible)" }

    /// The problem by its names in JSON.
    package var json: JSONValue {
        ["file": .string(file), "line": line.map { .integer(Int64($0)) } ?? .null, "message": .string(message)]
    }

    /// Returns whether one problem stands before another in lists.
    package static func < (left: Self, right: Self) -> Bool {
        if !left.file.hasSameBytes(as: right.file) { return left.file.precedesInBytes(right.file) }
        return (left.line ?? 0) < (right.line ?? 0)
    }
}

extension String {
    /// The text with what can't be seen replaced: neither files nor a server steer the terminal of who reads about
    /// them.
    package var visible: String {
        let isSeen = unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        return isSeen ? self : JSONValue.string(self).yamlLine
    }
}
