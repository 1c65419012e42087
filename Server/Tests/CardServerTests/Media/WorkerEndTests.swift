import CardModel
import Foundation
import Testing
import WireJSON

@testable import CardServer

/// Whether the picture or the server is blamed for a picture that wasn't processed.
struct WorkerEndTests {
    private func error(_ end: WorkerEnd) -> ImageProcessingError? {
        do throws(ImageProcessingError) {
            _ = try end.images(within: 300, of: 30)
            return nil
        } catch {
            return error
        }
    }

    private func error(status: Int32, _ answer: WorkerEnd.WorkerAnswer = .complete([])) -> ImageProcessingError? {
        error(WorkerEnd(answer: answer, status: status, processorSeconds: 0.1))
    }

    @Test func `A picture is blamed for what its bytes do`() {
        #expect(error(status: 65) == .unreadable)
        #expect(error(status: 66) == .cropOutside)
        #expect(error(status: -SIGXCPU) == .tookTooLong)
        #expect(error(status: -SIGKILL, .tooLong) == .tookTooLong)
        #expect(error(status: -SIGSEGV) == .crashed("signal \(SIGSEGV)"))
        let busy = WorkerEnd(answer: .late, status: -SIGKILL, processorSeconds: 30)
        #expect(error(busy) == .tookTooLong)
    }

    @Test(arguments: [
        WorkerEnd(answer: .late, status: -9, processorSeconds: 0.1),
        WorkerEnd(answer: .late, status: -9, processorSeconds: 29.9),
        WorkerEnd(answer: .complete([]), status: 3, processorSeconds: 0.1),
        WorkerEnd(answer: .complete([]), status: 74, processorSeconds: 0.1),
        WorkerEnd(answer: .complete([]), status: -9, processorSeconds: 0.1),
        WorkerEnd(answer: .complete([]), status: 0, processorSeconds: 0.1),
        WorkerEnd(answer: .complete([1]), status: 0, processorSeconds: 0.1),
    ])
    func `The server is blamed for all else, and asks for another attempt`(end: WorkerEnd) throws {
        let cause = try #require(error(end))
        guard case .failed = cause else {
            Issue.record("\(cause)")
            return
        }
        let refusal = RequestError(cause)
        #expect(refusal.status == .serviceUnavailable)
        #expect(refusal.code == "unavailable")
        #expect(refusal.retryAfter == 5)
    }

    /// Runs a line of the shell in place of the program that processes pictures.
    private func error(ofShell line: String, patience: Duration) -> ImageProcessingError? {
        var images = ImageSubprocess()
        images.program = "/bin/sh"
        images.leading = ["-c", line]
        images.patience = patience
        do {
            _ = try images.process(Picture.alphaPNG, ImageJob(format: .png))
            return nil
        } catch {
            return error as? ImageProcessingError
        }
    }

    @Test func `A picture that uses up its time of the processor is refused, however long that takes`() {
        #expect(error(ofShell: "kill -XCPU $$", patience: .seconds(600)) == .tookTooLong)
        // A machine that is ten times as busy as it should be still gives a picture what it may cost.
        #expect(ImageSubprocess().patience >= .seconds(10 * ImageSubprocess.processorLimit))
    }

    @Test func `A process that gets no time of the processor is ended, and the picture isn't blamed`() throws {
        let cause = try #require(error(ofShell: "kill -STOP $$", patience: .milliseconds(50)))
        guard case .failed = cause else {
            Issue.record("\(cause)")
            return
        }
    }

    private static func withoutProgram(_ options: inout PlacardServer.Options) {
        var images = ImageSubprocess()
        images.program = "/nonexistent/placard"
        options.images = images
    }

    private static func withBrokenProgram(_ options: inout PlacardServer.Options) {
        var images = ImageSubprocess()
        images.program = "/bin/false"
        options.images = images
    }

    @Test func `A program that is missing or fails is answered 503, and no word against the picture`() async throws {
        for change in [Self.withoutProgram, Self.withBrokenProgram] {
            try await Workspace.run(change: change) { space in
                let answer = try await space.upload(Picture.alphaPNG)
                #expect(answer.status == 503)
                #expect(answer.code == "unavailable")
                #expect(answer.headers[.retryAfter] == "5")
            }
        }
    }
}
