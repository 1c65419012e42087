import HTTPTypes

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
    private static let carriageReturn = UInt8(ascii: "\r")

    private let delimiter: [UInt8]
    // The first delimiter has no line break before it.
    private var buffer = Array("\r\n".utf8)
    private var place = Place.skipping
    /// How many bytes have come before the file.
    // bounded: by the size of a body
    // Of the line break that isn't there.
    private var taken = -2
    /// The name of the file; empty where none was chosen, `nil` where it hasn't arrived.
    private(set) var fileName: String?

    /// Whether the form has arrived.
    var isComplete: Bool { place == .end }

    /// Reads the type of a body, or returns `nil` where it is none of a form with files.
    init?(contentType: String) {
        let parts = contentType.split(separator: ";").map { $0.trimmingSpaces }
        guard parts.first?.lowercased() == "multipart/form-data",
            let parameter = parts.first(where: { $0.lowercased().hasPrefix("boundary=") })
        else { return nil }
        let boundary = parameter.dropFirst("boundary=".count).filter { $0 != "\"" }
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
    /// - Throws: `FormBounds.Exceeded` where the head of a part is too long.
    mutating func take(_ bytes: some Collection<UInt8>) throws(FormBounds.Exceeded) -> [UInt8] {
        buffer += bytes
        var found: [UInt8] = []
        while try step(&found) {}
        return found
    }

    /// Goes on in the buffer, and returns whether there may be more to do.
    private mutating func step(_ found: inout [UInt8]) throws(FormBounds.Exceeded) -> Bool {
        switch place {
        case .skipping, .file: return passContent(&found)
        case .headers: return try readHeaders()
        case .end:
            buffer = []
            return false
        }
    }

    private mutating func passContent(_ found: inout [UInt8]) -> Bool {
        let end = position(of: delimiter)
        let count = end ?? max(0, buffer.count - delimiter.count)
        // safe: not below 0
        if place == .file { found += buffer.prefix(count) }
        drop(count)
        guard end != nil else { return false }
        guard buffer.count >= delimiter.count + 2 else { return false }
        // safe: found there
        let isLast = buffer[delimiter.count..<(delimiter.count + 2)].elementsEqual("--".utf8)
        drop(delimiter.count)
        place = isLast || place == .file ? .end : .headers
        return true
    }

    private mutating func readHeaders() throws(FormBounds.Exceeded) -> Bool {
        guard let end = position(of: Array("\r\n\r\n".utf8)) else {
            guard buffer.count <= Self.headerLimit else {
                throw FormBounds.Exceeded(
                    message: localized("The form has an unknown field. Reload the page and try again.")
                )
            }
            return false
        }
        // safe: found there
        fileName = Self.fileName(in: String(decoding: buffer.prefix(end), as: UTF8.self))
        drop(end + 4)
        place = fileName == nil ? .skipping : .file
        return true
    }

    private mutating func drop(_ count: Int) {
        // safe: places in the buffer
        buffer = Array(buffer.dropFirst(count))
        if place != .file { taken += count }
    }

    private func position(of text: [UInt8]) -> Int? {
        guard let first = text.first, buffer.count >= text.count else { return nil }
        // safe: not below 0
        for start in 0...(buffer.count - text.count) where buffer[start] == first {
            // safe: within the buffer
            if buffer[start..<(start + text.count)].elementsEqual(text) { return start }
        }
        return nil
    }

    /// The name that the head of a part says, without folders.
    private static func fileName(in head: String) -> String? {
        guard
            let line = head.split(atAnyOf: "\r\n").first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
            let match = line.firstMatch(of: /; *filename="([^"]*)"/)
        else { return nil }
        let name = match.1.replacing("%22", with: "\"")
        return name.split(atAnyOf: "/\\").last.map(String.init) ?? String(name)
    }
}
