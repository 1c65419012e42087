/// One way into the system that takes what comes from outside.
public struct FuzzTarget: Sendable {
    /// What the corpus, the dictionary and the command line call it.
    public let name: String
    /// How long inputs become, in bytes.
    public let maximumLength: Int
    /// How many times longer than usual an input takes; the ordinary test tries as many times fewer.
    public let slowness: Int
    /// Tries one input.
    ///
    /// Throws ``Finding`` where what comes back cannot be right; a crash speaks for itself.
    public let run: @Sendable ([UInt8]) throws -> Void

    /// Makes a target.
    public init(
        _ name: String,
        maximumLength: Int = 4_096,
        slowness: Int = 1,
        run: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.name = name
        self.maximumLength = maximumLength
        self.slowness = slowness
        self.run = run
    }
}

/// Says what is wrong with what came back.
public struct Finding: Error, CustomStringConvertible {
    /// What is wrong.
    public let description: String

    /// Makes a finding.
    public init(_ description: String) { self.description = description }
}

/// Throws where a claim does not hold.
public func require(_ claim: Bool, _ message: @autoclosure () -> String) throws(Finding) {
    if !claim { throw Finding(message()) }
}

/// Throws where two values that have to be the same are not.
public func requireSame<Value: Equatable>(
    _ left: Value,
    _ right: Value,
    _ message: @autoclosure () -> String
) throws(Finding) {
    if left != right { throw Finding("\(message()): \(left) is not \(right)") }
}

/// An input cut into parts, which a zero byte divides; a part that is not there is empty.
public struct Parts: Sendable {
    private let parts: [ArraySlice<UInt8>]

    /// Cuts an input into at most that many parts.
    public init(_ input: [UInt8], count: Int) {
        parts = input.split(separator: 0, maxSplits: count - 1, omittingEmptySubsequences: false)
    }

    /// The bytes of a part.
    public subscript(index: Int) -> [UInt8] { index < parts.count ? Array(parts[index]) : [] }

    /// A part as a text; what is not UTF-8 is replaced.
    public func text(_ index: Int) -> String { String(decoding: self[index], as: UTF8.self) }
}
