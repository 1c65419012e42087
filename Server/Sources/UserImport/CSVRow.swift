/// The fields of one CSV row, by RFC 4180.
package struct CSVRow: Equatable {
    /// The reason why a row cannot be read.
    package enum CSVError: String, Error {
        case unclosedQuote = "A quote is opened and not closed."
        case textAfterQuote = "After a closing quote a comma is expected."
        case notUTF8 = "The text is not UTF-8."
    }

    /// A field and whether it stood in quotes.
    package struct Field: Equatable {
        /// The text.
        package var text: String
        /// A quoted field is text, whatever it looks like.
        package var isQuoted: Bool
    }

    /// The fields in their order.
    package let fields: [Field]

    /// Reads a row.
    ///
    /// - Throws: What is wrong with it.
    package init(_ bytes: some Sequence<UInt8>) throws(CSVError) {
        var reader = Reader()
        for byte in bytes { try reader.take(byte) }
        fields = try reader.finish()
    }
}

extension CSVRow {
    private struct Reader {
        private enum Place {
            case start
            case unquoted
            case quoted
            case afterQuote
        }

        private var fields: [Field] = []
        private var current: [UInt8] = []
        private var place = Place.start

        mutating func take(_ byte: UInt8) throws(CSVError) {
            switch (place, byte) {
            case (.start, UInt8(ascii: "\"")): place = .quoted
            case (.quoted, UInt8(ascii: "\"")): place = .afterQuote
            case (.afterQuote, UInt8(ascii: "\"")):
                current.append(byte)
                place = .quoted
            case (.start, UInt8(ascii: ",")), (.unquoted, UInt8(ascii: ",")), (.afterQuote, UInt8(ascii: ",")):
                try endField()
            case (.afterQuote, _): throw .textAfterQuote
            case (.start, _):
                current.append(byte)
                place = .unquoted
            default: current.append(byte)
            }
        }

        private mutating func endField() throws(CSVError) {
            guard let text = String(validating: current, as: UTF8.self) else { throw .notUTF8 }
            fields.append(Field(text: text, isQuoted: place == .afterQuote))
            current.removeAll(keepingCapacity: true)
            place = .start
        }

        mutating func finish() throws(CSVError) -> [Field] {
            if place == .quoted { throw .unclosedQuote }
            try endField()
            return fields
        }
    }
}
