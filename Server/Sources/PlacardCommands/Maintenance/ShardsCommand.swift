import ArgumentParser
import CardStore
import CommandSettings
import Foundation
import PostgresCardStore
import ShardedCardStore
import WireJSON

/// The command `placard shards`.
struct ShardsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shards",
        abstract: "Spreads users over several PostgreSQL databases.",
        discussion: """
            The database of an installation is its home: it has campaigns, the team and users. Further databases have \
            users only. All data of a user is in one of them.
            """,
        subcommands: [ShardsAdd.self, ShardsBalance.self, ShardsList.self, ShardsRemove.self, ShardsSet.self]
    )
}

/// The command `placard shards add`.
struct ShardsAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds an empty database for users.",
        discussion: """
            placard shards add postgres://db2/cards --database postgres://db1/cards

            Where there are no users yet and no server runs, users are spread over all databases from then on. \
            Otherwise restart the servers, one after another, and run placard shards balance. The address is \
            encrypted in the home, with its password.

            Lists of processes show the command line. Keep passwords in libpq's password file, or give the address by \
            --address-file or, as -, by standard input, and that of the home by PLACARD_DATABASE.
            """
    )

    @OptionGroup var shard: ShardAddressOptions

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let (home, options) = try database.shardedHome()
        let (id, isUsed) = try await ShardedCardStore.addShard(
            try shard.url(),
            to: home,
            options: options,
            at: Date().timeIntervalSince1970,
            by: .command
        )
        if json { return Console.write(["shard": .integer(id), "needs_balance": .bool(!isUsed)]) }
        Console.write("The database is shard \(id).")
        if !isUsed {
            Console.note("Restart the servers, one after another, then run `placard shards balance`.")
        }
    }
}

/// The command `placard shards balance`.
struct ShardsBalance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "balance",
        abstract: "Moves users until each database has the same share of them.",
        discussion: """
            placard shards balance --database postgres://db1/cards

            Servers may run, and have to know all databases: those that ran when one was added have to be restarted \
            before. A user who is just being moved waits for some tenths of a second. The command can be interrupted, \
            and run again.

            Users that a database has although they are another one's, such as after a backup was restored, are \
            removed before, where they are proven to be no newer there than in their own database.

            With --without, a database gives its users to the others. It has to stay as long as it has events: \
            placard shards remove takes it away. Until then, give the option again whenever you run the command.
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: ArgumentHelp("A database that is to have no users; can be repeated.", valueName: "number"))
    var without: [Int] = []

    @Flag(help: "Removes users from databases that aren't theirs, also where they may be newer there.")
    var removeCopies = false

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let (home, options) = try database.shardedHome()
        var moves = 0
        var shown = -1
        try await ShardedCardStore.balance(
            home,
            options: options,
            without: Set(without),
            removingCopies: removeCopies
        ) { progress in
            moves = progress.moves
            // safe: a share from 0 to 1
            let percent = Int(progress.share * 100)
            guard percent > shown, !json else { return }
            shown = percent
            Console.note("\(percent) %")
        }
        if json { return Console.write(["moves": .integer(Int64(moves))]) }
        Console.write(
            without.isEmpty
                ? "Each database has the same share of users."
                : "Each of the other databases has the same share of users."
        )
    }
}

/// The command `placard shards list`.
struct ShardsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the databases that have users, with how many each has.",
        discussion: "One that doesn't answer is listed with what is in the way."
    )

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let (home, options) = try database.shardedHome()
        let shards = try await ShardedCardStore.shards(of: home, options: options)
        if json { return Console.write(["shards": .array(shards.map(Self.object))]) }
        for shard in shards { Console.write(Self.line(of: shard)) }
    }

    static func object(of shard: ShardedCardStore.Shard) -> JSONValue {
        var json: JSONObject = ["shard": .integer(shard.id), "users": shard.users.map(JSONValue.integer) ?? .null]
        if let failure = shard.failure { json["failure"] = .string(failure.message) }
        return .object(json)
    }

    static func line(of shard: ShardedCardStore.Shard) -> String {
        let name = shard.id == 0 ? "home" : "shard \(shard.id)"
        guard let users = shard.users else { return "\(name): \(shard.failure?.message ?? "It doesn't answer.")" }
        return "\(name): \(users) user\(users == 1 ? "" : "s"), \(shard.server ?? "")"
    }
}

/// The command `placard shards remove`.
struct ShardsRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Takes an empty shard away for good.",
        discussion: """
            placard shards remove 1 --database postgres://db1/cards

            Move its users away before, with placard shards balance --without 1, and wait until its events are no \
            longer kept. What was counted there goes to the home. Servers release the database within seconds; it can \
            be dropped then. No other shard gets the number.

            With --lost, a shard is removed whose database is gone. Its users, their events, what was counted there \
            and who was deleted there are lost; devices of these users come back as new users. Make sure that no \
            server reaches that database any more.

            Where users were being moved between it and another database, that one is asked for them, and has to \
            answer. Where it is gone as well, name it with --also-lost, and remove it in the same way afterwards.
            """
    )

    @Argument(help: "The number of the shard.")
    var shard: Int64

    @Flag(help: "Gives up a shard whose database is gone, with all that it had.")
    var lost = false

    @Option(help: ArgumentHelp("Another shard whose database is gone; can be repeated.", valueName: "number"))
    var alsoLost: [Int64] = []

    @Flag(help: "Writes JSON.")
    var json = false

    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard lost || alsoLost.isEmpty else {
            throw ValidationError("--also-lost is for a shard that is lost. Give --lost, too.")
        }
    }

    func run() async throws {
        let (home, options) = try database.shardedHome()
        let now = Date().timeIntervalSince1970
        guard lost else {
            try await ShardedCardStore.removeShard(shard, of: home, options: options, at: now, by: .command)
            if json { return Console.write(["shard": .integer(shard)]) }
            return Console.write("Shard \(shard) was removed. Its database can be dropped in a few seconds.")
        }
        let loss = try await ShardedCardStore.giveUpShard(
            shard,
            besides: Set(alsoLost),
            of: home,
            options: options,
            at: now,
            by: .command
        )
        if json { return Console.write(Self.object(of: loss, shard)) }
        for line in Self.lines(of: loss, shard) { Console.write(line) }
    }

    static func object(of loss: ShardedCardStore.ShardLoss, _ shard: Int64) -> JSONValue {
        var json: JSONObject = [
            "shard": .integer(shard), "lost_share": .number(loss.share), "lost_events": .integer(loss.events),
        ]
        switch loss.move {
        case nil: break
        case .returned(let place): json["move"] = ["outcome": "returned", "to": .integer(place)]
        case .kept(let place): json["move"] = ["outcome": "kept", "by": .integer(place)]
        case .lost: json["move"] = ["outcome": "lost"]
        }
        if !loss.kept.isEmpty { json["kept_by"] = .array(loss.kept.map(JSONValue.integer)) }
        return .object(json)
    }

    /// Says what is lost with a shard.
    static func lines(of loss: ShardedCardStore.ShardLoss, _ shard: Int64) -> [String] {
        // safe: a share from 0 to 1
        let percent = Int((loss.share * 100).rounded(.up))
        let lost = [
            "Shard \(shard) was removed. Lost are:",
            "- \(percent) % of users, with their cards; their devices come back as new users",
            "- the log of \(loss.events) event\(loss.events == 1 ? "" : "s"), as far as they were kept, and those that "
                + "no one had read yet",
            "- what was counted there, which reports no longer have",
            "- which users were deleted or merged there: a device can bring them back",
        ]
        let kept = loss.kept.map { place in
            "Users whose move to \(name(place)) was called off are there, as they were then, and aren't lost."
        }
        return lost + (loss.move.map(lines(of:)) ?? []) + kept
    }

    private static func name(_ place: Int64) -> String { place == 0 ? "the home" : "shard \(place)" }

    /// Says what comes of a move that was under way.
    private static func lines(of move: ShardedCardStore.LostMoveOutcome) -> [String] {
        switch move {
        case .returned(let place):
            ["The users who were being moved to it are in \(name(place)), as they were before that."]
        case .kept(let place): ["The users who were being moved from it are in \(name(place)), and aren't lost."]
        case .lost: ["- the users who were being moved, up to 50, who are among those above"]
        }
    }
}

/// The command `placard shards set`.
struct ShardsSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Changes the address of a shard, such as its host or its password.",
        discussion: """
            placard shards set 1 postgres://db3/cards --database postgres://db1/cards

            The database has to be the same shard. Servers use the address when they are started.
            """
    )

    @Argument(help: "The number of the shard.")
    var shard: Int64

    @OptionGroup var place: ShardAddressOptions

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Writes JSON.")
    var json = false

    func run() async throws {
        let (home, options) = try database.shardedHome()
        try await ShardedCardStore.setShard(
            shard,
            url: try place.url(),
            of: home,
            options: options,
            at: Date().timeIntervalSince1970,
            by: .command
        )
        if json { return Console.write(["shard": .integer(shard)]) }
        Console.write("Shard \(shard) has the new address.")
    }
}

extension DatabaseOptions {
    /// Returns the address of the home, and the options with which it is opened.
    fileprivate func shardedHome() throws -> (url: String, options: PostgresCardStore.Options) {
        guard case .postgres(let home) = try location() else {
            throw CommandError("Users can be spread over PostgreSQL databases only. Give --database postgres://….")
        }
        var options = PostgresCardStore.Options()
        options.migrates = false
        options.secretsKey = try secretsKey() ?? DatabaseLocation.postgresKey
        return (home, options)
    }
}
