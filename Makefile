# All output is under build/ and .build/; both may be deleted at any time.
# Linker flags of the shipped library are here, so that Package.swift stays usable as a dependency.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=

header := Include/wallet_core.h
number = $(shell sed -n 's/^\#define WALLET_CORE_$(1) //p' $(header))
abi := $(call number,ABI_VERSION)
version := $(call number,VERSION_MAJOR).$(call number,VERSION_MINOR).$(call number,VERSION_PATCH)

stage := $(CURDIR)/build/stage
debug_provider := $(CURDIR)/.build/debug/wallet-provider
release_provider := $(CURDIR)/build/bin/wallet-provider
release_load := $(CURDIR)/build/bin/provider-load
release_bare := $(CURDIR)/build/bin/provider-bare
staged := PKG_CONFIG_PATH=$(stage)/lib/pkgconfig

strict := --explicit-target-dependency-import-check error
# SwiftPM passes the traits of a package in the order of a set. In a random order it would compile the package again.
swift_build = env SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
# $(call quietly,NAME,TITLE) COMMAND: prints a line of progress and writes all output to build/log/NAME.log.
quietly = @.ci/quiet.sh $(CURDIR)/build/log/$(1).log '$(2)'
# Builds a dynamic library product that contains the Swift runtime and exports only wallet_core's functions.
# BoringSSL and Yams put __FILE__ into their errors; what is shipped must not name the source directory.
# Debian 12's valgrind reads the debug information of C in DWARF 4, not in DWARF 5. Library and provider are compiled
# with the same flags and in one directory, so that what both contain is compiled once. It is not that of debug builds:
# builds in one directory wait for each other. lld packs the relocations of the library, which makes it 6 % smaller and
# quicker to load; the loader of glibc can read these since 2.36, which Debian 12 has.
build_release = $(swift_build) -c release --scratch-path .build/shipped --static-swift-stdlib -Xswiftc -static-stdlib \
  -Xswiftc -use-ld=lld \
  -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcc -gdwarf-4 $(strict)
build_library = $(call quietly,$(1),Building $(1)) $(build_release) --product $(1) \
  -Xlinker --version-script=$(CURDIR)/Include/wallet_core.exports \
  -Xlinker -soname=lib$(1).so.$(abi) -Xlinker -z -Xlinker defs -Xlinker -z -Xlinker now \
  -Xlinker -z -Xlinker nodelete -Xlinker -z -Xlinker pack-relative-relocs
built_library = .build/shipped/release/lib$(1).so
build_provider = $(call quietly,$(1)-release,Building $(1) as it is shipped) $(build_release) --product $(1)
build_debug = $(call quietly,$(1),Building $(1)) $(swift_build) $(strict) --product $(1)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help fresh demo phone phone-web verifier pictures check-http-bridge test test-full test-loaded test-failover mutants bench bench-provider flames instructions-baseline lint format flows abi-baseline \
  install dist docs library library-testing provider clean \
  install-built install-provider install-units release-testing release-load release-bare stage debug-provider \
  debug-provider-testing debug-tests test-programs

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-21s %s\n", $$1, $$2 }' Makefile

demo: setup-phone+verifier stage debug-provider ## Start a provider and a verifier by others, run the C hosts with them, stop all
	@$(staged) Examples/C/demo.sh $(debug_provider) build/examples --verifier

phone: setup-phone stage debug-provider ## Start the provider and a phone in the terminal
	@$(staged) Examples/C/phone.sh $(debug_provider) build/examples $(PHONE_OPTIONS)

phone-web: setup-phone-web library-testing debug-provider-testing ## Start the provider and a phone in the browser
	@Examples/python/phone_web/run.sh .build/debug build $(PHONE_WEB_PORT)

verifier: setup-verifier ## Start a verifier that asks a wallet for claims and prints what it says
	@Examples/Verifier/verifier.sh build $(VERIFIER_OPTIONS)

pictures: setup-test library-testing debug-provider-testing ## Draw the README's picture again, in the browser
	@WALLET_CORE_WRITE_PICTURES=1 Tests/Hosts/phone_web.sh .build/debug build

# With the provider as it is shipped: a debug build of it takes several times as long to start.
test: setup-test ## Run every test; the last line counts them
	@$(staged) MAKE='$(MAKE)' .ci/tests/start.sh build/bin build $(PARTS)

check-http-bridge: setup-check library-testing ## Try the HTTP bridge of the command HOST; without one that of the example in Python
	@WALLET_CORE_TESTING_LIBRARY=$(CURDIR)/build/lib/libwallet_core_testing.so /usr/bin/python3 -P \
	  Tests/HTTPBridge/check.py '$(or $(HOST),Tests/HTTPBridge/python/run.sh)'

test-full: setup-test+full ## make test with long runs, sanitizers and valgrind
	@$(staged) MAKE='$(MAKE)' .ci/tests/start.sh --full build/bin build $(PARTS)

test-loaded: setup-test test-programs ## make test RUNS times beside four busy loops; build/loaded.log has a line for each
	@$(staged) .ci/tests/loaded.sh $(or $(RUNS),10) build/bin build $(PARTS)

test-failover: setup-failover provider release-load ## Kill, pause and cut off the primary of three PostgreSQL under load, as root; resumes
	@Tests/Failover/failover.py --jobs $(or $(JOBS),1) build/bin build/failover $(PARTS)

mutants: setup-test ## Try whether the tests notice mistakes in the sources; MUTANTS names some of them
	@Tests/Mutants/run.py $(MUTANTS)

bench: setup-bench stage provider ## Measure and compare with other wallets and plain C, print tables
	@$(staged) Tests/Benchmarks/run.sh $(release_provider) build/bench
	@$(staged) Tests/Benchmarks/peers.sh $(release_provider) build/bench

instructions-baseline: setup-test stage provider release-load ## Save the current instruction counts as the limits of later runs
	@$(staged) PROVIDERS=build/bin BUILD=build WALLET_CORE_WRITE_INSTRUCTIONS=1 Tests/Benchmarks/instructions.sh

bench-provider: setup-bench provider release-load release-bare ## Measure the provider with both databases, print tables
	@Tests/Benchmarks/provider_report.sh $(release_provider) $(release_load) $(release_bare) build/bench

flames: setup-flames provider release-load ## Draw where the processor time of a PIN's validation goes
	@Tests/Benchmarks/flames.sh $(release_provider) $(release_load) build/bench/flames.svg 'A validation of a PIN'

fresh: ## Run the README's commands on empty Debian systems, and every target with only its own packages
	@.ci/setup.sh fresh
	@.ci/fresh.sh $(PARTS)

lint: setup-lint ## Check formatting and scripts
	@.ci/lint.sh

format: setup-lint ## Format all Swift and C sources
	@.ci/files.sh Package.swift Sources Tests Examples | grep '\.swift$$' | \
	  xargs $(SWIFT) format --in-place --parallel
	@clang-format -i $$(.ci/c-files.sh)

flows: debug-tests ## Generate what the articles have from tables, tests and the manifest
	@WALLET_CORE_WRITE_FLOWS=1 $(SWIFT) test --skip-build --filter 'FlowArticleTests|RowListTests|SettingArticleTests|ArchitectureTests/testTheTable|LicenceBlindSpotTests|MessageArticleTests'

abi-baseline: setup-test ## Save the header's current interface as the promised one, at a release
	@Tests/ABI/abi_baseline.sh

docs: setup-docs ## Render the articles to build/docs, for the path DOCS_BASE_PATH of a web server
	@.ci/docs.sh build/docs $(DOCS_BASE_PATH)

install: library install-built ## Install library, header, event schema, pkg-config and CMake files under PREFIX

prefix := $(DESTDIR)$(PREFIX)
fill = sed -e 's/@VERSION@/$(version)/g' -e 's/@ABI@/$(abi)/g' .ci/package/$(1).in > '$(prefix)/lib/$(2)/$(1)'

install-built: ## Install what `make library` has built; needs no Swift: sudo make install-built
	install -d '$(prefix)/lib/pkgconfig' '$(prefix)/lib/cmake/wallet_core' '$(prefix)/include' \
	  '$(prefix)/share/wallet_core'
	install -m 644 $(header) '$(prefix)/include/wallet_core.h'
	install -m 644 Include/wallet_core_events.schema.json '$(prefix)/share/wallet_core/'
	install -m 755 build/lib/libwallet_core.so.$(abi) '$(prefix)/lib/'
	ln -sf libwallet_core.so.$(abi) '$(prefix)/lib/libwallet_core.so'
	$(call fill,wallet_core.pc,pkgconfig)
	$(call fill,wallet_coreConfig.cmake,cmake/wallet_core)
	$(call fill,wallet_coreConfigVersion.cmake,cmake/wallet_core)
	install -d '$(prefix)/share/doc/wallet_core'
	.ci/install-articles.sh '$(prefix)/share/doc/wallet_core' names.md errors.md
	cp -R build/lib/licences '$(prefix)/share/doc/wallet_core/'

SYSCONFDIR ?= /etc
settings := $(DESTDIR)$(SYSCONFDIR)/wallet-provider/wallet-provider.yaml
# Where the unit finds the program.
UNIT_PREFIX ?= $(PREFIX)
fill_provider = sed -e 's,@PREFIX@,$(UNIT_PREFIX),g' -e 's,@SYSCONFDIR@,$(SYSCONFDIR),g' $(2) .ci/package/$(1).in > '$(prefix)/lib/$(3)'
# $(call fill_unit,NAME,COMMAND,TITLE,ARTICLE): the unit of one command, with a user and a directory of its own.
fill_unit = $(call fill_provider,unit.service,-e 's/@NAME@/$(1)/g' -e 's/@COMMAND@/$(2)/' -e 's/@TITLE@/$(3)/' -e 's/@ARTICLE@/$(4)/',systemd/system/$(1).service)

define install_units
install -d '$(prefix)/lib/systemd/system' '$(prefix)/lib/sysusers.d'
$(call fill_unit,wallet-provider,serve,Wallet provider,operations.md)
$(call fill_unit,wallet-evaluator,evaluate,Evaluator of a wallet provider,evaluator.md)
$(call fill_provider,wallet-provider.sysusers,,sysusers.d/wallet-provider.conf)
endef

install-units:
	$(install_units)

provider_licences ?= $(dir $(release_provider))licences

# An existing settings file is kept.
install-provider: ## Install what `make provider` has built, with a systemd unit
	@test -x '$(release_provider)' || { echo "install-provider: there is no $(release_provider); run make provider first" >&2; exit 1; }
	install -d '$(prefix)/bin' '$(prefix)/share/doc/wallet-provider' '$(dir $(settings))'
	install -m 755 $(release_provider) '$(prefix)/bin/wallet-provider'
	$(install_units)
	'$(prefix)/bin/wallet-provider' config sample > '$(prefix)/share/doc/wallet-provider/wallet-provider.yaml'
	sed -i 's,^#data: .*,data: /var/lib/wallet-provider,' '$(prefix)/share/doc/wallet-provider/wallet-provider.yaml'
	test -e '$(settings)' || \
	  install -m 644 '$(prefix)/share/doc/wallet-provider/wallet-provider.yaml' '$(settings)'
	.ci/install-articles.sh '$(prefix)/share/doc/wallet-provider' operations.md settings.md administration.md \
	  backup.md evaluator.md keys.md limits.md replicas.md
	cp -R '$(provider_licences)' '$(prefix)/share/doc/wallet-provider/'

dist: setup-dist library provider ## Make the files of a release in build/dist: tarball, wheel, digests, notes
	@.ci/dist.sh $(release_provider) build/dist

library: setup-library ## Build the library for release: build/lib/libwallet_core.so.2
	$(call build_library,wallet_core)
	@.ci/place-library.sh $(call built_library,wallet_core) build/lib $(abi)
	@rm -rf build/lib/licences
	@.ci/licences.sh library .build/shipped/release/wallet_core.product/Objects.LinkFileList build/lib/licences

library-testing: setup-library
	$(call build_library,wallet_core_testing)
	@.ci/place-library.sh $(call built_library,wallet_core_testing) build/lib $(abi)

provider: setup-provider+licences ## Build the provider for release: build/bin/wallet-provider
	$(call build_provider,wallet-provider)
	@install -D -m 755 .build/shipped/release/wallet-provider $(release_provider)
	@rm -rf $(provider_licences)
	@.ci/licences.sh provider .build/shipped/release/wallet-provider.product/Objects.LinkFileList $(provider_licences)

release-testing: provider
	$(call build_provider,wallet-provider-testing)
	@install -D -m 755 .build/shipped/release/wallet-provider-testing $(release_provider)-testing

release-load: setup-library
	$(call build_provider,provider-load)
	@install -D -m 755 .build/shipped/release/provider-load $(release_load)

release-bare: setup-provider
	$(call build_provider,provider-bare)
	@install -D -m 755 .build/shipped/release/provider-bare $(release_bare)

clean: ## Delete all output
	rm -rf build .build

# A private prefix with what `make install` installs: examples and tests use no other library.
stage: library
	@$(MAKE) --no-print-directory --silent install-built PREFIX=$(stage) DESTDIR=

# Demo and tests share the debug build, so that the server's dependencies are built once.
debug-provider: setup-provider
	$(call build_debug,wallet-provider)

debug-provider-testing: setup-provider
	$(call build_debug,wallet-provider-testing)

# What the tests run.
test-programs: setup-test debug-tests stage library-testing release-testing release-load

debug-tests: setup-test
	$(call quietly,tests,Building the tests) $(swift_build) $(strict) --build-tests

setup-%:
	@.ci/setup.sh $(subst +, ,$*)
