import Testing

@testable import placard

@Suite("What the doctor says of the server")
struct DoctorTests {
    @Test("That none answers at a port doesn't mean that none runs")
    func elsewhere() async {
        let inUse = await ServerCheck(host: "127.0.0.1", port: 8080, isDatabaseInUse: true).check(.free)
        #expect(inUse.level == .warning && inUse.command == "placard doctor --host HOST --port PORT")
        let idle = await ServerCheck(host: "127.0.0.1", port: 8080, isDatabaseInUse: false).check(.free)
        #expect(idle.level == .good && idle.command == nil)
    }
}
