extension Renderer {
    /// Puts out a value.
    mutating func put(_ value: LiquidValue) throws(LiquidError) {
        if json == nil { try value.write(to: &output) } else { try putInJSON(value, isEscaped: false) }
    }

    /// Puts out text that the template itself consists of, or that was put out apart at the same position.
    mutating func put(literal text: String) throws(LiquidError) {
        try output.append(text)
        if json != nil { json?.advance(past: text.utf8) }
    }

    /// Puts out what an expression computes, where the text becomes JSON.
    mutating func printInJSON(_ expression: FilteredExpression) throws(LiquidError) {
        // A content block is part of the template: its outputs are escaped one by one, each where it stands.
        if expression.filters.isEmpty, case .contentBlock(let name) = expression.base, json?.isInString == false {
            try meter.spend(Work.expression)
            return try renderContentBlock(name)
        }
        let value = try value(of: expression)
        try putInJSON(value, isEscaped: expression.filters.last?.filter.name == MessagingFilters.jsonEscapeName)
    }

    /// Puts out a value, which may be escaped already, so that it can't end the string in which it stands; outside of
    /// strings as it is.
    private mutating func putInJSON(_ value: LiquidValue, isEscaped: Bool) throws(LiquidError) {
        let start = output.count
        if json?.isInString == true {
            // A backslash right before an output stands for itself: it would take the first byte of the value
            // otherwise.
            if json?.isEscaped == true { try output.append(UInt8(ascii: "\\")) }
            let text = try value.text(meter)
            if isEscaped { try output.append(text) } else { try LiquidJSON.escape(text, to: &output) }
        } else {
            try value.write(to: &output)
        }
        // safe: the output has only grown
        json?.advance(past: output.bytes[start...])
    }
}
