/// The state of one compilation; it never leaves the call that compiles.
final class Compilation {
    /// The maximum number of problems that are gathered: whoever has so many looks at the first ones.
    private static let problemLimit = 50

    let source: [UInt8]
    let environment: LiquidEnvironment
    /// Whether problems are gathered instead of thrown.
    let isChecking: Bool
    private(set) var names: [String] = []
    private var ids: [ByteText: Int] = [:]
    private(set) var problems: [SyntaxError] = []
    var usage = LiquidReport.Usage()
    /// The names of a user that are printed without `default`, as they're written.
    private(set) var printed: Set<String> = []
    /// The names of a user that conditions look at, as they're written.
    private(set) var tested: Set<String> = []
    /// Whether a condition is being read.
    var isTesting = false

    init(source: [UInt8], environment: LiquidEnvironment, isChecking: Bool) {
        self.source = source
        self.environment = environment
        self.isChecking = isChecking
    }

    var isDialect: Bool { environment.dialect == .messaging }

    /// The number of a name in this template.
    func id(of name: String) -> Int {
        let key = ByteText(name)
        if let id = ids[key] { return id }
        ids[key] = names.count
        names.append(name)
        return names.count - 1
    }

    /// Throws a failure, or keeps it when problems are gathered and it is not the last of what can be said.
    func report(_ failure: SyntaxError) throws(SyntaxError) {
        guard isChecking, !failure.isFinal, problems.count < Self.problemLimit else { throw failure }
        problems.append(failure)
    }

    /// Notes what is read of a user, where a condition reads it.
    func noteRead(_ written: String?) {
        if isTesting, let written { tested.insert(written) }
    }

    /// Notes what a template prints.
    func notePrinted(_ output: FilteredExpression) {
        guard !output.filters.contains(where: { $0.filter.name == "default" }),
            case .path(let root, let steps) = output.base
        else { return }
        switch root {
        case .attribute(let name): if steps.isEmpty { printed.insert(Self.written(name)) }
        // safe: an id of these names
        case .name(let id): if let written = Self.written(names[id], steps) { printed.insert(written) }
        case .computed: break
        }
    }

    /// A property of the user as templates have it.
    static func written(_ attribute: String) -> String { "${\(attribute)}" }

    /// A custom attribute as templates have it, or `nil` for any other variable.
    static func written(_ variable: String, _ steps: [PathStep]) -> String? {
        guard variable == "custom_attribute", steps.count == 1, case .key(let name) = steps[0] else { return nil }
        return "\(variable).\(written(name))"
    }

    func text(_ range: Range<Int>) -> String {
        // safe: a region of the source
        String(bytes: source[range])
    }
}
