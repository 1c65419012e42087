# What people and CI run. `make` alone lists it.

SWIFT_SOURCES = $(wildcard Package.swift Sources Tests Server/Package.swift Server/Sources Server/Tests \
	Browser/Package.swift Browser/Sources Browser/Tests Benchmarks $(addprefix Examples/Shop/,Package.swift Sources Tests))

.DEFAULT_GOAL := help
.PHONY: help demo build test check check-size package image release check-versions fuzz check-arithmetic \
	check-characters check-structure check-layout check-privacy check-usage check-words screenshots lint format \
	bench docs check-docs clean requirements

help: ## Lists the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## Runs server and Shop with sample campaigns on SQLite; prints addresses and keys.
	@scripts/demo $(ARGS)

build: requirements ## Builds the SDK and the server in debug.
	scripts/swift build
	PLACARD_DEVELOPMENT=1 scripts/swift build --package-path Server

test: ## Runs every test of the SDK and of the server.
	@scripts/test

check: build ## What takes longer than the tests: fuzzing, floods, half an hour of load, package, container.
	@scripts/install-requirements
	scripts/check-oracle --long $(ARGS)
	scripts/fuzz --short
	scripts/check-flood --long
	scripts/check-size
	scripts/check-nodes --long
	scripts/check-fail2ban
	scripts/check-logrotate
	scripts/check-replication
	scripts/check-copy
	scripts/check-drills
	scripts/check-dashboard --long
	scripts/check-openapi --long
	scripts/check-soak --long
	PLACARD_LONG_TESTS=1 PLACARD_DEVELOPMENT=1 scripts/swift test --no-parallel --package-path Server \
		--filter "PoolerTests|FailoverTests"
	@scripts/install-requirements --package
	scripts/check-package
	@scripts/install-requirements --container
	scripts/check-container

check-size: ## Measures what the SDK adds to the binary of an app, module by module.
	@scripts/check-size

fuzz: ## Fuzzes what takes bytes from outside; ARGS="--time 60 liquid" for a minute of one target.
	@scripts/fuzz $(ARGS)

check-arithmetic: ## Finds arithmetic that may end the process.
	@scripts/check-arithmetic --test
	@scripts/check-arithmetic

check-characters: ## Finds where text from outside is searched or split by whole characters.
	@scripts/check-characters --test
	@scripts/check-characters

screenshots: ## Takes screenshots of the feed and of Shop in a browser, and keeps them; look at the changes.
	@scripts/screenshots --update $(ARGS)

check-structure: ## Finds circles of folders, names of two types, long functions and files, forgotten checks.
	@scripts/check-structure --test
	@scripts/check-structure
	@scripts/check-planted-errors --places
	@scripts/fuzz --manifest

check-layout: ## Finds lines of more than 120 columns, and Python and JavaScript that isn't formatted.
	@scripts/check-layout --test
	@scripts/check-layout

check-privacy: ## Holds the SDK's privacy manifests to what its source uses and collects.
	@scripts/check-privacy --test
	@scripts/check-privacy

check-usage: ## Finds scripts that don't answer --help at once, or take options that they don't know.
	@scripts/check-usage --test
	@scripts/check-usage

check-words: ## Finds words that the product doesn't use.
	@scripts/check-words --test
	@scripts/man-page --test
	@scripts/check-words

check-versions: ## Finds places that name another version.
	@scripts/check-versions --test
	@scripts/release --test
	@scripts/check-versions

lint: check-arithmetic check-characters check-structure check-layout check-privacy check-usage check-words
lint: check-versions ## Checks every file.
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)

format: ## Formats Swift, Python and JavaScript in place.
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)
	@scripts/check-layout --fix

package: ## Makes a Debian package of the server in .build/package.
	@scripts/install-requirements --package
	@scripts/package

image: ## Makes a container image of the server in .build/image; ARGS="--package FILE" for one of a package that exists.
	@scripts/install-requirements --package
	@scripts/image $(ARGS)

release: ## Puts a release into .build/release-VERSION: package, sources, documentation, bill of materials, checksums.
	@scripts/install-requirements --package
	@scripts/release $(ARGS)

bench: ## Measures the server beside nginx, FastAPI and Node, with plots; ARGS=--short for five minutes.
	@scripts/install-requirements --bench
	@Benchmarks/run $(ARGS)

docs: ## Makes the documentation site in .build/docs; open its index.html.
	@scripts/docs

check-docs: ## Makes the documentation site of what was built, and checks every link, command and page of it.
	@scripts/check-docs
	@scripts/check-docs --browser

clean: ## Removes what was built, and the demo's data.
	rm -rf .build Server/.build Browser/.build Benchmarks/.build Examples/Shop/.build Fuzz/.build .placard

requirements:
	@scripts/install-requirements
