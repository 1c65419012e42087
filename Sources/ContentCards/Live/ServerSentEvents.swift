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
        let text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        if text.isEmpty {
            dispatch(&events)
        } else if !text.hasPrefix(":") {
            take(field: text)
        }
    }

    private mutating func take(field text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? parts[1] : ""
        if value.hasPrefix(" ") { value = value.dropFirst() }
        switch parts[0] {
        case "event": name = String(value)
        case "data": append(data: String(value))
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
