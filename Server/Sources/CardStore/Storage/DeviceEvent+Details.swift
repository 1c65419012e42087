package import CardModel
import WireJSON

extension DeviceEvent {
    /// The details of an event beyond its type, card and time, as JSON; `nil` for none.
    package var details: [UInt8]? {
        switch kind {
        case .impression, .click, .dismissal, .sessionStart: return nil
        case .custom(let name):
            var writer = JSONWriter(capacity: 64 + (properties?.count ?? 0))
            writer.raw(#"{"name":"#)
            writer.string(name.text)
            return finish(&writer)
        case .purchase(let purchase):
            var writer = JSONWriter(capacity: 128 + (properties?.count ?? 0))
            writer.write(purchase)
            return finish(&writer)
        case .contentError(let problem):
            var writer = JSONWriter()
            writer.write(problem)
            return writer.bytes
        case .attributes(let changes):
            var writer = JSONWriter()
            writer.write(changes)
            return writer.bytes
        }
    }

    private func finish(_ writer: inout JSONWriter) -> [UInt8] {
        if let properties {
            writer.raw(#","properties":"#)
            writer.raw(properties)
        }
        writer.raw("}")
        return writer.bytes
    }
}

extension JSONWriter {
    /// Writes a purchase but for its closing brace.
    fileprivate mutating func write(_ purchase: DeviceEvent.Purchase) {
        raw(#"{"product_id":"#)
        string(purchase.productID)
        raw(#","currency":"#)
        string(purchase.currency)
        raw(#","price":"#)
        decimal(purchase.price)
        raw(#","quantity":"#)
        integer(purchase.quantity)
    }

    /// Writes which attributes were named, and not what was said of them: that is personal, and stands in the profile.
    fileprivate mutating func write(_ changes: AttributeChanges) {
        raw(#"{"names":["#)
        for (index, name) in (changes.standard.keys.map(\.rawValue) + changes.custom.keys).enumerated() {
            if index > 0 { raw(",") }
            string(name)
        }
        raw("]}")
    }

    fileprivate mutating func write(_ problem: DeviceEvent.ContentError) {
        raw("{")
        if let classType = problem.classType {
            raw(#""class_type":"#)
            string(classType)
            raw(",")
        }
        if let field = problem.field {
            raw(#""field":"#)
            string(field)
            raw(",")
        }
        raw(#""message":"#)
        string(problem.message)
        raw("}")
    }
}
