import CardModel
import Foundation
import Statistics
import UserImport
import WireJSON

extension FuzzTarget {
    /// What is to change of a user, and after a zero byte changes of attributes by their names.
    static let users = FuzzTarget("users") { input in
        let parts = Parts(input, count: 2)
        var profile = UserProfile(id: UserID(rawValue: "u"), createdAt: 0)
        let limits = UserLimits()
        if let json = try? JSONValue(parsing: parts[0]), let update = try? UserUpdate(id: profile.id, json: json) {
            if (try? profile.apply(update, within: limits)) != nil {
                try require(try !profile.apply(update, within: limits), "The same change changes nothing")
            }
        }
        guard let json = try? JSONValue(parsing: parts[1]) else { return }
        var changes = AttributeChanges()
        for (name, value) in json.object ?? [:] { changes.custom[name] = change(value) }
        var usage = AttributeUsage(of: profile)
        _ = try? profile.apply(changes, within: limits, &usage)
        _ = try? profile.apply(changes, within: limits, &usage)
        try requireSame(usage, AttributeUsage(of: profile), "What attributes take is counted along")
        for value in profile.custom.values {
            _ = try JSONValue(parsing: value.bytes)
        }
    }

    private static func change(_ value: JSONValue) -> AttributeChange {
        if let amount = value["inc"] { return .increment(by: amount) }
        if let other = value["merge"] { return .merge(other) }
        if value["add"] != nil || value["remove"] != nil {
            return .edit(adding: value["add"]?.array ?? [], removing: value["remove"]?.array ?? [])
        }
        guard let update = value["update"] else { return .set(value) }
        let match = AttributeChange.ObjectEdits.ObjectMatch(key: "id", value: update["id"] ?? .null)
        return .editObjects(
            AttributeChange.ObjectEdits(
                additions: update["objects"]?.array ?? [],
                updates: [.init(match: match, object: update["object"] ?? .null)],
                removals: [],
                merges: update["merges"] == true
            )
        )
    }

    /// A file of users: its first byte says how it is written and how large the pieces are in which it arrives.
    static let importing = FuzzTarget("import") { input in
        guard let first = input.first else { return }
        let format: ImportFormat = first & 1 == 0 ? .csv : .jsonLines
        let file = Data(input.dropFirst())
        let whole = try? read(file, in: max(1, file.count), format)
        let pieces = try? read(file, in: 1 + Int(first >> 2), format)
        try requireSame(pieces, whole, "A file says the same in pieces")
    }

    /// The file beside an import that says how far it is.
    static let importState = FuzzTarget("import-state", maximumLength: 512) { input in
        guard let json = try? JSONValue(parsing: input), let state = ImportState(json: json) else { return }
        try requireSame(ImportState(json: state.json), state, "A state is read back")
        try require(state.continues(state) == (state.offset <= state.source.size), "A state continues itself")
    }

    private struct Line: Equatable {
        var line: Int
        var end: Int
        var update: UserUpdate?
        var problem: String?
    }

    private static func read(_ file: Data, in size: Int, _ format: ImportFormat) throws -> [Line] {
        let state = ImportState(source: .init(size: file.count, modifiedAt: 0, hash: ""), epoch: 1)
        var reader = ImportReader(format: format, keepsStrings: false, state: state)
        var entries: [ImportReader.Entry] = []
        for start in stride(from: 0, to: file.count, by: size) {
            entries += try reader.take(file.dropFirst(start).prefix(size))
        }
        entries += try reader.finish()
        return entries.map {
            Line(line: $0.line, end: $0.end, update: $0.update, problem: $0.problem?.description)
        }
    }

    /// Counts of an experiment, as many 64-bit numbers as there are.
    static let experiment = FuzzTarget("experiment", maximumLength: 64) { input in
        let numbers = stride(from: 0, to: input.count - input.count % 8, by: 8).map { start in
            input[start..<start + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        }
        guard numbers.count >= 4 else { return }
        // The store keeps counts of 0 and more, each of which took a request.
        let counts = numbers.map { Int64($0.magnitude % (1 << 48)) }
        let samples = zip(counts, counts.dropFirst()).map { count, active in
            Sample(count: count, active: active, sum: Double(active), sumOfSquares: Double(active))
        }
        for (sample, base) in zip(samples, samples.dropFirst()) {
            let comparison = SampleComparison(sample, with: base, spread: .separate)
            if let comparison { try require((0...1).contains(comparison.pValue), "A p-value: \(comparison.pValue)") }
            _ = SampleComparison(sample, with: base, spread: .larger, family: 3)
            _ = sample.interval(confidence: 0.95)
            _ = WelchTest(sample, with: base)
        }
        let weights = counts.map { Double($0 % 1_000_001) }
        if let test = SampleRatioTest([.init(weights: weights, counts: counts)]) {
            try require((0...1).contains(test.pValue), "A p-value: \(test.pValue)")
        }
    }
}
