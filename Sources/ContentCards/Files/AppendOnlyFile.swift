import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that only grows, by whole records or not at all.
final class AppendOnlyFile: Sendable {
    private let descriptor: Int32
    private let writing: FileWriting

    /// Opens the file, creating it where it is not there.
    ///
    /// Throws the reason as a sentence.
    init(path: String, writing: FileWriting) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError("open", errno) }
        FileProtection.apply(toItemAtPath: path)
        self.descriptor = descriptor
        self.writing = writing
    }

    deinit { close(descriptor) }

    /// Appends all of the bytes with one write.
    ///
    /// A write that falls short is taken back.
    func append(_ text: String, length: Int) throws(FileError) {
        var text = text
        let (count, code) = text.withUTF8 { bytes in
            let count = writing.write(descriptor, UnsafeRawBufferPointer(bytes))
            return (count, errno)
        }
        guard count != text.utf8.count else { return }
        if count > 0 { ftruncate(descriptor, off_t(length)) }
        throw FileError("write", count < 0 ? code : ENOSPC)
    }

    /// Waits until what was appended is on the medium.
    func synchronize() {
        fsync(descriptor)
    }
}

/// Says which operation on a file failed and why.
struct FileError: Error, CustomStringConvertible {
    let description: String

    init(_ operation: String, _ code: Int32) {
        description = "\(operation): \(String(cString: strerror(code)))"
    }

    init(_ description: String) {
        self.description = description
    }
}
