import HTTPTypes
import WireJSON

/// Reads the one file of a form that is `multipart/form-data`, in the pieces in which it arrives.
struct MultipartFile {
    private enum Place {
        /// Before the first part, or in one that is no file.
        case skipping
        case headers
        case file
        case end
    }

    private static let headerLimit = 4_096
    /// The maximum number of parts before the file: many times what a page's form has.
    private static let partLimit = 100
    private static let endOfHeaders = Array("\r\n\r\n".utf8)
    private static var unknownField: FormBounds.Exceeded {
        FormBounds.Exceeded(message: localized("The form has an unknown field. Reload the page and try again."))
    }

    private let delimiter: [UInt8]
    // The first delimiter has no line break before it.
    private var buffer = Array("\r\n".utf8)
    /// The number of bytes of the buffer that are read; they are removed once for each piece.
    private var read = 0
    private var parts = 0
    private var place = Place.skipping
    /// The number of bytes that have come before the file.
    // bounded: by the size of a body
    // Of the line break that isn't there.
    private var taken = -2
    /// The name of the file; empty where none was chosen, `nil` where it hasn't arrived.
    private(set) var fileName: String?

    /// Whether the form has arrived.
    var isComplete: Bool { place == .end }

    /// Reads the type of a body, or returns `nil` where it is none of a form with files.
    init?(contentType: String) {
        let parts = contentType.split(at: ";").map { $0.trimmingSpaces }
        guard parts.first?.lowercased() == "multipart/form-data",
            let parameter = parts.first(where: { $0.lowercased().hasPrefix("boundary=") })
        else { return nil }
        let boundary = parameter.dropFirst("boundary=".count).split(at: "\"").joined()
        guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// The number of bytes of the file, which is the last part, in a body of that length.
    func fileSize(ofBody length: Int) -> Int {
        // safe: a length that was checked, and bytes that have arrived
        max(0, length - taken - delimiter.count - "--\r\n".utf8.count)
    }

    /// Takes a piece of the body, and returns what it has of the file.
    ///
    /// - Throws: `FormBounds.Exceeded` where the head of a part is too long, or there are more than 100 parts.
    mutating func take(_ bytes: some Collection<UInt8>) throws(FormBounds.Exceeded) -> [UInt8] {
        buffer += bytes
        var found: [UInt8] = []
        while try step(&found) {}
        // safe: a place in the buffer
        buffer.removeFirst(read)
        read = 0
        return found
    }

    /// Goes on in the buffer, and returns whether there may be more to do.
    private mutating func step(_ found: inout [UInt8]) throws(FormBounds.Exceeded) -> Bool {
        switch place {
        case .skipping, .file: return passContent(&found)
        case .headers: return try readHeaders()
        case .end:
            read = buffer.count
            return false
        }
    }

    private mutating func passContent(_ found: inout [UInt8]) -> Bool {
        let end = position(of: delimiter)
        let next = end ?? max(read, buffer.count - delimiter.count)
        // safe: not before what is read
        if place == .file { found += buffer[read..<next] }
        pass(to: next)
        guard let end, buffer.count >= end + delimiter.count + 2 else { return false }
        let after = end + delimiter.count
        // safe: see above
        let isLast = buffer[after..<(after + 2)].elementsEqual("--".utf8)
        pass(to: after)
        place = isLast || place == .file ? .end : .headers
        return true
    }

    private mutating func readHeaders() throws(FormBounds.Exceeded) -> Bool {
        guard let end = position(of: Self.endOfHeaders) else {
            // What has arrived of its end may be the last of it.
            guard buffer.count - read < Self.headerLimit + Self.endOfHeaders.count else { throw Self.unknownField }
            return false
        }
        // A head is as long in one piece as in many.
        guard end - read <= Self.headerLimit else { throw Self.unknownField }
        parts += 1
        guard parts <= Self.partLimit else { throw Self.unknownField }
        // safe: found after what is read
        fileName = Self.fileName(in: String(decoding: buffer[read..<end], as: UTF8.self))
        pass(to: end + Self.endOfHeaders.count)
        place = fileName == nil ? .skipping : .file
        return true
    }

    /// Goes on at a place in the buffer.
    private mutating func pass(to next: Int) {
        if place != .file { taken += next - read }
        read = next
    }

    private func position(of text: [UInt8]) -> Int? {
        guard let first = text.first, buffer.count - read >= text.count else { return nil }
        // safe: not below the bytes that are read
        for start in read...(buffer.count - text.count) where buffer[start] == first {
            // safe: within the buffer
            if buffer[start..<(start + text.count)].elementsEqual(text) { return start }
        }
        return nil
    }

    /// The name that the head of a part says, without folders.
    private static func fileName(in head: String) -> String? {
        guard
            let line = head.split(atAnyOf: "\r\n").first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
            let match = line.firstMatch(of: /; *filename="([^"]*)"/.matchingSemantics(.unicodeScalar))
        else { return nil }
        let name = match.1.replacing(/%22/.matchingSemantics(.unicodeScalar), with: "\"")
        let bytes = name.utf8
        let start = bytes.lastIndex { "/\\".utf8.contains($0) }.map(bytes.index(after:)) ?? bytes.startIndex
        // safe: a place in the name
        return String(name[start...])
    }
}
