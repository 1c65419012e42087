#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes bytes to a file descriptor.
///
/// A seam, so that a test can fill the disk.
struct FileWriting: Sendable {
    /// Returns how many bytes were written, or -1 with `errno` set, like `write(2)`.
    var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int

    static let system = FileWriting { descriptor, bytes in
        while true {
            let count = systemWrite(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
