import ArgumentParser
import CardServer
import Dashboard
import Terminal
import WireJSON

/// The command `placard routes`.
struct Routes: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists every path that the server answers, with what a caller needs.",
        discussion: """
            placard routes

            For the rules of a proxy or firewall: apps need the paths of the surface device, backends those of \
            backends, and the team those of dashboard.
            """
    )

    @Flag(help: "Writes JSON.")
    var json = false

    @Flag(help: "Writes the page of the documentation.")
    var markdown = false

    func run() {
        let routes = RouteEntry.api + Dashboard.routeList
        if json { return Console.write(["routes": .array(routes.map(\.json))]) }
        if markdown { return Console.write(RouteEntry.document(routes)) }
        let heads = ["METHOD", "PATH", "SURFACE", "NEEDS", "PERMISSION", "RATE"]
        var table = TextTable(heads.map { .text($0) })
        for route in routes {
            let needs = route.needs ?? "nothing"
            let permissions = route.permissions.joined(separator: ",")
            table.add([route.method, route.path, route.surface, needs, permissions, route.rate])
        }
        Console.write(table.text)
    }
}

extension RouteEntry {
    /// The entry as the command writes it.
    fileprivate var json: JSONValue {
        [
            "method": .string(method), "path": .string(path), "surface": .string(surface),
            "needs": needs.map(JSONValue.string) ?? .null,
            "permission": permissions.first.map(JSONValue.string) ?? .null,
            "permissions": .array(permissions.map(JSONValue.string)), "rate": .string(rate),
        ]
    }
}
