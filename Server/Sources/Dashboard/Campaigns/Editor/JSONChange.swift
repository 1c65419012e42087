import CardModel
import WireJSON

/// A value of a campaign that differs between two versions, as the API has it.
struct JSONChange {
    /// A way from an object or array to what is in it.
    enum JSONStep {
        case member(String)
        case element(Int)
    }

    let steps: [JSONStep]
    /// The value that stood there, or `nil` for nothing.
    let before: JSONValue?
    /// The value that stands there, or `nil` for nothing.
    let after: JSONValue?

    /// The path as errors name it, such as `variants[0].card.title`.
    var path: String {
        steps.reduce(into: "") { path, step in
            switch step {
            case .member(let name): path += path.isEmpty ? name : ".\(name)"
            case .element(let index): path += "[\(index)]"
            }
        }
    }

    /// Finds every value that differs by its bytes, at most a number of them.
    ///
    /// - Parameters:
    ///   - before: What was.
    ///   - after: What is.
    ///   - limit: How many are found at most.
    /// - Returns: The values, in the order of what was. Lists of texts and numbers are one value each.
    static func list(from before: JSONValue?, to after: JSONValue?, limit: Int) -> [JSONChange] {
        var found: [JSONChange] = []
        find(before, after, at: [], limit, &found)
        return found
    }

    private static func find(
        _ before: JSONValue?,
        _ after: JSONValue?,
        at steps: [JSONStep],
        _ limit: Int,
        _ found: inout [JSONChange]
    ) {
        guard found.count < limit else { return }
        switch (before, after) {
        case (.object(let old), .object(let new)):
            let (old, new) = (old.filter(isSaid), new.filter(isSaid))
            for name in Array(old.keys) + new.keys.filter({ old[$0] == nil }) {
                find(old[name], new[name], at: steps + [.member(name)], limit, &found)
            }
        case (.array(let old), .array(let new)) where !isPlain(old) || !isPlain(new):
            for index in 0..<max(old.count, new.count) {
                let (left, right) = (old.dropFirst(index).first, new.dropFirst(index).first)
                find(left, right, at: steps + [.element(index)], limit, &found)
            }
        default:
            // What is left out and what is null are the same.
            let (left, right) = (before ?? .null, after ?? .null)
            guard !left.text.hasSameBytes(as: right.text) else { return }
            found.append(JSONChange(steps: steps, before: before, after: after))
        }
    }

    /// Whether a member says anything: all of no conditions is everybody, as nothing is.
    private static func isSaid(_ name: String, _ value: JSONValue) -> Bool {
        name != "all" || value.array?.isEmpty != true
    }

    private static func isPlain(_ elements: [JSONValue]) -> Bool {
        elements.allSatisfy { $0.object == nil && $0.array == nil }
    }

    /// Returns a campaign with this change alone.
    func applied(to campaign: JSONValue) -> JSONValue { Self.put(after, at: steps[...], into: campaign) }

    private static func put(_ value: JSONValue?, at steps: ArraySlice<JSONStep>, into json: JSONValue?) -> JSONValue {
        guard let step = steps.first else { return value ?? .null }
        switch step {
        case .member(let name):
            var members = json?.object ?? [:]
            let put = put(value, at: steps.dropFirst(), into: members[name])
            members[name] = put
            return .object(members)
        case .element(let index):
            var elements = json?.array ?? []
            // safe: an index from zero
            let put = put(value, at: steps.dropFirst(), into: elements.dropFirst(index).first)
            if elements.indices.contains(index) {
                if value == nil, steps.count == 1 { elements.remove(at: index) } else { elements[index] = put }
            } else {
                elements.append(put)
            }
            return .array(elements)
        }
    }
}

extension JSONChange {
    /// The longest text that is shown of a value, in characters.
    private static let longestText = 1_000

    /// The values before and after, as JSON; of lists what went and what came.
    var texts: (before: String, after: String) {
        if let old = before?.array, let new = after?.array {
            let (left, right) = (Set(old.map { ByteString($0.text) }), Set(new.map { ByteString($0.text) }))
            let gone = old.filter { !right.contains(ByteString($0.text)) }
            let came = new.filter { !left.contains(ByteString($0.text)) }
            // Otherwise the order is another.
            if !gone.isEmpty || !came.isEmpty { return Self.shown(list: gone, list: came) }
        }
        return Self.shown(Self.text(of: before), Self.text(of: after))
    }

    private static func text(of value: JSONValue?) -> String {
        guard let value else { return "" }
        return value.text
    }

    private static func shown(list gone: [JSONValue], list came: [JSONValue]) -> (String, String) {
        shown(
            gone.map(\.text).joined(separator: ", "),
            came.map(\.text).joined(separator: ", ")
        )
    }

    private static func shown(_ before: String, _ after: String) -> (String, String) {
        let told = told(apart: before, after)
        return (shortened(told.before), shortened(told.after))
    }

    /// Returns two texts as they are, or with escapes where only a computer tells them apart, such as é in one scalar
    /// or two.
    static func told(apart before: String, _ after: String) -> (before: String, after: String) {
        before == after ? (escaped(before), escaped(after)) : (before, after)
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { text, scalar in
            text += scalar.isASCII ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }
    }

    private static func shortened(_ text: String) -> String {
        text.count > longestText ? "\(text.prefix(longestText))…" : text
    }
}
