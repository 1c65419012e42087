// swift-tools-version: 6.2

import PackageDescription

// The modules under test are linked into `Sources`, so that they are of this package: then they alone are built with
// coverage, and what is theirs by `package` can be called.

/// Coverage for libFuzzer, and what is internal for the targets; overflow traps and preconditions stay on.
let instrumented: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer", "-enable-testing"])]

/// What brings libFuzzer itself.
let driven: [LinkerSetting] = [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]

/// A module of the SDK or the server, built with coverage.
func tested(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: instrumented)
}

let collections = Target.Dependency.product(name: "OrderedCollections", package: "swift-collections")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let http = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")

/// Fuzz targets for all that comes from outside.
let package = Package(
    name: "placard-server",
    defaultLocalization: "en",
    platforms: [.macOS(.v15)],
    dependencies: [
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
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ],
    targets: [
        tested("WireJSON", [collections]),
        tested("WireYAML", ["WireJSON", collections, .product(name: "Yams", package: "Yams")]),
        tested("Liquid"),
        tested("Statistics"),
        tested("CardModel", ["Liquid", "Statistics", "WireJSON", collections]),
        tested("UserImport", ["CardModel", "WireJSON", collections]),
        tested("CommandSettings", ["WireJSON", "WireYAML"]),
        tested("Terminal"),
        tested("ContentCards", resources: [.copy("PrivacyInfo.xcprivacy")]),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CardModel", "CommandSettings", "ContentCards", "Liquid", "Statistics", "Terminal", "UserImport",
                "WireJSON", "WireYAML", collections,
            ]
        ),
        // What follows needs the server with all that it depends on, and only `fuzz-server` is made of it.
        .target(name: "BuildCommit"),
        tested(
            "ContentCardsUI",
            ["BrowserUIKit", "ContentCards"],
            resources: [.process("Resources"), .copy("PrivacyInfo.xcprivacy")]
        ),
        tested("BrowserUIKit", []),
        tested("CardStore", ["CardModel", "WireJSON", collections, crypto]),
        .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        tested(
            "SQLiteCardStore",
            [
                "CSQLite", "CardStore", "WireJSON", collections, grdb,
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        tested(
            "CardServer",
            [
                "BuildCommit", "CardModel", "CardStore", "Liquid", "Statistics", "UserImport", "WireJSON", collections,
                crypto,
                http, hummingbird, lifecycle, logging,
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            resources: [.embedInCode("Assets")]
        ),
        tested(
            "Dashboard",
            [
                "BrowserUIKit", "CardModel", "CardServer", "CardStore", "ContentCards", "ContentCardsUI", "Statistics",
                "UserImport", "WireJSON",
                collections, crypto, hummingbird, lifecycle, logging,
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: [.embedInCode("Assets")]
        ),
        .target(
            name: "ServerTargets",
            dependencies: [
                "CardModel", "CardServer", "CardStore", "Dashboard", "FuzzTargets", "SQLiteCardStore", "WireJSON", grdb,
                http, hummingbird,
            ]
        ),
        .target(name: "LibFuzzer"),
        .target(name: "FuzzRun", dependencies: ["FuzzTargets", "LibFuzzer"]),
        .executableTarget(
            name: "fuzz",
            dependencies: ["FuzzRun", "FuzzTargets"],
            path: "Sources/Fuzzer",
            linkerSettings: driven
        ),
        .executableTarget(
            name: "fuzz-server",
            dependencies: ["FuzzRun", "FuzzTargets", "ServerTargets"],
            path: "Sources/ServerFuzzer",
            linkerSettings: driven
        ),
    ],
    swiftLanguageModes: [.v6]
)
