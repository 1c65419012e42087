public import CardStore
public import PostgresCardStore

extension ShardedCardStore {
    /// Looks at all databases of an installation as an operator would, and changes nothing.
    ///
    /// - Parameters:
    ///   - url: The address of the home, or of the only database.
    ///   - secretsKey: Where the keys for secrets come from.
    ///   - isFull: Whether all of a large database is read.
    /// - Returns: What was found of the home, and then of each shard, under names that have its number.
    public static func diagnose(url: String, secretsKey: SecretsKeySource, isFull: Bool) async -> [StoreFinding] {
        var findings = await PostgresCardStore.diagnose(url: url, secretsKey: secretsKey, isFull: isFull)
        let isReadable = !findings.contains { finding in
            ["database", "schema", "objects"].contains(finding.subject) && finding.level == .bad
        }
        guard isReadable else { return findings }
        do {
            let register = try await PostgresCardStore.shardRegister(url: url, secretsKey: secretsKey)
            if let finding = StoreFinding(register) { findings.append(finding) }
            if let finding = await diagnoseCopies(ShardAddress(shard: 0, url: url), register) {
                findings.append(finding)
            }
            for address in register.addresses {
                findings += await diagnose(address, register, isFull: isFull)
            }
        } catch {
            let command = "placard doctor --secrets-key-file FILE"
            findings.append(
                StoreFinding(level: .bad, subject: "shards", message: "\(error)", command: command)
            )
        }
        return findings
    }

    /// Says which steps are pending in all databases of an installation, and changes nothing.
    ///
    /// - Parameters:
    ///   - url: The address of the home, or of the only database.
    ///   - secretsKey: Where the keys for secrets come from.
    /// - Returns: The steps, those of shards with their numbers, and how large the databases are together.
    /// - Throws: `StoreError` where a database can't be reached, or can't be migrated at all.
    public static func migrationPlan(
        url: String,
        secretsKey: SecretsKeySource
    ) async throws -> PostgresCardStore.MigrationPlan {
        var plan = try await PostgresCardStore.migrationPlan(url: url)
        // A home of before there were shards has none.
        guard !plan.steps.contains(PostgresCardStore.shardsMigration) else { return plan }
        let register = try await PostgresCardStore.shardRegister(url: url, secretsKey: secretsKey)
        for address in register.addresses {
            do {
                plan.add(try await PostgresCardStore.migrationPlan(url: address.url), ofShard: address.id)
            } catch let error as StoreError {
                throw StoreError(error.code, "Shard \(address.id): \(error.message)")
            }
        }
        return plan
    }

    private static func diagnose(
        _ address: ShardAddress,
        _ register: ShardRegister,
        isFull: Bool
    ) async -> [StoreFinding] {
        let identity = await PostgresCardStore.diagnose(address, pseudonymKey: register.pseudonymKey)
        guard identity.level == .good else { return [identity] }
        let findings = await PostgresCardStore.diagnose(
            url: address.url,
            secretsKey: .keyring(SecretsKeyring()),
            isFull: isFull
        )
        let copies = await diagnoseCopies(address, register).map { [$0] } ?? []
        // Only the home has secrets.
        return [identity] + (findings.filter { $0.subject != "secrets" } + copies).map { $0.ofShard(address.id) }
    }

    /// Says whether a database has users who are another one's, or returns `nil` where it hasn't.
    private static func diagnoseCopies(_ address: ShardAddress, _ register: ShardRegister) async -> StoreFinding? {
        // As long as users are moved, two databases have some.
        guard register.number == 0, !register.addresses.isEmpty, !register.isMoving else { return nil }
        let subject = "copies"
        do throws(StoreError) {
            let databases = (0...max(0, register.last)).map { _ in Int64(0) }
            let placement = try UserPlacement(register.ranges, generations: databases)
            let foreign = placement.ranges(notOf: Int(clamping: address.id)).map(\.range)
            let count = try await PostgresCardStore.countCopies(url: address.url, in: foreign)
            return count == 0 ? nil : StoreFinding(copies: count, subject)
        } catch {
            return StoreFinding(level: .bad, subject: subject, message: error.message)
        }
    }
}

extension StoreFinding {
    /// Says how many users a database has who are another one's.
    fileprivate init(copies count: Int64, _ subject: String) {
        let users = "\(count) user\(count == 1 ? "" : "s")\(count < PostgresCardStore.countedCopies ? "" : " or more")"
        self.init(
            level: .warning,
            subject: subject,
            message: "\(users) of another database, as after a backup was restored. They are counted twice. Servers "
                + "remove them where this database alone was restored. Otherwise they may be all that there is.",
            command: "placard shards balance"
        )
    }

    /// Sums up what the home says of its shards; `nil` where it has none.
    fileprivate init?(_ register: ShardRegister) {
        let subject = "shards"
        if register.number != 0 {
            self.init(
                level: .bad,
                subject: subject,
                message: "The database is shard \(register.number) of an installation. Give the address of its home.",
                command: "placard doctor --database ADDRESS-OF-THE-HOME"
            )
        } else if register.isMoving {
            self.init(
                level: .warning,
                subject: subject,
                message: "Users are being moved, or something keeps a move from going on.",
                command: "placard shards balance"
            )
        } else if !register.addresses.isEmpty {
            let count = register.addresses.count
            self.init(level: .good, subject: subject, message: "\(count) beside the home")
        } else {
            return nil
        }
    }
}
