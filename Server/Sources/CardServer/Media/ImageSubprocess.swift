import CardModel
import Foundation

/// Processes each picture in a process of its own, which may use little memory and time and has no secrets: whatever a
/// hostile picture does to it, the server goes on.
package struct ImageSubprocess: ImageProcessing {
    /// The name of the sub-command of `placard` that processes a picture.
    package static let command = "process-image"
    /// The bytes that a process may answer.
    private static let answerLimit = 128 << 20

    /// The program; `placard` beside the one that runs, such as a test, by default.
    var program = URL(fileURLWithPath: Self.runningProgram).deletingLastPathComponent().appending(path: "placard").path
    /// The arguments before those of the picture.
    var leading = [Self.command]
    /// The time for a picture, however little of the processor it gets: what a picture costs is limited by the
    /// process itself, in time of the processor, so that a busy machine refuses no picture that a free one takes.
    var patience = Duration.seconds(300)
    /// The seconds of the processor after which the process ends itself; see `image_worker.c`.
    static let processorLimit = 30.0

    package init() {}

    /// The program that runs, which has to have the sub-command, by whatever name it was installed.
    package static var ofThisProgram: ImageSubprocess {
        var images = ImageSubprocess()
        images.program = runningProgram
        return images
    }

    private static var runningProgram: String { Bundle.main.executablePath ?? CommandLine.arguments.first ?? "" }

    package func process(_ bytes: [UInt8], _ job: ImageJob) throws -> [ProcessedImage] {
        var arguments = leading + [job.format.rawValue, job.widths.map(String.init).joined(separator: ",")]
        if let crop = job.crop { arguments.append(crop.text) }
        let child = try WorkerProcess(program, arguments)
        let input = PictureEssentials.of(bytes, job.format)
        let answer = child.exchange(input, atMost: Self.answerLimit, until: .now + patience)
        let (status, processorSeconds) = child.end(killing: !answer.isComplete)
        return try WorkerEnd(answer: answer, status: status, processorSeconds: processorSeconds)
            .images(within: patience / .seconds(1), of: Self.processorLimit)
    }
}

/// A child process with one socket for its input and output.
private final class WorkerProcess {
    private let processID: pid_t
    private let socket: Int32

    /// Starts a program that has only its standard streams open, and no environment.
    init(_ path: String, _ arguments: [String]) throws(ImageProcessingError) {
        var pair: [Int32] = [-1, -1]
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw .failed("socketpair \(errno)") }
        // safe: two were made
        let (own, child) = (pair[0], pair[1])
        defer { close(child) }
        socket = own
        do throws(POSIXError) {
            processID = try SpawnedProcess.start(
                path,
                arguments,
                environment: [:],
                input: child,
                output: child,
                errors: nil
            )
        } catch {
            close(own)
            throw ImageProcessingError.failed("\(path) can't be started (\(error.code.rawValue))")
        }
    }

    /// Sends the input and returns the output.
    func exchange(
        _ input: [UInt8],
        atMost limit: Int,
        until end: ContinuousClock.Instant
    ) -> WorkerEnd.WorkerAnswer {
        var sent = 0
        while sent < input.count {
            guard wait(for: Int16(POLLOUT), until: end) else { return .late }
            let count = input[sent...].withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Self.flags) }
            // One that ended early says why by its status.
            if count < 0, errno != EINTR, errno != EAGAIN { break }
            // safe: a part of the input
            sent += max(0, count)
        }
        shutdown(socket, Int32(SHUT_WR))
        return receive(atMost: limit, until: end)
    }

    private func receive(atMost limit: Int, until end: ContinuousClock.Instant) -> WorkerEnd.WorkerAnswer {
        var output: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while output.count <= limit {
            guard wait(for: Int16(POLLIN), until: end) else { return .late }
            let count = recv(socket, &part, part.count, Self.flags)
            // safe: not negative, and a part of the buffer
            if count > 0 { output += part.prefix(count) }
            // A reset is the end of a process that didn't read its input.
            if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { return .complete(output) }
        }
        return .tooLong
    }

    #if canImport(Glibc)
    private static let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    #else
    private static let flags = MSG_DONTWAIT
    #endif

    private func wait(for events: Int16, until end: ContinuousClock.Instant) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            guard left > 0 else { return false }
            var poll = pollfd(fd: socket, events: events, revents: 0)
            // safe: at most a minute
            let count = Foundation.poll(&poll, 1, Int32(min(left.rounded(.up), 60_000)))
            if count > 0 { return true }
            if count < 0, errno != EINTR { return false }
        }
    }

    /// Waits for the end of the process.
    ///
    /// - Parameter isKilled: Whether it is ended; one that has closed its output ends by itself, and is given half a
    ///   minute.
    /// - Returns: Its status, or the negated number of a signal, and the time of the processor that it used.
    func end(killing isKilled: Bool) -> (status: Int32, processorSeconds: Double) {
        close(socket)
        if isKilled { kill(processID, SIGKILL) }
        var status: Int32 = 0
        var usage = rusage()
        var polls = 0
        while wait4(processID, &status, WNOHANG, &usage) == 0 {
            polls &+= 1
            if polls == 30_000 { kill(processID, SIGKILL) }
            usleep(1_000)
        }
        let signal = status & 0x7F
        return (signal == 0 ? status >> 8 & 0xFF : -signal, usage.ru_utime.inSeconds + usage.ru_stime.inSeconds)
    }
}

extension timeval {
    fileprivate var inSeconds: Double { Double(tv_sec) + Double(tv_usec) / 1_000_000 }
}
