import Foundation
import Testing

@testable import PlacardCommands

@Suite("What a command writes")
struct OutputTests {
    @Test("is there as a whole, however little room there is at once")
    func whole() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let (reader, writer) = (FileHandle(fileDescriptor: ends[0], closeOnDealloc: true), ends[1])
        #expect(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
        let bytes = (0..<1_000_000).map { UInt8($0 % 251) }
        Thread.detachNewThread {
            try? OutputTarget(descriptor: writer, name: "The pipe").writeAll(bytes)
            close(writer)
        }
        let received = try #require(try reader.readToEnd())
        #expect(received.elementsEqual(bytes))
    }

    @Test("is an error, with its reason, where it can't be written")
    func unwritable() throws {
        let file = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        let target = OutputTarget(descriptor: file.fileDescriptor, name: "events.csv")
        let failure = #expect(throws: CommandError.self) { try target.writeAll("a".utf8) }
        #expect(failure?.description == "events.csv can't be written: Bad file descriptor.")
        #expect(throws: Never.self) { try target.writeAll("".utf8) }
        withExtendedLifetime(file) {}
    }
}
