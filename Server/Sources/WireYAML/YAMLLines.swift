import WireJSON
import Yams

/// The lines on which the members of a document stand.
package struct YAMLLines {
    private var lines: [String: Int] = [:]

    /// Finds the lines of a document that `JSONValue(yaml:)` reads; of another one, none.
    package init(_ text: String) {
        guard (try? JSONValue(yaml: text)) != nil, let node = try? Yams.compose(yaml: text) else { return }
        note(node, at: "", line: node.mark?.line, depth: 0)
    }

    /// The line of a place such as `variants[1].card.title`, or else of what it is in, from 1; `nil` for none.
    package func line(of path: String) -> Int? {
        var path = path[...]
        while !path.isEmpty {
            if let line = lines[String(path)] { return line }
            guard let end = path.utf8.lastIndex(where: { ".[".utf8.contains($0) }) else { return nil }
            path = path[..<end]
        }
        return nil
    }

    private mutating func note(_ node: Node, at path: String, line: Int?, depth: Int) {
        // Aliases may repeat much; a message needs no line of what is so far down.
        guard depth < 32, lines.count < 20_000 else { return }
        if let line, lines[path] == nil { lines[path] = line }
        switch node {
        case .mapping(let mapping):
            for (name, member) in mapping {
                let text = name.scalar?.string ?? ""
                note(member, at: path.isEmpty ? text : "\(path).\(text)", line: name.mark?.line, depth: depth + 1)
            }
        case .sequence(let sequence):
            for (index, element) in sequence.enumerated() {
                note(element, at: "\(path)[\(index)]", line: element.mark?.line, depth: depth + 1)
            }
        case .scalar, .alias: return
        }
    }
}
