import ArgumentParser
import CardModel
import CardStore
import Foundation
import WireJSON

/// The command `placard audit`.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Checks the audit log.",
        subcommands: [AuditVerify.self]
    )
}

/// The command `placard audit verify`.
struct AuditVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Finds entries of the audit log that were changed or are missing.",
        discussion: """
            placard audit verify --database sqlite:cards.sqlite
            placard audit verify --expect 1234:9f86…

            Each entry has a hash over itself and the entry before it. The command prints how the log ends. Keep that \
            elsewhere, and give it with --expect later: a log that was written again as a whole shows too.
            """
    )

    @Option(help: "How the log ended earlier, as this command printed it.")
    var expect: String?

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func validate() throws {
        if let expect, AuditChain.Mark(expect) == nil {
            throw ValidationError("--expect is a number, a colon and 64 hexadecimal digits, or 0: for an empty log.")
        }
    }

    func run() async throws {
        let mark = expect.flatMap { AuditChain.Mark($0) }
        let (chain, problems) = try await database.withStore(for: .reading) { store in
            try await store.verifyAudit(expecting: mark)
        }
        if json {
            Console.write([
                "entries": .integer(chain.last.count), "pruned": .integer(chain.anchor.count),
                "end": .string(chain.last.description),
                "problems": .array(problems.map { .string($0.description) }),
            ])
        } else {
            for problem in problems { Console.write(problem.description) }
            if problems.isEmpty {
                let beginning = chain.last.count == 0 ? "The audit log is empty." : "The audit log is whole."
                Console.write("\(beginning) It ends with \(chain.last).")
            }
        }
        guard problems.isEmpty else { throw ExitCode.failure }
    }
}
