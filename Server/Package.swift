// swift-tools-version: 6.2

import PackageDescription

/// The server: rules, stores, HTTP and the `placard` command.
let package = Package(
    name: "placard-server",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "placard", targets: ["placard"]),
        // The benchmark of the engine is a package of its own.
        .library(name: "Liquid", targets: ["Liquid"]),
        // What the tests of any store run.
        .library(name: "CardStoreConformance", targets: ["CardStoreConformance"]),
    ],
    dependencies: [
        .package(name: "placard", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ],
    targets: [
        .target(name: "Liquid"),
        .target(name: "Statistics"),
        .target(name: "ExperimentSimulation", dependencies: ["Statistics"]),
        .executableTarget(
            name: "statistics-probe",
            dependencies: ["ExperimentSimulation", "Statistics", "WireJSON"]
        ),
        .target(
            name: "WireJSON",
            dependencies: [.product(name: "OrderedCollections", package: "swift-collections")]
        ),
        .target(name: "CardModel", dependencies: ["Liquid", "Statistics", "WireJSON"]),
        .target(
            name: "CardStore",
            dependencies: [
                "CardModel", "WireJSON", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ]
        ),
        .target(
            name: "CardStoreConformance",
            dependencies: [
                "CardModel", "CardStore", "Simulation", "WireJSON",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ]
        ),
        .target(
            name: "ReferenceCardStore",
            dependencies: [
                "CardModel", "CardStore", "CardStoreConformance", "WireJSON",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ]
        ),
        // The one call of SQLite that can't be made from Swift.
        .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "SQLiteCardStore",
            dependencies: [
                "CSQLite", "CardStore", "WireJSON", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ]
        ),
        .systemLibrary(
            name: "CPostgreSQL",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .target(
            name: "PostgresCardStore",
            dependencies: [
                "CPostgreSQL", "CardModel", "CardStore", "WireJSON",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ]
        ),
        .target(
            name: "ShardedCardStore",
            dependencies: ["CardModel", "CardStore", "PostgresCardStore", "WireJSON"]
        ),
        // One file of C, so that another commit compiles nothing else.
        .target(
            name: "BuildCommit",
            cSettings: Context.environment["PLACARD_COMMIT"].map { [.define("PLACARD_COMMIT", to: "\"\($0)\"")] } ?? []
        ),
        .target(
            name: "CardServer",
            dependencies: [
                "BuildCommit", "CardModel", "CardStore", "Liquid", "Statistics", "UserImport", "WireJSON",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("Assets")]
        ),
        .target(
            name: "Dashboard",
            dependencies: [
                "CardModel", "CardServer", "CardStore", "Statistics", "UserImport", "WireJSON",
                .product(name: "BrowserUIKit", package: "placard"),
                .product(name: "ContentCards", package: "placard"),
                .product(name: "ContentCardsUI", package: "placard"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "OrderedCollections", package: "swift-collections"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("Assets")]
        ),
        .target(
            name: "WireYAML",
            dependencies: ["WireJSON", .product(name: "Yams", package: "Yams")]
        ),
        .target(name: "CommandSettings", dependencies: ["WireYAML"]),
        // The command's help in other languages than English.
        .target(name: "CommandHelp", dependencies: ["Terminal"], resources: [.embedInCode("Assets")]),
        // What an agent and a server say to each other, as a value without input and output.
        .target(name: "AgentProtocol", dependencies: ["WireJSON"]),
        // Campaigns and what belongs to them as files: reading, writing, and comparing them with a server.
        .target(
            name: "WorkspaceFiles",
            dependencies: [
                "CardModel", "Liquid", "WireJSON", "WireYAML", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ]
        ),
        // What another service exported, as files of a workspace.
        .target(
            name: "BrazeImport",
            dependencies: [
                "CardModel", "Liquid", "UserImport", "WireJSON", "WireYAML", "WorkspaceFiles",
                .product(name: "OrderedCollections", package: "swift-collections"),
            ]
        ),
        // Processes one picture and ends; loads libvips, which is needed when a picture is uploaded and never before.
        .target(name: "ImageWorker"),
        .target(name: "Terminal"),
        .target(
            name: "FeedScreen",
            dependencies: ["Terminal", .product(name: "ContentCards", package: "placard")]
        ),
        .target(name: "SampleCampaigns", dependencies: ["CardModel"], resources: [.embedInCode("Pictures")]),
        .target(name: "Simulation", dependencies: ["Statistics", "WireJSON"]),
        .target(name: "UserImport", dependencies: ["CardModel"]),
        .executableTarget(name: "placard", dependencies: ["PlacardCommands"]),
        .target(
            name: "PlacardCommands",
            dependencies: [
                "AgentProtocol", "BrazeImport", "CardServer", "CommandHelp", "CommandSettings", "Dashboard",
                "FeedScreen", "ImageWorker", "Liquid", "PostgresCardStore", "SQLiteCardStore", "SampleCampaigns",
                "ShardedCardStore", "Simulation", "Terminal", "UserImport", "WireYAML", "WorkspaceFiles",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "ContentCards", package: "placard"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(name: "LiquidTests", dependencies: ["Liquid"]),
        .testTarget(name: "StatisticsTests", dependencies: ["ExperimentSimulation", "Statistics"]),
        .testTarget(name: "WireJSONTests", dependencies: ["Statistics", "WireJSON"]),
        .testTarget(name: "CardModelTests", dependencies: ["CardModel", "Statistics"]),
        .testTarget(
            name: "CardStoreTests",
            dependencies: [
                "CardStore", "CardStoreConformance", "PostgresTesting", "ReferenceCardStore", "Simulation",
                "SQLiteCardStore", "SQLiteTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        // Databases of SQLite that have their tables already.
        .target(
            name: "SQLiteTesting",
            dependencies: ["SQLiteCardStore", .product(name: "GRDBSQLite", package: "GRDB.swift")],
            path: "Tests/SQLiteTesting"
        ),
        // A server of PostgreSQL that lives as long as the tests do.
        .target(name: "PostgresTesting", dependencies: ["CPostgreSQL"], path: "Tests/PostgresTesting"),
        .testTarget(
            name: "PostgresCardStoreTests",
            dependencies: [
                "CardStore", "CardStoreConformance", "PostgresCardStore", "PostgresTesting", "ReferenceCardStore",
                "SQLiteCardStore", "ShardedCardStore", "Simulation",
            ]
        ),
        // Runs servers of tests, asks them, and records what they log.
        .target(
            name: "LiveTesting",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/LiveTesting"
        ),
        .testTarget(
            name: "CardServerTests",
            dependencies: [
                "CardServer", "LiveTesting", "Simulation", "SQLiteCardStore", "SQLiteTesting", "UserImport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "ContentCards", package: "placard"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]
        ),
        .testTarget(
            name: "DashboardTests",
            dependencies: [
                "CardServer", "Dashboard", "LiveTesting", "SQLiteCardStore", "SQLiteTesting",
                .product(name: "ContentCards", package: "placard"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .testTarget(name: "CommandHelpTests", dependencies: ["CommandHelp"]),
        .testTarget(name: "BrazeImportTests", dependencies: ["BrazeImport", "CardServer", "WorkspaceFiles"]),
        .testTarget(name: "CommandSettingsTests", dependencies: ["CommandSettings"]),
        .testTarget(name: "AgentProtocolTests", dependencies: ["AgentProtocol", "WireJSON"]),
        .testTarget(
            name: "WorkspaceFilesTests",
            dependencies: ["CardServer", "SampleCampaigns", "WorkspaceFiles"]
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "CardModel", "CardServer", "CardStore", "CommandHelp", "CommandSettings", "LiveTesting",
                "PlacardCommands", "SQLiteCardStore", "SQLiteTesting", "ShardedCardStore", "Simulation", "Terminal",
                "UserImport", "WireJSON",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(name: "TerminalTests", dependencies: ["Terminal"]),
        .testTarget(name: "FeedScreenTests", dependencies: ["FeedScreen"]),
        .testTarget(name: "SampleCampaignsTests", dependencies: ["SampleCampaigns"]),
        .testTarget(name: "SimulationTests", dependencies: ["Simulation"]),
        .testTarget(name: "UserImportTests", dependencies: ["CardModel", "UserImport", "WireJSON"]),
        // Its targets are links to those of the package Fuzz, which builds them with coverage.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "CardModel", "CardServer", "CardStore", "CommandSettings", "Dashboard",
                "Liquid", "SQLiteCardStore", "Statistics", "Terminal", "UserImport", "WireJSON", "WireYAML",
                .product(name: "ContentCards", package: "placard"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The demo and the checks build the Shop and the browser's examples in this package, so that what all of them depend on
// is compiled once. Nothing of it is a part of the server.
if Context.environment["PLACARD_DEVELOPMENT"] == "1" {
    package.dependencies += [
        .package(name: "placard-browser", path: "../Browser"), .package(name: "shop", path: "../Examples/Shop"),
    ]
    // Their sources are links: a package runs only its own tests.
    package.targets += [
        .testTarget(
            name: "BrowserHostTests",
            dependencies: [
                .product(name: "BrowserHost", package: "placard-browser"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]
        ),
        .testTarget(
            name: "ShopAppTests",
            dependencies: [
                .product(name: "ContentCardsTesting", package: "placard"), .product(name: "ShopApp", package: "shop"),
            ]
        ),
    ]
}

// Tests and checks spend most of their time in what these modules compute, and in half of it where they are optimized.
// Where a debugger is to see everything, they aren't. The compiler crashes on others in this way of building them.
if Context.environment["PLACARD_DEVELOPMENT"] == "1", Context.environment["PLACARD_DEBUG_INFO"] != "1" {
    let modules: Set = [
        "CardModel", "CardStore", "CardStoreConformance", "ExperimentSimulation", "Liquid", "PostgresCardStore",
        "ReferenceCardStore", "SQLiteCardStore", "ShardedCardStore", "Simulation", "Statistics", "WireJSON", "WireYAML",
    ]
    for target in package.targets where modules.contains(target.name) {
        target.swiftSettings =
            (target.swiftSettings ?? []) + [.unsafeFlags(["-O"], .when(configuration: .debug))]
    }
}

// CI turns warnings into errors, in our own targets only.
if Context.environment["PLACARD_WARNINGS_AS_ERRORS"] == "1" {
    for target in package.targets where !["BuildCommit", "ImageWorker"].contains(target.name) && target.type != .system
    {
        target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
}
