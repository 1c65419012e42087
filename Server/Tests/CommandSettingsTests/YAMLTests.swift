import Testing
import WireJSON
import WireYAML

@Suite("YAML")
struct YAMLTests {
    @Test("says the same as JSON")
    func values() throws {
        // Given the kinds of value, in both spellings
        let yaml = "a: 1\nb: [true, 1.5, ~, x, '5', \"y\"]\nc: {d: 2027-01-31T09:00:00Z}\n"
        let json = #"{"a":1,"b":[true,1.5,null,"x","5","y"],"c":{"d":"2027-01-31T09:00:00Z"}}"#
        // Then both are the same value, in the same order
        #expect(try JSONValue(yaml: yaml) == JSONValue(parsing: json))
        #expect(try JSONValue(yaml: json).text == json)
    }

    @Test("that is wrong is refused with its line")
    func wrong() {
        let error = #expect(throws: YAMLError.self) { try JSONValue(yaml: "a: 1\nb: [1\nc: 2\n") }
        #expect(error?.line != nil)
        #expect(throws: YAMLError.self) { try JSONValue(yaml: "a: 1\na: 2") }
        #expect(throws: YAMLError.self) { try JSONValue(yaml: "[1]: 2") }
    }
}
