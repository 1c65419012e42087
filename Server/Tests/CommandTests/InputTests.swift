import CardModel
import Foundation
import Testing

@testable import PlacardCommands

/// What commands read from standard input and from files of text.
struct InputTests {
    /// Hands bytes over as standard input has them.
    private static func input<Value>(_ bytes: [UInt8], _ body: (FileHandle) throws -> Value) throws -> Value {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        Thread.detachNewThread {
            try? OutputTarget(descriptor: writer, name: "The pipe").writeAll(bytes)
            close(writer)
        }
        return try body(FileHandle(fileDescriptor: reader, closeOnDealloc: true))
    }

    @Test func `Standard input is read to its end, as a file is`() throws {
        let text = String(repeating: "春 \u{1F338}\r\n", count: 20_000)
        let read = try Self.input(Array(text.utf8)) { try TextFile.read("-", standardInput: $0) }
        #expect(read == text)
        let nothing = try Self.input([]) { try TextFile.read("-", standardInput: $0) }
        #expect(nothing.isEmpty)
    }

    @Test func `Standard input that can't be read is an error, and doesn't end the process`() throws {
        let closed = try #require(FileHandle(forWritingAtPath: "/dev/null"))
        let failure = #expect(throws: CommandError.self) {
            _ = try TextFile.read("-", standardInput: closed)
        }
        #expect(failure?.description == "Standard input can't be read.")
        withExtendedLifetime(closed) {}
    }

    @Test(
        "Bytes that are no UTF-8 are refused with the name of where they are",
        arguments: [[0xFF], [0x63, 0xE9], [0xC3], [0xED, 0xA0, 0x80], [0xFF, 0xFE, 0x61, 0x00]] as [[UInt8]]
    )
    func noText(_ bytes: [UInt8]) async throws {
        let failure = #expect(throws: CommandError.self) {
            _ = try Self.input(bytes) { try TextFile.read("-", standardInput: $0) }
        }
        #expect(failure?.description == "Standard input isn't UTF-8. Save it in that encoding.")
        try await CommandFolder.with { folder in
            let file = try folder.write(Data(bytes), to: "text")
            let refused = #expect(throws: CommandError.self) { _ = try TextFile.read(file) }
            #expect(refused?.description == "\(file) isn't UTF-8. Save it in that encoding.")
        }
    }

    @Test func `A folder, a link to nothing and no name are no files, and a link to a file is one`() async throws {
        try await CommandFolder.with { folder in
            let file = try folder.write("text", to: "file")
            let (link, dangling) = (folder.path("link"), folder.path("dangling"))
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
            try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: folder.path("none"))
            #expect(try TextFile.read(link) == "text")
            for wrong in [folder.path, dangling, "", folder.path("none"), file + "/under"] {
                let failure = #expect(throws: CommandError.self) { _ = try TextFile.read(wrong) }
                #expect(failure?.description == "There is no file \(wrong) that can be read.")
            }
        }
    }

    @Test(
        "A command that is given no file says so, without asking a server",
        arguments: [
            ["campaign", "apply"], ["content-types", "publish"], ["audience", "check"], ["audience", "reach"],
            ["liquid"],
        ]
    )
    func commands(_ words: [String]) async throws {
        try await CommandFolder.with { folder in
            for file in [folder.path("none.yaml"), folder.path] {
                let outcome = await CommandOutcome.run(words + [file])
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(file)")
                #expect(outcome.message == "There is no file \(file) that can be read.")
            }
        }
    }
}
