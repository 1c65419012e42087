import Foundation
import Testing

/// Tries inputs and holds each to a bound of time.
enum FuzzRun {
    /// How many changed inputs each target gets; `PLACARD_FUZZ_MUTATIONS` says another number.
    static let mutationCount = variable("PLACARD_FUZZ_MUTATIONS").flatMap { Int($0) } ?? 4_000

    /// The targets that are tried, or `nil` for all: `PLACARD_FUZZ_TARGETS`.
    static let names = variable("PLACARD_FUZZ_TARGETS").map { $0.split(separator: ",").map(String.init) }

    /// Whether every input is printed before it is tried, so that the last line is the one that ended the process:
    /// `PLACARD_FUZZ_TRACE=1`.
    private static let isTracing = variable("PLACARD_FUZZ_TRACE") == "1"

    /// How many seconds of the processor one input may take; builds for tests are many times slower than releases, for
    /// which `make fuzz` allows one second.
    private static let longest = 8.0

    static func take(_ input: FuzzInput, _ target: FuzzTarget) throws {
        if isTracing { FileHandle.standardError.write(Data("\(target.name) \(input.line)\n".utf8)) }
        let start = processorSeconds
        do {
            try target.run(input.bytes)
        } catch {
            Issue.record("\(target.name): \(error)\n\(input.line)")
        }
        let seconds = processorSeconds - start
        #expect(seconds < longest, "\(target.name) takes \(seconds) s for \(input.line)")
    }

    /// The time of the processor that this thread has taken.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
