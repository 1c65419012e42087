import CommandSettings
import Foundation
import LiveTesting
import Synchronization
import Testing

@testable import CardServer
@testable import PlacardCommands

/// A clock on which nobody waits: before each look something happens, until nothing is left.
private final class StepClock: Clock {
    private let steps: Mutex<[@Sendable () -> Void]>
    let now = ContinuousClock.now
    let minimumResolution = Duration.zero

    init(_ steps: [@Sendable () -> Void]) { self.steps = Mutex(steps) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        guard let step = steps.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { throw CancellationError() }
        step()
    }
}

@Suite("The socket on which a server listens")
struct ListeningPlaceTests {
    private let path = "/tmp/placard-\(UInt32.random(in: .min ... .max))"
    private let log = RecordedLog()

    private func place(_ options: inout PlacardServer.Options) throws -> ListeningPlace {
        try ListeningPlace(LocalSocket(path: SettingValues.Value(text: path, origin: "test")), &options)
    }

    @Test("is put back where something removes it, with a line each time, and goes when the server ends")
    func removed() async throws {
        var options = PlacardServer.Options()
        let place = try place(&options)
        let source = try #require(options.socket)
        let first = try source.listen()
        let path = path
        let clock = StepClock([{}, { unlink(path) }, {}, { unlink(path) }, {}])
        await place.watch(log.logger(.info), clock)
        #expect(LocalSocket.look(at: path) == .taken)
        #expect(log.messages.count == 2)
        #expect(log.messages.allSatisfy { $0.contains("was put back") })
        var found: [Int32] = []
        for await descriptor in source.replacements {
            found.append(descriptor)
            if found.count == 2 { break }
        }
        try await place.kept(log.logger(.info), clock: StepClock([])) {}
        #expect(LocalSocket.look(at: path) == .free)
        for descriptor in [first] + found { close(descriptor) }
    }

    @Test("stays another's where that has taken its path, which is said once")
    func taken() async throws {
        var options = PlacardServer.Options()
        let place = try place(&options)
        let first = try #require(options.socket).listen()
        let path = path
        let take: @Sendable () -> Void = {
            unlink(path)
            _ = FileManager.default.createFile(atPath: path, contents: Data("mine".utf8))
        }
        await place.watch(log.logger(.info), StepClock([take, {}, {}]))
        #expect(log.messages == ["The socket is gone, so that no one can connect, and can't be put back"])
        try await place.kept(log.logger(.info), clock: StepClock([])) {}
        #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
        unlink(path)
        close(first)
    }

    @Test("is put back a bounded number of times")
    func bounded() async throws {
        var options = PlacardServer.Options()
        let place = try place(&options)
        let source = try #require(options.socket)
        var descriptors = [try source.listen()]
        let path = path
        let remove: @Sendable () -> Void = { unlink(path) }
        let steps = Array(repeating: remove, count: ListeningPlace.replacementLimit + 5)
        await place.watch(log.logger(.info), StepClock(steps))
        #expect(log.messages.count == ListeningPlace.replacementLimit + 1)
        #expect(LocalSocket.look(at: path) == .free)
        for await descriptor in source.replacements {
            descriptors.append(descriptor)
            if descriptors.count > ListeningPlace.replacementLimit { break }
        }
        for descriptor in descriptors { close(descriptor) }
    }
}
