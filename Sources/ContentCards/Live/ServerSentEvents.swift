/// Reads server-sent events from bytes as they come.
///
/// A pure value: pieces of any size go in, whole events come out. Comments are no events.
struct ServerSentEvents: Sendable {
    struct Event: Sendable, Equatable {
        var name = "message"
        var data = ""
    }

    /// Neither a line nor the data of an event may be longer; a server that sends them is not ours.
    private static let longest = 64 * 1024

    private var line: [UInt8] = []
    private var name = ""
    private var data: [String] = []
    private var dataSize = 0
    private var endedWithReturn = false
    private(set) var isOverflown = false

    mutating func read(_ bytes: some Sequence<UInt8>) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            let follows = endedWithReturn
            endedWithReturn = byte == UInt8(ascii: "\r")
            switch byte {
            case UInt8(ascii: "\n") where follows: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): endLine(&events)
            default: append(byte)
            }
        }
        return events
    }

    private mutating func append(_ byte: UInt8) {
        if line.count < Self.longest { line.append(byte) } else { isOverflown = true }
    }

    private mutating func endLine(_ events: inout [Event]) {
        let ended = line
        line.removeAll(keepingCapacity: true)
        if ended.isEmpty {
            dispatch(&events)
        } else if ended.first != UInt8(ascii: ":") {
            take(field: ended)
        }
    }

    /// Takes a field by its bytes: a mark behind a colon or a space makes another character of both.
    private mutating func take(field line: [UInt8]) {
        let field = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(field.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: field, as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data": append(data: String(decoding: value, as: UTF8.self))
        default: break
        }
    }

    private mutating func append(data value: String) {
        // An empty line takes up memory too.
        dataSize += value.utf8.count + 1
        if dataSize <= Self.longest { data.append(value) } else { isOverflown = true }
    }

    private mutating func dispatch(_ events: inout [Event]) {
        defer {
            name = ""
            data = []
            dataSize = 0
        }
        guard !name.isEmpty || !data.isEmpty else { return }
        events.append(Event(name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n")))
    }
}
