/// What one compilation knows and gathers; it never leaves the call that compiles.
final class Compilation {
    /// How many problems are gathered: whoever has so many looks at the first ones.
    private static let problemLimit = 50

    let source: [UInt8]
    let environment: LiquidEnvironment
    /// Whether problems are gathered instead of thrown.
    let isChecking: Bool
    private(set) var names: [String] = []
    private var ids: [String: Int] = [:]
    private(set) var problems: [SyntaxFailure] = []
    var usage = LiquidReport.Usage()

    init(source: [UInt8], environment: LiquidEnvironment, isChecking: Bool) {
        self.source = source
        self.environment = environment
        self.isChecking = isChecking
    }

    var isDialect: Bool { environment.dialect == .messaging }

    /// The number of a name in this template.
    func id(of name: String) -> Int {
        if let id = ids[name] { return id }
        ids[name] = names.count
        names.append(name)
        return names.count - 1
    }

    /// Throws a failure, or keeps it when problems are gathered and it is not the last of what can be said.
    func report(_ failure: SyntaxFailure) throws(SyntaxFailure) {
        guard isChecking, !failure.isFinal, problems.count < Self.problemLimit else { throw failure }
        problems.append(failure)
    }

    func text(_ range: Range<Int>) -> String {
        // safe: a region of the source
        String(bytes: source[range])
    }
}
