import Foundation

/// The end of the process of a picture: whether there are pictures, and if not, whether the picture or the server is at
/// fault.
struct WorkerEnd: Sendable, Hashable {
    /// The answer of a process.
    enum WorkerAnswer: Sendable, Hashable {
        /// All that it wrote, until it closed its output.
        case complete([UInt8])
        /// More than it may.
        case tooLong
        /// Nothing more in the time that it has.
        case late

        /// Whether the process closed its output.
        var isComplete: Bool {
            if case .complete = self { return true }
            return false
        }
    }

    /// The signals of a program that goes wrong by what it reads.
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP]

    /// The answer of the process.
    let answer: WorkerAnswer
    /// Its status, or the negated number of a signal.
    let status: Int32
    /// The seconds of the processor that it used.
    let processorSeconds: Double

    /// Returns the sizes that the process made.
    ///
    /// - Parameters:
    ///   - patience: The seconds that it had.
    ///   - limit: The seconds of the processor that a picture may cost.
    /// - Returns: The sizes, the largest first; at least one.
    /// - Throws: `ImageProcessingError.failed` for what another attempt might not meet, and else what is wrong with the
    ///   picture.
    func images(within patience: Double, of limit: Double) throws(ImageProcessingError) -> [ProcessedImage] {
        switch answer {
        case .tooLong: throw .tookTooLong
        case .late:
            // One that didn't get what a picture may cost was held up by something else than the picture.
            if processorSeconds >= limit { throw .tookTooLong }
            throw .failed("it didn't answer for \(patience) seconds, of which it computed \(processorSeconds)")
        case .complete(let bytes):
            if let error { throw error }
            guard let images = Self.read(bytes), !images.isEmpty else { throw .failed("its answer can't be read") }
            return images
        }
    }

    /// The error that the status of a process that closed its output tells, or `nil` where all went well.
    private var error: ImageProcessingError? {
        switch status {
        case 0: nil
        case 65: .unreadable
        case 66: .cropOutside
        case 69: .libraryMissing
        // safe: small constants, as below
        case -SIGXCPU: .tookTooLong
        // safe: as above
        case let status where Self.crashes.contains(-status): .crashed("signal \(-status)")
        default: .failed("status \(status)")
        }
    }

    /// Reads what the process wrote; see `image_worker.h`.
    static func read(_ answer: [UInt8]) -> [ProcessedImage]? {
        var rest = answer[...]
        var images: [ProcessedImage] = []
        func number() -> Int? {
            guard rest.count >= 4 else { return nil }
            defer { rest = rest.dropFirst(4) }
            return rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        while !rest.isEmpty {
            guard let width = number(), let height = number(), let frames = number(), let length = number(),
                length <= rest.count, width > 0, height > 0, frames > 0, length > 0
            else { return nil }
            // A picture that is narrower than several widths is the same for all of them.
            if images.last?.width != width {
                let bytes = Array(rest.prefix(length))
                images.append(ProcessedImage(width: width, height: height, frames: frames, bytes: bytes))
            }
            rest = rest.dropFirst(length)
        }
        return images
    }
}
