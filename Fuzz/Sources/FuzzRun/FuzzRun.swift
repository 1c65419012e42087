import FuzzTargets
import LibFuzzer
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs libFuzzer over one target and holds each input to a bound of time and memory.
public enum FuzzRun {
    /// How many seconds of the processor one input may take.
    public static let longest = 1.0
    /// By how many bytes one input may raise the most memory that the process has had.
    public static let largestGrowth: UInt64 = 128 << 20

    // libFuzzer takes a plain function, which finds its target here.
    private static let target = Mutex<FuzzTarget?>(nil)

    /// Runs the target that the first argument names with libFuzzer's arguments after it; without one, lists the names.
    public static func main(_ targets: [FuzzTarget]) -> Int32 {
        guard CommandLine.arguments.count > 1 else {
            for target in targets { print(target.name, target.maximumLength) }
            return 0
        }
        let name = CommandLine.arguments[1]
        guard let found = targets.first(where: { $0.name == name }) else {
            print("There is no target \(name).")
            return 2
        }
        target.withLock { $0 = found }
        return drive(["fuzz-\(name)", "-max_len=\(found.maximumLength)"] + CommandLine.arguments.dropFirst(2))
    }

    private static func drive(_ arguments: [String]) -> Int32 {
        var count = Int32(arguments.count)
        // libFuzzer keeps the arguments, so they are never freed.
        let texts = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count + 1)
        for (index, argument) in arguments.enumerated() { texts[index] = strdup(argument) }
        texts[arguments.count] = nil
        var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = texts
        return LLVMFuzzerRunDriver(&count, &pointer) { bytes, count in
            FuzzRun.take(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        }
    }

    private static func take(_ input: [UInt8]) {
        guard let target = target.withLock({ $0 }) else { return }
        let (time, memory) = (placard_thread_seconds(), placard_peak_memory())
        do {
            try target.run(input)
        } catch {
            stop("FINDING \(target.name): \(error)")
        }
        let seconds = placard_thread_seconds() - time
        if seconds > longest { stop("FINDING \(target.name): takes \(seconds) s") }
        let growth = placard_peak_memory() - memory
        if growth > largestGrowth { stop("FINDING \(target.name): takes \(growth >> 20) MB") }
    }

    /// Ends the process in such a way that libFuzzer keeps the input.
    private static func stop(_ message: String) {
        print(message)
        fflush(nil)
        abort()
    }
}
