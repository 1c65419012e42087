import Testing
import WireJSON

@Suite("A reader is walked member by member")
struct WalkingTests {
    @Test("Members are matched by name, with escapes and without, and the rest is passed over")
    func walksObject() throws {
        let text = #"{"skip":{"a":[1,{"b":"}"}]},"n\u0061me":"x","count" : 3 ,"on":true,"none":null,"at":1.5}"#
        var found: [String] = []
        try JSONReader.read(text.utf8) { reader throws(JSONError) in
            try reader.beginObject()
            while let key = try reader.nextKey() {
                switch key {
                case "name": found.append(try reader.readString())
                case "count": found.append(String(try reader.readInteger()))
                case "on": found.append(String(try reader.readBool()))
                case "none": found.append(String(try reader.readNull()))
                case "at": found.append(String(try reader.readDouble()))
                default:
                    found.append("-\(key.string)")
                    try reader.skipValue()
                }
            }
        }
        #expect(found == ["-skip", "x", "3", "true", "true", "1.5"])
    }

    @Test("A name matches only the same bytes")
    func matchesBytes() throws {
        // The Kelvin sign is canonically a K, and é has two spellings.
        for (text, name) in [
            ("\"\u{212A}ey\"", "Key"), (#""\u212aey""#, "Key"), ("\"name2\"", "name"), ("\"nam\"", "name"),
        ] as [(String, StaticString)] {
            let matches = try JSONReader.read("{\(text):1}".utf8) { reader throws(JSONError) in
                try reader.beginObject()
                let matches = try reader.nextKey()?.matches(name)
                try reader.skipValue()
                _ = try reader.nextKey()
                return matches
            }
            #expect(matches == false)
        }
    }

    @Test("A name that is not ASCII can be matched and read")
    func readsOtherNames() throws {
        let name = try JSONReader.read(#"{"値":1}"#.utf8) { reader throws(JSONError) in
            try reader.beginObject()
            let key = try reader.nextKey()
            let found = key?.matches("値") == true ? key?.string : nil
            try reader.skipValue()
            _ = try reader.nextKey()
            return found
        }
        #expect(name == "値")
    }

    @Test("A value that is passed over ends with its last byte, before the space after it")
    func skips() throws {
        let text = Array(#"[ {"a" : [1, 2]} , "x" ]"#.utf8)
        let ends = try JSONReader.read(text) { reader throws(JSONError) in
            var ends: [Int] = []
            try reader.beginArray()
            while try reader.nextElement() {
                try reader.skipValue()
                ends.append(reader.offset)
            }
            return ends
        }
        #expect(ends == [16, 22])
    }

    @Test("The bytes of a string are handed over where it has no escapes")
    func readsBytes() throws {
        let counts = try JSONReader.read(#"["abc","a\nc","é",""]"#.utf8) { reader throws(JSONError) in
            var counts: [Int?] = []
            try reader.beginArray()
            while try reader.nextElement() { counts.append(try reader.readBytes { $0?.count }) }
            return counts
        }
        #expect(counts == [3, nil, 2, 0])
    }

    @Test("A value of another kind is refused", arguments: ["1", "\"a\"", "true", "null", "[]", "{}"])
    func refusesOtherKinds(text: String) {
        var taken = 0
        func count(_ body: (inout JSONReader) throws(JSONError) -> Void) {
            if (try? JSONReader.read(text.utf8, body)) != nil { taken += 1 }
        }
        count { reader throws(JSONError) in _ = try reader.readString() }
        count { reader throws(JSONError) in _ = try reader.readBool() }
        count { reader throws(JSONError) in _ = try reader.readDouble() }
        count { reader throws(JSONError) in if try !reader.readNull() { throw reader.error("not null") } }
        count { reader throws(JSONError) in
            try reader.beginArray()
            _ = try reader.nextElement()
        }
        count { reader throws(JSONError) in
            try reader.beginObject()
            _ = try reader.nextKey()
        }
        #expect(taken == 1)
    }

    @Test("Leaving a text before its end is an error")
    func demandsEnd() {
        #expect(throws: JSONError.self) {
            try JSONReader.read("[".utf8) { reader throws(JSONError) in try reader.beginArray() }
        }
        #expect(throws: JSONError.self) { try JSONReader.read("1".utf8) { _ throws(JSONError) in } }
    }

    @Test("Bytes that lie in pieces are read as well")
    func readsPieces() throws {
        let text = [Array("[1,".utf8), Array("2]".utf8)].joined()
        #expect(try JSONValue(parsing: text) == [1, 2])
    }
}
