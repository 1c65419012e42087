import Foundation
import Logging
import Testing

@testable import CardServer

/// The priorities of lines in systemd's journal.
struct JournalPriorityTests {
    @Test func `Only the stream that systemd names is the journal's`() throws {
        let (one, other) = (Pipe(), Pipe())
        let descriptor = one.fileHandleForWriting.fileDescriptor
        var status = stat()
        try #require(fstat(descriptor, &status) == 0)
        let stream = "\(status.st_dev):\(status.st_ino)"
        #expect(JournalPriority.isJournal(descriptor, stream: stream))
        #expect(!JournalPriority.isJournal(other.fileHandleForWriting.fileDescriptor, stream: stream))
        for text in ["", "1", stream + "0", "0:\(status.st_ino)"] {
            #expect(!JournalPriority.isJournal(descriptor, stream: text))
        }
        #expect(!JournalPriority.isJournal(descriptor, stream: nil) && !JournalPriority.isJournal(-1, stream: stream))
    }

    @Test func `Errors have a priority that journalctl -p err shows, and what is less important none of those`() {
        let prefixes = ["<0>", "<1>", "<2>", "<3>"]
        let shown = Logger.Level.allCases.filter { prefixes.contains(JournalPriority.prefix(of: $0)) }
        #expect(shown == [.error, .critical])
        #expect(JournalPriority.prefix(of: .warning) == "<4>" && JournalPriority.prefix(of: .notice) == "<5>")
    }
}
